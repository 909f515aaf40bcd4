// The control API's verbs, bound to the services. The server and a command line without a server use the same.
import type { Handlers, ServerInfo } from '../contract/index.ts';
import type { RunOrigin } from '../domain/run/run.ts';
import type { Settings } from '../domain/settings.ts';
import { entryCodeLifeMs } from '../http/control-api/entry-codes.ts';
import type { ImportService } from '../services/import-service.ts';
import type { KeyService } from '../services/key-service.ts';
import type { RunService } from '../services/run-service.ts';
import type { SettingsService } from '../services/settings-service.ts';
import type { SecretService } from '../services/secret-service.ts';
import type { TraceService } from '../services/trace-service.ts';
import type { TrustService } from '../services/trust-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { createSettingsHandlers } from './settings-handlers.ts';
import { createSecretHandlers } from './secret-handlers.ts';
import { version } from './version.ts';
import { createRunHandlers } from './run-handlers.ts';
import { createKeptRunHandler } from './kept-run-handler.ts';
import { createTraceHandlers } from './trace-handlers.ts';
import { keyView } from './views.ts';
import { createWorkflowHandlers } from './workflow-handlers.ts';

export type ServerFacts = {
  readonly dataDir: string;
  readonly startedAt: string;
  /** Empty while no server listens. */
  readonly url: () => string;
  readonly settings: () => Settings;
};

type HandlerParts = ServerFacts & {
  readonly keys: KeyService;
  readonly runs: RunService;
  readonly traces: TraceService;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly imports: ImportService;
  readonly secrets: SecretService;
  readonly settingsService: SettingsService;
  readonly folder: DataFolder;
  /** A fresh code that lets one browser in. Throws where no server listens. */
  readonly entryCode: () => string;
  /** Who is behind the calls. */
  readonly origin: RunOrigin;
};

export function createControlHandlers(parts: HandlerParts): Handlers {
  const { keys } = parts;
  return {
    ...createWorkflowHandlers(parts),
    ...createSecretHandlers(parts.secrets),
    ...createSettingsHandlers(parts),
    ...createRunHandlers(parts),
    ...createTraceHandlers(parts.traces, parts.runs),
    ...createKeptRunHandler(parts),
    'server.info': async () => serverInfo(parts),
    'server.link': async () => ({
      url: `${parts.url()}/#code=${parts.entryCode()}`,
      minutes: entryCodeLifeMs / 60_000,
    }),
    'key.list': async () => keys.list().map(keyView),
    'key.create': async (wanted) => {
      const { key, secret } = await keys.create(wanted);
      return { key: keyView(key), secret };
    },
    'key.revoke': async ({ id }) => keyView(await keys.revoke(id)),
  };
}

/** Of the server, as a page sees it. */
export const serverInfo = (parts: ServerFacts): ServerInfo => ({
  version,
  url: parts.url(),
  dataDir: parts.dataDir,
  limits: parts.settings().limits,
  startedAt: parts.startedAt,
});
