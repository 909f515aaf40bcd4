// The control API's verbs, bound to the services. The server and a command line without a server use the same.
import type { Log } from '../base/log.ts';
import type { Handlers, ServerInfo } from '../contract/index.ts';
import type { RunOrigin } from '../domain/run/run.ts';
import type { Settings } from '../domain/settings.ts';
import { entryCodeLifeMs } from '../http/control-api/entry-codes.ts';
import type { FileParser } from '../services/file-parser.ts';
import type { ImportService } from '../services/import-service.ts';
import type { KeyService } from '../services/key-service.ts';
import type { LimitService } from '../services/limit-service.ts';
import type { RowSetService } from '../services/row-set-service.ts';
import type { RunDataService } from '../services/run-data-service.ts';
import type { RunService } from '../services/run-service.ts';
import type { SettingsService } from '../services/settings-service.ts';
import type { SecretService } from '../services/secret-service.ts';
import type { SourceService } from '../services/source-service.ts';
import type { TraceService } from '../services/trace-service.ts';
import type { TrustService } from '../services/trust-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import { createApiLogHandlers, type ApiLogParts } from './api-log-handlers.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { createSettingsHandlers } from './settings-handlers.ts';
import { createSecretHandlers } from './secret-handlers.ts';
import type { WorkflowTestRunner } from './tests/workflow-test-runner.ts';
import { version } from './version.ts';
import { createRowHandlers } from './row-handlers.ts';
import { createRunHandlers } from './run-handlers.ts';
import { createKeptRunHandler } from './kept-run-handler.ts';
import { createRowDataHandlers } from './row-data-handlers.ts';
import { createTraceHandlers } from './trace-handlers.ts';
import { createKeyHandlers } from './key-handlers.ts';
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
  readonly limits: LimitService;
  readonly runs: RunService;
  readonly traces: TraceService;
  readonly runData: RunDataService;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly imports: ImportService;
  readonly sources: SourceService;
  readonly tests: WorkflowTestRunner;
  readonly parser: FileParser;
  readonly secrets: SecretService;
  readonly rowSets: RowSetService;
  readonly settingsService: SettingsService;
  readonly folder: DataFolder;
  readonly log: Log;
  /** A fresh code that lets one browser in. Throws where no server listens. */
  readonly entryCode: () => string;
  /** Who is behind the calls. */
  readonly origin: RunOrigin;
};

export function createControlHandlers(parts: HandlerParts & ApiLogParts): Handlers {
  return {
    ...createWorkflowHandlers(parts),
    ...createKeyHandlers(parts),
    ...createSecretHandlers(parts.secrets),
    ...createSettingsHandlers(parts),
    ...createRunHandlers(parts),
    ...createTraceHandlers(parts.traces, parts.runs),
    ...createRowDataHandlers(parts.runData, parts.runs),
    ...createKeptRunHandler(parts),
    ...createRowHandlers(parts),
    ...createApiLogHandlers(parts),
    'server.info': async () => serverInfo(parts),
    'server.link': async () => ({
      url: `${parts.url()}/#code=${parts.entryCode()}`,
      minutes: entryCodeLifeMs / 60_000,
    }),
  };
}

/** Information about the server, as pages see it. */
export const serverInfo = (parts: ServerFacts): ServerInfo => ({
  version,
  url: parts.url(),
  dataDir: parts.dataDir,
  limits: parts.settings().limits,
  startedAt: parts.startedAt,
});
