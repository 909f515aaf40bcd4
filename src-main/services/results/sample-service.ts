// Samples: runs of some of the rows, whose other rows can be run later. All rows are stored as a row set that belongs to
// the sample's run and is removed with it. The run of the rest repeats the sample (`rerunOf`), so that comparisons and
// exports treat both as one; each row has the number that it has among all rows. Who calls: the control API, `run-file`.
import { randomInt } from 'node:crypto';
import { isJsonObject } from '../../base/json-value.ts';
import { Mutex } from '../../base/mutex.ts';
import { restRunBefore, runRequestInvalid, sampleMissing } from '../../domain/run-errors.ts';
import {
  parseSample,
  samplePositions,
  SampleProblem,
  sampleText,
  ValuePicker,
  maxSeed,
  type SampleChoice,
} from '../../domain/rows/row-sample.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { Run, RunOrigin } from '../../domain/run/run.ts';
import { addTokens, noTokens, type Tokens } from '../../domain/results/tokens.ts';
import type { ArrivingRows } from '../../domain/run/stored-run.ts';
import type { NewRun } from '../runs/new-run.ts';
import type { PlanCache } from '../runs/plan-cache.ts';
import type { RunReading, RunRecords, RunRecord } from '../ports.ts';
import { numberedLines } from '../runs/rerun-rows.ts';
import type { ReceiveRows, RowSetService } from '../rowsets/row-set-service.ts';
import type { RunService } from '../runs/run-service.ts';

type SampleDeps = {
  readonly runs: RunService;
  readonly rowSets: RowSetService;
  readonly store: RunRecords & RunReading;
  readonly plans: PlanCache;
};

type NewSample = {
  readonly newRun: NewRun;
  readonly workflowId: string;
  readonly choice: SampleChoice;
  /** True to run the rows that the choice leaves out. */
  readonly isRest?: boolean;
};

export type SampleState = {
  /** The run of the sample itself. */
  readonly sampleRunId: string;
  /** The choice, such as `random:20:7`. */
  readonly choice: string;
  /** Rows that are left to run. */
  readonly restRows: number;
  /** Runs of the rest, newest first. */
  readonly restRunIds: readonly string[];
  /** Absent while no row of the sample has ended. */
  readonly estimate?: { readonly ms: number; readonly tokens?: Tokens };
};

/** Rows of the sample that the estimate looks at. */
const maxTimedRows = 10_000;

export class SampleService {
  readonly #deps: SampleDeps;
  /** One start of a rest at a time, so that two clicks start one run. */
  readonly #starting = new Mutex();

  constructor(deps: SampleDeps) {
    this.#deps = deps;
  }

  /** Throws `invalid_input`. */
  parse(text: string): SampleChoice {
    return orRefused(() => parseSample(text, () => randomInt(maxSeed)));
  }

  /** Takes all rows and starts a run of the sampled ones; leaves nothing behind when that fails. Throws `invalid_input`. */
  async start({ newRun, workflowId, choice, isRest = false }: NewSample, receive: ReceiveRows): Promise<Run> {
    const { rowSets } = this.#deps;
    try {
      const set = await rowSets.saveSample(workflowId, newRun.runId, receive);
      try {
        const picked = new Set(await this.#positions(choice, set.id, set.rows));
        if (!isRest) newRun.setSample({ setId: set.id, choice: sampleText(choice), rows: set.rows });
        return await newRun.acceptAll(pickedRows(rowSets.readSample(set.id), picked, isRest));
      } catch (error) {
        await rowSets.dropSample(set.id).catch(() => undefined);
        throw error;
      }
    } catch (error) {
      await newRun.abandon();
      throw error;
    }
  }

  /** The sample that a run is, or repeats; undefined for other runs. Throws `run_not_found`. */
  async state(runId: string): Promise<SampleState | undefined> {
    const run = await this.#sampleOf(runId);
    if (run?.sample === undefined) return undefined;
    const { choice, rows } = run.sample;
    const restRows = rows - run.rows;
    const estimate = await this.#estimate((await this.#deps.runs.get(runId)).run, restRows);
    return {
      sampleRunId: run.runId,
      choice,
      restRows,
      restRunIds: await this.#restRunsOf(run.runId),
      ...(estimate === undefined ? {} : { estimate }),
    };
  }

  /**
   * Runs the rows that the sample left out, with the workflow as it is now. Throws `run_not_found`, and `invalid_input` if
   * the run is no sample, or if its rest has been run and `isAgain` is false.
   */
  runRest(
    runId: string,
    { isAgain, origin }: { readonly isAgain: boolean; readonly origin: RunOrigin },
  ): Promise<RunRecord> {
    return this.#starting.run(async () => {
      const run = await this.#sampleOf(runId);
      if (run?.sample === undefined) throw sampleMissing();
      const [last] = await this.#restRunsOf(run.runId);
      if (last !== undefined && !isAgain) throw restRunBefore(last);
      const rows = this.#deps.rowSets.readSample(run.sample.setId);
      const rest = otherRows(rows, this.#deps.store.readRows(run.runId));
      return this.#deps.runs.rerun(run.runId, { chosen: rest, isRest: true }, origin);
    });
  }

