// The services' records as pages and the command line see them: without hashes and rows.
import type { KeyView, RunView } from '../contract/index.ts';
import type { ApiKey } from '../domain/keys/api-key.ts';
import { scenarioText } from '../domain/scenarios/parse-scenario.ts';
import type { RunRecord } from '../services/run-record.ts';

export function runView({ run, counts, waiting }: RunRecord): RunView {
  return {
    runId: run.runId,
    workflowId: run.workflowId,
    status: run.status,
    origin: run.origin.kind === 'key' ? run.origin.keyName : run.origin.kind,
    rows: run.rows,
    rowsDone: counts.rowsDone,
    rowsFailed: counts.rowsFailed,
    acceptedAt: run.acceptedAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    ...(run.pausedAt === undefined ? {} : { pausedAt: run.pausedAt }),
    ...(run.pausedMs === undefined ? {} : { pausedMs: run.pausedMs }),
    ...(waiting === undefined || run.finishedAt !== null ? {} : { waiting }),
    ...(run.status === 'failed' ? { error: run.error } : {}),
    ...(run.rerunOf === undefined ? {} : { rerunOf: run.rerunOf }),
    ...(run.scenario === undefined ? {} : { scenario: scenarioText(run.scenario) }),
    ...(run.from === undefined ? {} : { from: run.from }),
  };
}

/** Everything but the hash. */
export const keyView = (key: ApiKey): KeyView => ({
  id: key.id,
  name: key.name,
  last4: key.last4,
  workflows: key.workflows,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  calls: key.calls,
  revokedAt: key.revokedAt,
});
