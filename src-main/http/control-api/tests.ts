// Procedures on tests of workflows: their files, their test rows, and a run's stored data for a client that makes a
// test of it.
import {
  maxFixtureRows,
  type DraftTestRowsInput,
  type DraftTestRowsView,
  type DraftTestsInput,
  type DraftTestsView,
  type Handlers,
  type RunFixtureInput,
  type RunFixtureView,
  type SavedTestView,
  type TestsRunView,
  type WorkflowTests,
} from '../../contract/index.ts';
import {
  failedRowMissing,
  nothingSelected,
  runGivesNoTest,
  tooManySelected,
} from '../../domain/run-errors.ts';
import { noTestRows } from '../../domain/workflow-errors.ts';
import type { Run } from '../../domain/run/run.ts';
import { scenarioText } from '../../domain/scenarios/parse-scenario.ts';
import { isFileOfRun } from '../../services/profile-service.ts';
import type { RunDataService } from '../../services/run-data-service.ts';
import type { RunService } from '../../services/run-service.ts';
import { readTestRows, showTestRows } from '../../services/test-rows.ts';
import type { TraceService } from '../../services/trace-service.ts';
import type { FileParser } from '../../services/file-parser.ts';
import type { LoadedWorkflow, WorkflowService } from '../../services/workflow-service.ts';
import type { ControlRoute } from './control-route.ts';
import { findWorkflow } from './workflows.ts';
import { streamRows, type StreamDeps } from './stream-rows.ts';

export type TestDeps = {
  readonly runs: RunService;
  readonly runData: RunDataService;
  readonly traces: TraceService;
  readonly workflows: WorkflowService;
  readonly tests: TestRunner;
  readonly draftTests: DraftTests;
  readonly parser: FileParser;
};

/** Runs the tests beside a workflow. `app/tests/workflow-test-runner.ts` implements it. */
type TestRunner = {
  /** The tests files beside the workflow, with their tests; nothing runs. */
  list(loaded: LoadedWorkflow): Promise<WorkflowTests>;
  /** Runs the tests of one file or of all, the one of that name or all. Throws `workflow_untrusted`, `invalid_input`. */
  run(
    loaded: LoadedWorkflow,
    choice: { readonly file?: string; readonly test?: string; readonly profile?: string },
  ): Promise<TestsRunView>;
  /** Writes a test beside the workflow and runs it. Throws `workflow_not_found`, `invalid_input`. */
  save(fixture: RunFixtureView): Promise<SavedTestView>;
};

/** Runs the tests of a workflow that is edited. `app/tests/draft-test-runner.ts` implements it. */
type DraftTests = {
  /** Throws `workflow_untrusted`. */
  run(find: () => Promise<LoadedWorkflow>, request: DraftTestsInput): Promise<DraftTestsView>;
  /** Throws `invalid_input`. */
  rows(loaded: LoadedWorkflow, request: DraftTestRowsInput): Promise<DraftTestRowsView>;
};

/** A person reads the test; the server holds the answer in memory. */
const bounds = { rows: maxFixtureRows, bytes: 8_000_000 };

export function createTestHandlers(deps: TestDeps) {
  const { workflows, tests, draftTests } = deps;
  return {
    'workflow.tests': async ({ workflowId }) => tests.list(await findWorkflow(workflows, workflowId)),
    'workflow.testRows': async ({ workflowId }) =>
      (await showTestRows(await findWorkflow(workflows, workflowId))) ?? null,
    'workflow.runTests': async ({ workflowId, ...choice }) =>
      tests.run(await findWorkflow(workflows, workflowId), choice),
    'author.runTests': async (request) =>
      draftTests.run(() => findWorkflow(workflows, request.workflowId), request),
    'author.testRows': async (request) =>
      draftTests.rows(await findWorkflow(workflows, request.workflowId), request),
    'run.fixture': (request) => fixtureOf(deps, request),
    'run.saveTest': async (request) => deps.tests.save(await fixtureOf(deps, request)),
  } satisfies Partial<Handlers>;
}

async function fixtureOf(
  { runs, runData, traces, workflows, parser }: TestDeps,
  named: RunFixtureInput,
): Promise<RunFixtureView> {
  const runId = await runs.resolve(named.runId);
  const { run } = await runs.get(runId);
  if (run.status !== 'completed' && run.status !== 'failed') throw runGivesNoTest(run.status);
  const numbers = await numbersOf(runData, runId, named.rows);
  const { plan, rows } = await traces.fixtureRows(run, { numbers, bounds });
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
  runData: RunDataService,
  runId: string,
  rows: RunFixtureInput['rows'],
): Promise<readonly number[] | undefined> {
  if (rows === undefined || !('selection' in rows)) return rows;
  const numbers = await runData.selectedNumbers(runId, rows.selection, maxFixtureRows + 1);
  if (numbers.length === 0) throw nothingSelected();
  if (numbers.length > maxFixtureRows) throw tooManySelected(maxFixtureRows);
  return numbers;
}

/** `GET /workflows/<id>/test-rows`: all test rows of a workflow, as lines. */
export const testRowsRoute = ({
  workflows,
  ...deps
}: StreamDeps & Pick<TestDeps, 'workflows'>): ControlRoute => ({
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