  async #sampleOf(runId: string): Promise<Run | undefined> {
    let { run } = await this.#deps.runs.get(runId);
    while (run.sample === undefined && run.rerunOf !== undefined && run.isRest !== true) {
      const original = await this.#deps.runs.find(run.workflowId, run.rerunOf);
      if (original === undefined) return undefined;
      run = original;
    }
    return run.sample === undefined ? undefined : run;
  }

  async #restRunsOf(sampleRunId: string): Promise<readonly string[]> {
    const reruns = await this.#deps.store.list({ rerunOf: sampleRunId });
    return reruns.filter(({ run }) => run.isRest === true).map(({ run }) => run.runId);
  }

  async #positions(choice: SampleChoice, setId: string, total: number): Promise<readonly number[]> {
    if (choice.kind !== 'each') return orRefused(() => samplePositions(choice, total));
    const picker = new ValuePicker(choice.column);
    for await (const { line } of numberedLines(this.#deps.rowSets.readSample(setId))) {
      const row: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
      if (isJsonObject(row)) orRefused(() => picker.add(row));
    }
    return orRefused(() => picker.end());
  }

  /** From the mean of the rows that have ended, as many at once as the workflow allows. */
  async #estimate(run: Run, restRows: number): Promise<SampleState['estimate']> {
    const { store, plans } = this.#deps;
    const states = (await store.readStates(run.runId, 1, Math.min(run.rows, maxTimedRows))).filter(
      ({ state }) => state !== 'unfinished',
    );
    if (states.length === 0) return undefined;
    const meanMs = states.reduce((sum, { durationMicros }) => sum + durationMicros, 0) / states.length / 1000;
    const { concurrency } = await plans.get(run);
    const { nodes = [], rows = 0 } = (await store.readStatistics(run.runId)) ?? {};
    const used = nodes.reduce((sum, { tokens = noTokens }) => addTokens(sum, tokens), noTokens);
    const perRun = (count: number): number => Math.round((count * restRows) / Math.max(1, rows));
    return {
      ms: Math.ceil((meanMs * restRows) / Math.min(concurrency, Math.max(1, restRows))),
      ...(used.prompt + used.completion === 0
        ? {}
        : { tokens: { prompt: perRun(used.prompt), completion: perRun(used.completion) } }),
    };
  }
}

function orRefused<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof SampleProblem ? runRequestInvalid(error.message) : error;
  }
}

/** The rows at the positions, or those at all others, with their numbers. */
async function* pickedRows(
  rows: AsyncIterable<RowLines>,
  positions: ReadonlySet<number>,
  isRest: boolean,
): AsyncGenerator<ArrivingRows> {
  let position = 0;
  for await (const row of numberedLines(rows)) {
    position += 1;
    if (positions.has(position) !== isRest) yield asRows(row);
  }
}

/** The rows whose numbers the sample does not have; both are in rising order. */
async function* otherRows(
  rows: AsyncIterable<RowLines>,
  sample: AsyncIterable<RowLines>,
): AsyncGenerator<RowLines> {
  const sampled = numberedLines(sample);
  let position = 0;
  try {
    let next = await sampled.next();
    for await (const row of numberedLines(rows)) {
      if (next.done !== true && next.value.number === row.number) {
        next = await sampled.next();
        continue;
      }
      position += 1;
      yield { firstRow: position, ...asRows(row) };
    }
  } finally {
    await sampled.return(undefined);
  }
}

function asRows({ line, number }: { readonly line: Uint8Array; readonly number: number }) {
  const bytes = new Uint8Array(line.length + 1);
  bytes.set(line);
  bytes[line.length] = 0x0a;
  return { bytes, numbers: [number] };
}
