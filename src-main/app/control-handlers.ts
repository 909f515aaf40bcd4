// The control API's verbs, bound to the services. The server and a command line without a server use the same.
import type { Handlers, KeyView, RunView } from '../contract/index.ts';
import type { ApiKey } from '../domain/keys/api-key.ts';
import type { RunOrigin } from '../domain/run/run.ts';
import type { Settings } from '../domain/settings.ts';
import type { ImportService } from '../services/import-service.ts';
import type { KeyService } from '../services/key-service.ts';
import type { RunRecord } from '../services/run-catalog.ts';
import type { RunService } from '../services/run-service.ts';
import type { TrustService } from '../services/trust-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import { version } from './version.ts';
import { createWorkflowHandlers } from './workflow-handlers.ts';

type HandlerParts = {
  readonly keys: KeyService;
  readonly runs: RunService;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly imports: ImportService;
  readonly dataDir: string;
  readonly startedAt: string;
  /** Empty while no server listens. */
  readonly url: () => string;
  readonly settings: () => Settings;
  /** Who is behind the calls. */
  readonly origin: RunOrigin;
};

/** As many failed rows as a person reads; the rest is in the export. */
const failuresShown = 100;

export function createControlHandlers(parts: HandlerParts): Handlers {
  const { keys, runs } = parts;
  return {
    ...createWorkflowHandlers(parts),
    'server.info': async () => ({
      version,
      url: parts.url(),
      dataDir: parts.dataDir,
      limits: parts.settings().limits,
      startedAt: parts.startedAt,
    }),
    'key.list': async () => keys.list().map(keyView),
    'key.create': async (wanted) => {
      const { key, secret } = await keys.create(wanted);
      return { key: keyView(key), secret };
    },
    'key.revoke': async ({ id }) => keyView(await keys.revoke(id)),
    'run.list': async (query) => (await runs.list(query)).map(runView),
    'run.show': async ({ runId }) => ({
      ...runView(await runs.get(runId)),
      failures: await runs.readFailures(runId, failuresShown),
    }),
    'run.pause': async ({ runId }) => runView(await runs.pause(runId)),
    'run.resume': async ({ runId }) => runView(await runs.resume(runId)),
    'run.cancel': async ({ runId }) => runView(await runs.cancel(runId)),
    'run.rerun': async ({ runId, rows }) => runView(await runs.rerun(runId, rows, parts.origin)),
  };
}

function runView({ run, counts }: RunRecord): RunView {
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
    ...(run.status === 'failed' ? { error: run.error } : {}),
    ...(run.rerunOf === undefined ? {} : { rerunOf: run.rerunOf }),
  };
}

/** Everything but the hash. */
const keyView = (key: ApiKey): KeyView => ({
  id: key.id,
  name: key.name,
  last4: key.last4,
  workflows: key.workflows,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  calls: key.calls,
  revokedAt: key.revokedAt,
});
