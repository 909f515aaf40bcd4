// Procedures on runs as a whole. A run is named by its id, or by a prefix or suffix unique to that id.
import {
  maxRunsAtOnce,
  type ControlCaller,
  type Handlers,
  type RerunInput,
  type RowSelection,
  type RunDetail,
  type RunView,
} from '../../contract/index.ts';
import { editedRowsFromNode } from '../../domain/run-errors.ts';
import { isUnreadable } from '../../domain/store-errors.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { Run, RunOrigin } from '../../domain/run/run.ts';
import { readScenario, scenarioText } from '../../domain/scenarios/parse-scenario.ts';
import { moveRuns } from '../../services/move-runs.ts';
import type { RerunWhat } from '../../services/reruns.ts';
import type { RunDataService } from '../../services/run-data-service.ts';
import type { RunRecord } from '../../services/run-record.ts';
import type { RunService } from '../../services/run-service.ts';

export type RunDeps = {
  readonly runs: RunService;
  readonly runData: RunDataService;
  /** The origin of a run whose caller names none. */
  readonly origin: { readonly kind: ClientKind };
};

/** Program that asks for a run without an API key. */
type ClientKind = Exclude<RunOrigin['kind'], 'key'>;

/** The origin of a run. @param caller user of a team server */
export const runOriginOf = (kind: ClientKind, caller: ControlCaller | undefined): RunOrigin => ({
  kind,
  ...(caller === undefined ? {} : { user: caller.name }),
});

/** Failed rows in an answer: as many as a person reads; the rest is in the export. */
const maxFailures = 100;
/** Links to reruns in an answer: as many as a page shows. */
const maxReruns = 100;

export function createRunHandlers({ runs, runData, origin }: RunDeps) {
  return {
    'run.list': async (query) => (await runs.list(query)).map(runView),
    'run.removed': async () => runs.retention.removed ?? null,
    'run.show': async (named) => {
      const runId = await runs.resolve(named.runId);
      const { reruns, isOriginalGone, originalRunId } = await runs.links(runId, maxReruns);
      const record = await runs.get(runId);
      const { vars } = record.run;
      return {
        ...runView(record),
        ...(vars === undefined ? {} : { vars }),
        ...(await failuresOf(runs, runId)),
        reruns,
        ...(isOriginalGone ? { isOriginalGone } : {}),
        ...(originalRunId === runId ? {} : { originalRunId }),
      };
    },
    'run.label': async ({ runId, changes }) => runView(await runs.label(await runs.resolve(runId), changes)),
    'run.pause': async ({ runId }) => runView(await runs.pause(await runs.resolve(runId))),
    'run.resume': async ({ runId }) => runView(await runs.resume(await runs.resolve(runId))),
    'run.cancel': async ({ runId }) => runView(await runs.cancel(await runs.resolve(runId))),
    'run.rerun': async ({ runId: named, rows, from, mode, scenario, by }, caller) => {
      const runId = await runs.resolve(named);
      const what = rerunWhat(rows, { from, chosen: (selection) => runData.selectedRows(runId, selection) });
      const changes = {
        ...(mode === undefined ? {} : { mode }),
        ...(scenario === undefined ? {} : { scenario: readScenario(scenario) }),
      };
      const order = { what, origin: runOriginOf(by ?? origin.kind, caller) };
      return runView(await runs.rerunWith(runId, changes, order));
    },
    'run.bulk': async ({ verb, filter, limit = maxRunsAtOnce, rows = 'all', by }, caller) => {
      const { runIds } = filter;
      const named =
        runIds === undefined ? {} : { runIds: await Promise.all(runIds.map((id) => runs.resolve(id))) };
      return moveRuns(runs, {
        verb,
        filter: { ...filter, ...named },
        limit,
        rows,
        origin: runOriginOf(by ?? origin.kind, caller),
      });
    },
  } satisfies Partial<Handlers>;
}

/** Throws `invalid_input` for edited rows that begin at a node. */
function rerunWhat(
  rows: RerunInput['rows'],
  {
    from,
    chosen,
  }: {
    readonly from: string | undefined;
    readonly chosen: (selection: RowSelection) => AsyncIterable<RowLines>;
  },
): RerunWhat {
  if (typeof rows === 'object' && 'lines' in rows) {
    if (from !== undefined) throw editedRowsFromNode();
    return rows;
  }
  const own = typeof rows === 'object' ? { chosen: chosen(rows.selection) } : rows;
  return from === undefined ? own : { rows: own, from };
}

/** A run as pages and the command line see it: without hashes and rows. */
export function runView({ run, counts, progress }: RunRecord): RunView {
  return {
    runId: run.runId,
    workflowId: run.workflowId,
    status: run.status,
    origin: originText(run.origin),
    rows: run.rows,
    rowsDone: counts.rowsDone,
    rowsFailed: counts.rowsFailed,
    acceptedAt: run.acceptedAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    ...(run.spentBudget === undefined || run.finishedAt !== null ? {} : { spentBudget: run.spentBudget }),
    ...(run.pausedAt === undefined ? {} : { pausedAt: run.pausedAt }),
    ...(run.pausedMs === undefined ? {} : { pausedMs: run.pausedMs }),
    ...(progress === undefined || run.finishedAt !== null ? {} : progressView(progress)),
    ...(run.status === 'failed' ? { error: run.error } : {}),
    ...(run.labels === undefined ? {} : { labels: run.labels }),
    ...optionsView(run),
  };
}

function originText(origin: RunOrigin): string {
  if (origin.kind === 'key') return origin.keyName;
  return origin.user === undefined ? origin.kind : `${origin.kind} (${origin.user})`;
}

/** How the run was started. */
function optionsView(
  run: Run,
): Pick<RunView, 'rerunOf' | 'sample' | 'isRest' | 'mode' | 'mocks' | 'scenario' | 'from' | 'profile'> {
  return {
    ...(run.rerunOf === undefined ? {} : { rerunOf: run.rerunOf }),
    ...(run.sample === undefined ? {} : { sample: { rows: run.sample.rows, choice: run.sample.choice } }),
    ...(run.isRest === undefined ? {} : { isRest: run.isRest }),
    ...(run.mode === undefined ? {} : { mode: run.mode }),
    ...(run.mocks === undefined ? {} : { mocks: run.mocks }),
    ...(run.scenario === undefined ? {} : { scenario: scenarioText(run.scenario) }),
    ...(run.from === undefined ? {} : { from: run.from }),
    ...(run.profile === undefined ? {} : { profile: run.profile.name }),
  };
}

function progressView({
  waiting,
  unsaved,
  running,
}: NonNullable<RunRecord['progress']>): Pick<RunView, 'waiting' | 'unsaved' | 'running'> {
  return {
    ...(waiting === undefined ? {} : { waiting }),
    ...(unsaved.rowsDone + unsaved.rowsFailed === 0 ? {} : { unsaved }),
    ...(running.length === 0 ? {} : { running }),
  };
}

/** The run's first failures. Damaged traces are no error: the rest of the run is still shown. */
async function failuresOf(
  runs: RunService,
  runId: string,
): Promise<Pick<RunDetail, 'failures' | 'failuresProblem'>> {
  try {
    return { failures: await runs.readFailures(runId, maxFailures) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { failures: [], failuresProblem: error.message };
  }
}
