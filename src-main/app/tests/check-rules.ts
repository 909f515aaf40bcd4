// Checks the rules of a test for the outputs of its run. Their expressions are author code: they run in a row worker, as
// a workflow over the rows and their outputs.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import type { Difference } from '../../domain/tests/compare-outcome.ts';
import {
  brokenScores,
  brokenOutputRules,
  checksOfFields,
  fieldValue,
  type BrokenRule,
  type CheckResult,
  type Scoring,
  type RowCheck,
} from '../../domain/tests/field-rules.ts';
import type { TestCase } from '../../domain/tests/test-case.ts';
import type { BenchTest, TestBench } from '../test-bench.ts';

type Ran = { readonly benchTest: BenchTest; readonly outputs: readonly JsonValue[] };

/** Empty if all rules of the test hold. Throws as `TestBench.run` does for a score by a workflow. */
export async function checkRules(
  { fields = [], score }: TestCase['expect'],
  ran: Ran,
  { bench, signal }: { readonly bench: TestBench; readonly signal: AbortSignal },
): Promise<Difference[]> {
  const checks = checksOfFields(fields);
  const own = score !== undefined && 'expression' in score ? [{ code: score.expression }] : [];
  const results = await evaluate([...checks, ...own], ran, { bench, signal });
  const broken = brokenOutputRules(fields, ran.outputs, (row) => results[row] ?? []);
  if (score === undefined) return broken.map(asDifference);
  const scores =
    'expression' in score
      ? results.map((each) => each[checks.length] ?? {})
      : await scoresOf(score, ran, { bench, signal });
  return [...broken, ...brokenScores(score, ran.outputs, (row) => scores[row] ?? {})].map(asDifference);
}

const asDifference = ({ row, field, rule, found }: BrokenRule): Difference => ({
  what: 'fields',
  path: row === undefined ? [field] : [row, field],
  rule,
  found,
});

type Engine = { readonly bench: TestBench; readonly signal: AbortSignal };

/** Results of the checks by row; of a row whose checks took too long, each says so. */
async function evaluate(
  checks: readonly RowCheck[],
  ran: Ran,
  { bench, signal }: Engine,
): Promise<readonly (readonly CheckResult[])[]> {
  if (checks.length === 0) return [];
  const rows = rowsIn(ran).map(({ row, output }) => ({
    row,
    output,
    values: checks.map(({ field }) => (field === undefined ? null : (fieldValue(output, field) ?? null))),
  }));
  const workflow = await bench.parse(checkingWorkflow(checks), ran.benchTest.workflow);
  const { outputs } = await runOver(rows, { ...ran.benchTest, workflow }, { bench, signal });
  const results = outputs.map((output) =>
    output === null
      ? checks.map(() => ({ error: 'it took too long, or too much memory' }))
      : ((output as JsonObject)['results'] as unknown as readonly CheckResult[]),
  );
  return atRows(ran.outputs, results).map((each = []) => each);
}

function checkingWorkflow(checks: readonly RowCheck[]): string {
  const functions = checks.map(({ code }) => `({ value, row, output }) => (${code}\n)`);
  const code = `const checks = [\n${functions.join(',\n')}\n];
return checks.map((check, index) => {
  try {
    const result = check({ value: row.values[index], row: row.row, output: row.output });
    return { result: typeof result === 'number' ? result : result === true };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
});`;
  const nodes = [
    { id: 'input', type: 'input' },
    { id: 'checks', type: 'code', code },
    { id: 'result', type: 'output', fields: { results: '=nodes.checks' } },
  ];
  return JSON.stringify({ rowbench: 1, id: 'checks', onRowError: 'skip', nodes });
}

async function scoresOf(
  { workflow: workflowId }: Extract<Scoring, { workflow: string }>,
  ran: Ran,
  { bench, signal }: Engine,
): Promise<readonly CheckResult[]> {
  const { benchTest } = ran;
  const workflow = await bench.findWorkflow(workflowId, benchTest.workflow);
  const scored = {
    ...benchTest,
    workflow,
    test: { ...benchTest.test, name: `score of ${benchTest.test.name}` },
  };
  const { outputs, error } = await runOver(rowsIn(ran), scored, { bench, signal });
  if (error !== undefined)
    return ran.outputs.map(() => ({ error: `the workflow that scores failed: ${error}` }));
  const results = outputs.map((output): CheckResult => ({ result: fieldValue(output, 'score') ?? null }));
  return atRows(ran.outputs, results).map((each = {}) => each);
}

type RowWithOutput = { readonly row: JsonValue; readonly output: JsonObject };

/** The rows that have an output, in the order of the run. */
const rowsIn = ({ benchTest, outputs }: Ran): readonly RowWithOutput[] =>
  Buffer.from(benchTest.rows)
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => {
      const output = outputs[index];
      return isJsonObject(output) ? [{ row: JSON.parse(line) as JsonValue, output }] : [];
    });

/** Results of the rows that have an output, at the indexes of all rows. */
function atRows<Result>(outputs: readonly JsonValue[], results: readonly Result[]): (Result | undefined)[] {
  let next = 0;
  return outputs.map((output) => (isJsonObject(output) ? results[next++] : undefined));
}

async function runOver(
  rows: readonly JsonObject[],
  benchTest: BenchTest,
  { bench, signal }: Engine,
): Promise<{ readonly outputs: readonly JsonValue[]; readonly error?: string }> {
  const { name, clock, cassette } = benchTest.test;
  const outcome = await bench.run(
    {
      ...benchTest,
      rows: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
      test: {
        name,
        clock,
        ...(cassette === undefined ? {} : { cassette }),
        mocks: {},
        expect: { status: 'completed', contains: false },
      },
    },
    signal,
  );
  return outcome.status === 'completed'
    ? { outputs: outcome.outputs }
    : { outputs: [], error: outcome.error };
}
