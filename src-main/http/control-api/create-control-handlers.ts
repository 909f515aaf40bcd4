// All procedures of the control API, bound to the services: one file per resource. The server and a command line
// without a server use the same handlers. A procedure without a handler does not compile.
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Handlers } from '../../contract/index.ts';
import type { BrowserService } from '../../services/browser-service.ts';
import type { ComparisonService } from '../../services/comparison-service.ts';
import type { FileParser } from '../../services/file-parser.ts';
import type { ExportService } from '../../services/export-service.ts';
import type { RunDataService } from '../../services/run-data-service.ts';
import type { SecretService } from '../../services/secret-service.ts';
import type { SheetService } from '../../services/sheet-service.ts';
import type { ControlRoute } from './control-route.ts';
import { createApiLogHandlers, type ApiLogDeps } from './api-log.ts';
import { createAuthorHandlers, type AuthorDeps } from './author.ts';
import { createGraphEditHandlers } from './graph-edits.ts';
import { createBrowserHandlers } from './browsers.ts';
import { createKeyHandlers, type KeyDeps } from './keys.ts';
import { createExportHandlers, exportRoute } from './export-route.ts';
import { createLanguageHandlers, type LanguageDeps } from './language.ts';
import { createPreviewHandlers, type PreviewDeps } from './previews.ts';
import { createRowSetHandlers, rowSetRoutes, type RowEntryDeps, type RowSetDeps } from './row-sets.ts';
import {
  createComparisonHandlers,
  createRunDataHandlers,
  runFailuresRoute,
  runRowsRoute,
  selectedRowsRoute,
} from './run-data.ts';
import { createRunHandlers, type RunDeps } from './runs.ts';
import { createSampleHandlers, type SampleDeps } from './samples.ts';
import { createSecretHandlers } from './secrets.ts';
import { createServerHandlers, type ServerDeps } from './server-info.ts';
import { createSettingsHandlers, type SettingsDeps } from './settings.ts';
import { sheetRoute } from './sheet-route.ts';
import { startRunRoute } from './start-run.ts';
import { createTestHandlers, testRowsRoute, type TestDeps } from './tests.ts';
import { createTokenHandlers, type TokenDeps } from './tokens.ts';
import { createTraceHandlers } from './traces.ts';
import { createWorkflowHandlers, type WorkflowDeps } from './workflows.ts';

export type ControlDeps = ApiLogDeps &
  AuthorDeps &
  KeyDeps &
  LanguageDeps &
  PreviewDeps &
  RowEntryDeps &
  RunDeps &
  SampleDeps &
  ServerDeps &
  SettingsDeps &
  TestDeps &
  WorkflowDeps & {
    readonly browsers: BrowserService;
    /** Absent: the server has one user, who needs no access token. */
    readonly team?: TokenDeps | undefined;
    readonly runData: RunDataService;
    readonly comparisons: ComparisonService;
    readonly runExports: ExportService;
    readonly secrets: SecretService;
  };

export const createControlHandlers = (deps: ControlDeps): Handlers => ({
  ...createServerHandlers(deps),
  ...createKeyHandlers(deps),
  ...createBrowserHandlers(deps.browsers),
  ...createTokenHandlers(deps.team, deps.browsers),
  ...createWorkflowHandlers(deps),
  ...createAuthorHandlers(deps),
  ...createGraphEditHandlers(deps),
  ...createTestHandlers(deps),
  ...createSecretHandlers(deps),
  ...createSettingsHandlers(deps),
  ...createRowSetHandlers(deps),
  ...createRunHandlers(deps),
  ...createRunDataHandlers(deps.runData, deps.runs),
  ...createComparisonHandlers(deps.comparisons),
  ...createExportHandlers(deps.runExports),
  ...createSampleHandlers(deps),
  ...createTraceHandlers(deps.traces, deps.runs, () => deps.settings().modelPrices),
  ...createApiLogHandlers(deps),
  ...createPreviewHandlers(deps),
  ...createLanguageHandlers(deps),
});

type RouteDeps = RowSetDeps &
  Pick<RunDeps & SampleDeps, 'runs' | 'runData' | 'samples'> & {
    readonly clock: Clock;
    readonly log: Log;
    readonly parser: FileParser;
    readonly runExports: ExportService;
    readonly sheets: SheetService;
  };

/** Routes for rows and outputs, which are too many for one call. */
export const createControlRoutes = (deps: RouteDeps): readonly ControlRoute[] => [
  startRunRoute(deps),
  exportRoute(deps),
  sheetRoute(deps),
  runRowsRoute(deps),
  selectedRowsRoute(deps),
  runFailuresRoute(deps),
  testRowsRoute(deps),
  ...rowSetRoutes(deps),
];
