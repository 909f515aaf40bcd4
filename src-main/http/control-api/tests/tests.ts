// Procedures on tests of workflows: their files, their test rows, and a run's stored data for a client that makes a
// test of it.
import type { JsonObject } from '../../../base/json-value.ts';
import {
  accessRules,
  hasRole,
  maxFixtureRows,
  type Handlers,
  type CheckedInput,
  type RunFixtureView,
} from '../../../contract/index.ts';
import {
  failedRowMissing,
  nothingSelected,
  runGivesNoTest,
  tooManySelected,
} from '../../../domain/run-errors.ts';
import { nameOfTest } from '../../../domain/tests/name-test.ts';
import { noTestRows } from '../../../domain/workflow-errors.ts';
import type { Run } from '../../../domain/run/run.ts';
import { scenarioText } from '../../../domain/scenarios/parse-scenario.ts';
import { isFileOfRun } from '../../../services/workflows/profile-service.ts';
import type { ResultsRoom } from '../../../services/results/open.ts';
import type { Services } from '../../../services/services.ts';
import type { WorkflowsRoom } from '../../../services/workflows/open.ts';
import { readTestRows, countTestRows } from '../../../services/authoring/test-rows.ts';
import type { ControlRoute } from '../control-route.ts';
import { findWorkflow } from '../workflows/workflows.ts';
import { streamRows, type StreamDeps } from '../stream-rows.ts';

/** A person reads the test; the server holds the answer in memory. */
const bounds = { rows: maxFixtureRows, bytes: 8_000_000 };

export function createTestHandlers(rooms: Services) {
  const { workflows } = rooms.workflows;
  const { tests, draftTestFiles } = rooms.tests;
  return {
    'workflow.tests': async ({ workflowId }) => tests.list(await findWorkflow(workflows, workflowId)),
    'workflow.testRows': async ({ workflowId }) =>
      (await countTestRows(await findWorkflow(workflows, workflowId))) ?? null,
    'workflow.runTests': async ({ workflowId, ...choice }) =>
      tests.run(await findWorkflow(workflows, workflowId), choice),
    'run.fixture': async (request, caller) => {
      const fixture = await fixtureOf(rooms, request);
      // It reads all tests, for those who may save another one.
      if (caller !== undefined && !hasRole(caller.role, accessRules['run.saveTest'].role)) return fixture;
      const loaded = await workflows.find(fixture.workflowId);
      if (loaded === undefined) return fixture;
      const named = {
        files: [],
        name: nameOfTest(fixture),
        rows: fixture.rows.map(({ input }) => JSON.parse(input) as JsonObject),
      };
      // The data of the run is there whatever happens to files beside the workflow.
      const newTest = await draftTestFiles.describeNew(loaded, named).catch(() => undefined);
      return newTest === undefined ? fixture : { ...fixture, newTest };
    },
    'run.saveTest': async ({ name, fields, ...request }) =>
      tests.save(await fixtureOf(rooms, request), { name, fields }),
  } satisfies Partial<Handlers>;
}

async function fixtureOf(
  { runs: { runs }, results, workflows: { workflows, parser } }: Services,
  named: CheckedInput<'run.fixture'>,
): Promise<RunFixtureView> {
  const runId = await runs.resolve(named.runId);
  const { run } = await runs.get(runId);
  if (run.status !== 'completed' && run.status !== 'failed') throw runGivesNoTest(run.status);
  const numbers = await numbersOf(results, runId, named.rows);
  const { plan, rows } = await results.traces.fixtureRows(run, { numbers, bounds });
  const [failure] = run.status === 'failed' ? await runs.readFailures(runId, 1) : [];
  if (failure !== undefined && !rows.some(({ row }) => row === failure.row))
    throw failedRowMissing(failure.row);
  const loaded = await workflows.find(run.workflowId);
  return {
    runId,
    workflowId: run.workflowId,
    status: run.status,
    ...(run.status === 'failed' ? { error: run.error } : {}),
    ...(failure === undefined ? {} : { failure: { row: failure.row, message: failure.message } }),
    ...inputsView(run),
    ...(loaded === undefined ? {} : { file: loaded.file }),
    isFileAsRun: await isFileOfRun(loaded, run, parser),
    reachesOut: plan.reachesOut,
    rows,
  };
}

/** Throws `invalid_input` for a selection of no rows, or of more than a test takes. */
async function numbersOf(
  { runData }: ResultsRoom,
  runId: string,
  rows: CheckedInput<'run.fixture'>['rows'],
): Promise<readonly number[] | undefined> {
  if (rows === undefined || !('selection' in rows)) return rows;
  const numbers = await runData.selectedNumbers(runId, rows.selection, maxFixtureRows + 1);
  if (numbers.length === 0) throw nothingSelected();
  if (numbers.length > maxFixtureRows) throw tooManySelected(maxFixtureRows);
  return numbers;
}

/** `GET /workflows/<id>/test-rows`: all test rows of a workflow, as lines. */
export const testRowsRoute = ({ workflows }: WorkflowsRoom, deps: StreamDeps): ControlRoute => ({
  method: 'GET',
  name: 'workflow.readTestRows',
  path: /^\/workflows\/([^/]+)\/test-rows$/,
  answer: async (context, [workflowId = '']) => {
    const loaded = await findWorkflow(workflows, workflowId);
    if (loaded.workflow === undefined) throw noTestRows(workflowId);
    await streamRows(context, readTestRows(loaded), deps);
  },
});

const inputsView = ({ mocks = {}, mode = 'live', scenario }: Run): InputsView => ({
  mocks,
  mode,
  ...(scenario === undefined ? {} : { scenario: scenarioText(scenario) }),
});
type InputsView = Pick<RunFixtureView, 'mocks' | 'mode' | 'scenario'>;
