// The control API's answer to "make a test of this run": the run's stored data, for the client that writes the test.
import { maxRowsKept, type Handlers, type KeptRunView } from '../contract/index.ts';
import { failedRowNotKept, runGivesNoTest } from '../domain/errors.ts';
import type { Run } from '../domain/run/run.ts';
import { scenarioText } from '../domain/scenarios/parse-scenario.ts';
import type { RunService } from '../services/run-service.ts';
import type { TraceService } from '../services/trace-service.ts';
import type { LoadedWorkflow, WorkflowService } from '../services/workflow-service.ts';

type KeptRunParts = {
  readonly runs: RunService;
  readonly traces: TraceService;
  readonly workflows: WorkflowService;
};

/** A test is read by people; an answer is held in memory. */
const bounds = { rows: maxRowsKept, bytes: 8_000_000 };

export const createKeptRunHandler = ({
  runs,
  traces,
  workflows,
}: KeptRunParts): Pick<Handlers, 'run.kept'> => ({
  'run.kept': async (named) => {
    const runId = await runs.resolve(named.runId);
    const { run } = await runs.get(runId);
    if (run.status !== 'completed' && run.status !== 'failed') throw runGivesNoTest(run.status);
    const { plan, rows } = await traces.kept(run, { numbers: named.rows, bounds });
    const [failure] = run.status === 'failed' ? await runs.readFailures(runId, 1) : [];
    if (failure !== undefined && !rows.some(({ row }) => row === failure.row))
      throw failedRowNotKept(failure.row);
    const loaded = await workflows.find(run.workflowId);
    return {
      runId,
      workflowId: run.workflowId,
      status: run.status,
      ...(run.status === 'failed' ? { error: run.error } : {}),
      ...(failure === undefined ? {} : { failure: { row: failure.row, message: failure.message } }),
      ...inputsView(run),
      ...fileView(run, loaded),
      reachesOut: plan.reachesOut,
      rows,
    };
  },
});

const inputsView = ({ mocks = {}, mode = 'live', scenario }: Run): InputsView => ({
  mocks,
  mode,
  ...(scenario === undefined ? {} : { scenario: scenarioText(scenario) }),
});
type InputsView = Pick<KeptRunView, 'mocks' | 'mode' | 'scenario'>;

const fileView = (
  run: Run,
  loaded: LoadedWorkflow | undefined,
): Pick<KeptRunView, 'file' | 'isFileAsRun'> => ({
  ...(loaded === undefined ? {} : { file: loaded.file }),
  isFileAsRun: loaded?.hash === run.workflowHash,
});
