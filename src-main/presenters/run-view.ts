import type { RunView } from '../contract/index.ts';
import type { Run, RunOrigin } from '../domain/run/run.ts';
import { scenarioText } from '../domain/scenarios/parse-scenario.ts';
import type { RunRecord } from '../services/ports.ts';

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
    ...(run.readAs === undefined ? {} : { source: run.readAs.file }),
    ...(run.labels === undefined ? {} : { labels: run.labels }),
    ...(run.hosted === undefined ? {} : { hosted: run.hosted }),
    ...(run.differingRequests === undefined ? {} : { differingRequests: run.differingRequests }),
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
): Pick<
  RunView,
  | 'rerunOf'
  | 'rerunKind'
  | 'chainId'
  | 'part'
  | 'sample'
  | 'isRest'
  | 'mode'
  | 'mocks'
  | 'scenario'
  | 'from'
  | 'profile'
> {
  return {
    ...(run.rerunOf === undefined ? {} : { rerunOf: run.rerunOf }),
    ...(run.rerunKind === undefined ? {} : { rerunKind: run.rerunKind }),
    ...(run.chainId === undefined ? {} : { chainId: run.chainId }),
    ...(run.part === undefined ? {} : { part: run.part }),
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
