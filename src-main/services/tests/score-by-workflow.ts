// Scores of rows by a workflow that gets each row with its output. Who calls: check-outputs.ts.
import type { BatchResult } from '../../domain/run/stored-run.ts';
import type { JsonValue } from '../../base/json-value.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import { fieldValue, type CheckResult, type Scoring } from '../../domain/tests/field-rules.ts';
import type { ScoreCounts } from '../../domain/tests/rule-counts.ts';
import type { OutputSink } from '../../executor/ports.ts';
import { textOfLine, type JsonLines } from './in-memory-rows.ts';
import type { BenchTest, TestBench } from './test-bench.ts';
import { eventLoopYield } from '../../base/event-loop-yield.ts';

export type CheckedOutputs = {
  readonly benchTest: BenchTest;
  readonly rows: JsonLines;
  readonly outputs: JsonLines;
  /** Absent: outputs are not compared. */
  readonly expected: JsonLines | undefined;
  /** Rows without an output. */
  readonly failedRows: number;
};

export type Engine = { readonly bench: TestBench; readonly signal: AbortSignal };

/** The test of a workflow that runs over outputs: the faults of a scenario are for the workflow that is tested. */
export const testOfOutputs = ({ name, clock, cassette }: BenchTest['test']): BenchTest['test'] => ({
  name,
  clock,
  mocks: {},
  expect: { status: 'completed', contains: false },
  ...(cassette === undefined ? {} : { cassette }),
});

/** Scores the rows by another workflow. Throws as `TestBench.run` does. */
export async function scoreByWorkflow(
  { workflow: workflowId }: Extract<Scoring, { workflow: string }>,
  { checked, scores }: { readonly checked: CheckedOutputs; readonly scores: ScoreCounts },
  { bench, signal }: Engine,
): Promise<void> {
  const { benchTest, rows, outputs, failedRows } = checked;
  const workflow = await bench.findWorkflow(workflowId, benchTest.workflow);
  const name = `score of ${benchTest.test.name}`;
  const test = testOfOutputs({ ...benchTest.test, name });
  const scored = { lines: rowsWithOutput(rows, outputs), count: outputs.count - failedRows };
  const sink = new ScoreSink(outputs, scores);
  const outcome = await bench.run({ ...benchTest, workflow, test, rows: scored }, sink, signal);
  if (outcome.status === 'failed') await sink.failRest(`the workflow that scores failed: ${outcome.error}`);
}

/** The rows of a workflow that scores. */
function* rowsWithOutput(rows: JsonLines, outputs: JsonLines): Generator<Uint8Array> {
  const rowsLeft = rows.lines();
  for (const output of outputs.lines()) {
    const row = rowsLeft.next();
    if (output.length > 0 && row.done !== true)
      yield Buffer.concat([rowHead, row.value, outputHead, output, closing]);
  }
}

const rowHead = Buffer.from('{"row":');
const outputHead = Buffer.from(',"output":');
const closing = Buffer.from('}');

/** Maximum bytes of the output of a workflow that scores. */
const maxScoreBytes = 1_000_000;

/** Reads the scores of the rows that have an output. */
class ScoreSink implements OutputSink {
  readonly #indexes: Generator<number>;
  readonly #scores: ScoreCounts;
  readonly #yieldIfLong = eventLoopYield();

  constructor(outputs: JsonLines, scores: ScoreCounts) {
    this.#indexes = indexesOfOutputs(outputs);
    this.#scores = scores;
  }

  async commit({ outputs }: BatchResult): Promise<void> {
    for (const line of eachLine(outputs)) {
      const index = this.#indexes.next();
      if (index.done !== true) this.#scores.add(index.value, scoreIn(line));
      await this.#yieldIfLong();
    }
  }

  /** For the rows that got no score. */
  async failRest(error: string): Promise<void> {
    for (const index of this.#indexes) {
      this.#scores.add(index, { error });
      await this.#yieldIfLong();
    }
  }
}

function* indexesOfOutputs(outputs: JsonLines): Generator<number> {
  let index = 0;
  for (const line of outputs.lines()) {
    if (line.length > 0) yield index;
    index += 1;
  }
}

function scoreIn(line: Uint8Array): CheckResult {
  if (line.length > maxScoreBytes) return { error: 'the workflow that scores gave more than 1 MB' };
  return {
    result:
      line.length === 0 ? null : (fieldValue(JSON.parse(textOfLine(line)) as JsonValue, 'score') ?? null),
  };
}
