// All procedures of the control API, bound to the services: one file per resource. The server and a command line
// without a server use the same handlers. A procedure without a handler does not compile.
import type { Handlers } from '../../contract/index.ts';
import type { Services } from '../../services/services.ts';
import { createBrowserHandlers } from './access/browsers.ts';
import { createKeyHandlers } from './access/keys.ts';
import { createSecretHandlers } from './access/secrets.ts';
import { createSettingsHandlers } from './access/settings.ts';
import { createTokenHandlers } from './access/tokens.ts';
import { createApiLogHandlers } from './api/api-log.ts';
import { createServerHandlers } from './api/server-info.ts';
import { createAuthorHandlers } from './authoring/author.ts';
import { createPreviewHandlers } from './authoring/previews.ts';
import { createQuestionHandlers } from './authoring/questions.ts';
import { createRecordHandlers } from './authoring/record-test.ts';
import type { ControlHost } from './control-host.ts';
import type { ControlRoute } from './control-route.ts';
import { createExportHandlers, exportRoute } from './results/export-route.ts';
import {
  createComparisonHandlers,
  createRunDataHandlers,
  runFailuresRoute,
  runRowsRoute,
  selectedRowsRoute,
} from './results/run-data.ts';
import { createSampleHandlers } from './results/samples.ts';
import { createTraceHandlers } from './results/traces.ts';
import { createRowSetHandlers, rowSetRoutes } from './rowsets/row-sets.ts';
import { sheetRoute } from './rowsets/sheet-route.ts';
import { createChainHandlers } from './runs/chains.ts';
import { createHostedHandlers } from './runs/hosted.ts';
import { createRunHandlers } from './runs/runs.ts';
import { startRunRoute } from './runs/start-run.ts';
import type { StreamDeps } from './stream-rows.ts';
import { createTestHandlers, testRowsRoute } from './tests/tests.ts';
import { createWorkflowHandlers } from './workflows/workflows.ts';

export const createControlHandlers = (rooms: Services, host: ControlHost): Handlers => ({
  ...createServerHandlers(rooms.access, host),
  ...createKeyHandlers(rooms, host),
  ...createBrowserHandlers(rooms.access),
  ...createTokenHandlers(rooms.access),
  ...createWorkflowHandlers(rooms),
  ...createAuthorHandlers(rooms),
  ...createTestHandlers(rooms),
  ...createSecretHandlers(rooms),
  ...createSettingsHandlers(rooms),
  ...createRowSetHandlers(rooms),
  ...createRunHandlers(rooms, host),
  ...createChainHandlers(rooms),
  ...createHostedHandlers(rooms, host),
  ...createRunDataHandlers(rooms),
  ...createComparisonHandlers(rooms.results),
  ...createExportHandlers(rooms.results),
  ...createSampleHandlers(rooms, host),
  ...createTraceHandlers(rooms),
  ...createApiLogHandlers(rooms, host),
  ...createPreviewHandlers(rooms.authoring),
  ...createQuestionHandlers(rooms),
  ...createRecordHandlers(rooms),
});

/** Routes for rows and outputs, which are too many for one call. */
export const createControlRoutes = (rooms: Services, deps: StreamDeps): readonly ControlRoute[] => [
  startRunRoute(rooms, deps),
  exportRoute(rooms, deps),
  sheetRoute(rooms.rowsets, deps),
  runRowsRoute(rooms.runs, deps),
  selectedRowsRoute(rooms, deps),
  runFailuresRoute(rooms, deps),
  testRowsRoute(rooms.workflows, deps),
  ...rowSetRoutes(rooms, deps),
];
