// Opens a data folder and wires stores, executor and services over it. Who calls: the server, a command line without
// a server, and a single run from a file.
import type { Settings } from '../domain/settings.ts';
import { ApiFaults } from '../services/api-faults.ts';
import { BrowserService } from '../services/browser-service.ts';
import { CallLog } from '../services/call-log.ts';
import { ImportService } from '../services/import-service.ts';
import type { EditorClaims } from '../services/editor-claims.ts';
import type { DraftService } from '../services/draft-service.ts';
import { KeyService } from '../services/key-service.ts';
import type { FileParser } from '../services/file-parser.ts';
import { LanguageService } from '../services/language-service.ts';
import { LimitService } from '../services/limit-service.ts';
import type { NewWorkflowService } from '../services/new-workflow-service.ts';
import { PlanCache } from '../services/plan-cache.ts';
import type { PreviewService } from '../services/preview-service.ts';
import { ReplayTokens } from '../services/replay-tokens.ts';
import { RowSetService } from '../services/row-set-service.ts';
import { RunService, type RunServiceDeps } from '../services/run-service.ts';
import type { SaveService } from '../services/save-service.ts';
import { SecretService } from '../services/secret-service.ts';
import type { SourceService } from '../services/source-service.ts';
import type { SheetService } from '../services/sheet-service.ts';
import { SettingsService } from '../services/settings-service.ts';
import { TraceService } from '../services/trace-service.ts';
import { TrustService } from '../services/trust-service.ts';
import { WorkflowService } from '../services/workflow-service.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { ownWorkflowFolder } from '../storage/data-location.ts';
import { openStoredSecrets } from '../storage/open-documents.ts';
import { WorkflowFiles } from '../storage/workflow-files.ts';
import { openAuthor } from './open-author.ts';
import type { Backend, UnfinishedRunsDeps } from './backend.ts';
import { openLocalBackend } from './open-backend.ts';
import { openCalls } from './open-calls.ts';
import { openPreviews } from './open-previews.ts';
import { openProcesses } from './open-processes.ts';
import { openRowQueries, type RowQueryServices } from './open-row-queries.ts';
import type { ServiceOptions } from './service-options.ts';
import { openServerSources, openSources } from './open-sources.ts';
import { stopInOrder, type StopStep } from './stop-in-order.ts';
import type { WorkerPool } from '../executor/pool/worker-pool.ts';
import { DraftTestRunner } from './tests/draft-test-runner.ts';
import { WorkflowTestRunner } from './tests/workflow-test-runner.ts';
import type { NetworkDeps } from './upstreams.ts';

export type Services = RowQueryServices & {
  readonly folder: DataFolder;
  /** Absent: changes are forgotten when the process ends. */
  readonly audit: Backend['audit'];
  readonly readyChecks: NonNullable<Backend['readyChecks']>;
  readonly publish: Backend['publish'];
  readonly onListening: Backend['onListening'];
  readonly openCassette: Backend['openCassette'];
  readonly settings: () => Settings;
  readonly settingsService: SettingsService;
  readonly keys: KeyService;
  readonly browsers: BrowserService;
  readonly limits: LimitService;
  readonly apiFaults: ApiFaults;
  readonly callLog: CallLog;
  readonly replayTokens: ReplayTokens;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly secrets: SecretService;
  readonly imports: ImportService;
  readonly rowSets: RowSetService;
  readonly previews: PreviewService;
  /** Finds the tables and called workflows that workflows need. */
  readonly sources: SourceService;
  readonly tests: WorkflowTestRunner;
  /** Runs tests with the texts of an editor. */
  readonly draftTests: DraftTestRunner;
  readonly sheets: SheetService;
  readonly parser: FileParser;
  /** Parses texts that change while they are typed. */
  readonly draftParser: FileParser;
  readonly drafts: DraftService;
  readonly claims: EditorClaims;
  readonly saves: SaveService;
  readonly newWorkflows: NewWorkflowService;
  /** Helps to write workflow files. */
  readonly language: LanguageService;
  readonly runs: RunService;
  readonly traces: TraceService;
  /** Keeps a row worker ready from now on, so that a workflow's first run finds one. */
  keepWarm(): void;
  /** Networks that each workflow's calls may reach in this process. */
  readonly networkOf: NetworkDeps['networkOf'];
  /** Ports that this process listens on: no workflow ever calls them. */
  readonly ownPorts: Set<number>;
  /** The steps of `close`, for a caller that has more to stop. */
  readonly stopSteps: readonly StopStep[];
  /** Stops executions and writes what is pending; unfinished runs go on at the next start. Never rejects. */
  close(): Promise<void>;
};

/** Throws `data_folder_locked` when another process has the folder, `data_unreadable` when it is damaged. */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const backend = await (options.openBackend ?? openLocalBackend)(options);
  try {
    return await wireServices(options, backend);
  } catch (error) {
    await backend.stores.close();
    await backend.folder.close();
    throw error;
  }
}

async function wireServices(options: ServiceOptions, backend: Backend): Promise<Services> {
  const { clock, log, readOnly, workerScript } = options;
  const { folder, stores, windows } = backend;
  const { runs: store, snapshots } = stores;
  const { settings, settingsService } = openSettings(options, folder);
  const { processes, keepWarm, pool, sheets, ...drafts } = openProcesses(options, settings());
  const { parser, draftParser } = drafts;
  const files = workflowFiles(options, backend);
  const workflows = new WorkflowService({ files, log, parser });
  const trust = new TrustService({ document: options.decisions ?? folder.workflows, clock, log });
  const sources = options.relativeCalls === true ? openSources(parser) : openServerSources(workflows, parser);
  const imports = new ImportService({ store: folder.imports, workflows, trust, parser });
  const secrets = await openSecrets(options, folder);
  const called = openCalls(options, { backend, secrets, trust, workflows, settings });
  const { broker, upstreamOf, previewCalls, upstreamsWithin, ...reach } = called;
  const plans = new PlanCache(snapshots);
  const shared = { store, snapshots, plans, workflows, trust, pool, upstreamOf, clock, log };
  const calls = { ...reach, upstreamOf, upstreamsWithin };
  const runs = openRuns(options, backend, { ...shared, ...calls, sources, settings, parser });
  const traces = new TraceService({ ...shared, runs });
  const access = openAccess(options, folder);
  settingsService.events.listen(() => runs.applySettings());
  backend.onPublished?.(() => void workflows.refresh());
  const tested = openTests(options, { folder, ...drafts });
  const rowSets = new RowSetService({ store: stores.rowSets, clock });
  const previews = openPreviews({ ...shared, ...previewCalls, ...drafts, sources, runs, rowSets, settings });
  const parts = { ...tested, runs, traces, previews, processes, broker, ...access };
  const stopSteps = stopStepsOf({ ...parts, stores, folder });
  return {
    ...pickedFrom(backend),
    settings,
    settingsService,
    ...access,
    limits: new LimitService({ windows, mode: () => settings().limits }),
    ...openApiTools({ clock, log }),
    workflows,
    trust,
    secrets,
    imports,
    rowSets,
    previews,
    sources,
    ...tested,
    parser,
    draftParser,
    ...openAuthor({ ...shared, folder, parser, workflowFiles: files, readOnly, workerScript }),
    language: new LanguageService({ workflows, sources, secrets, previews, parser: draftParser }),
    runs,
    traces,
    ...openRowQueries({ runs, workflows, rowSets, plans, parser }, stores),
    keepWarm,
    sheets,
    ...reach,
    stopSteps,
    close: () => stopInOrder(stopSteps, { clock, log }),
  };
}

/** Parts of the backend that servers use as they are. */
const pickedFrom = ({ readyChecks = [], ...backend }: Backend) => ({
  readyChecks,
  folder: backend.folder,
  audit: backend.audit,
  publish: backend.publish,
  onListening: backend.onListening,
  openCassette: backend.openCassette,
});

function openSettings(options: ServiceOptions, { settings: document }: DataFolder) {
  const settingsService = new SettingsService({ document, start: options, log: options.log });
  // A folder that is only looked into starts no run.
  const bounds = options.executes === false ? { runsAtOnce: 0 } : {};
  const settings = (): Settings => ({ ...settingsService.inForce, ...bounds });
  return { settings, settingsService };
}

type RunsDeps = Omit<RunServiceDeps, 'health' | 'retentionDocument' | 'openUnfinished'> &
  Omit<UnfinishedRunsDeps, 'health' | 'wasCrashed'>;

function openRuns(
  { maxTraceBytes }: ServiceOptions,
  { folder, openUnfinished: open, asOnlyServer }: Backend,
  deps: RunsDeps,
): RunService {
  const { health, retention: retentionDocument, wasCrashed } = folder;
  const local = { ...deps, health, wasCrashed, maxTraceBytes };
  const openUnfinished: RunServiceDeps['openUnfinished'] = (listeners) => open(local, listeners);
  return new RunService({ ...deps, health, retentionDocument, asOnlyServer, openUnfinished });
}

function openTests(
  { clock, workerScript }: ServiceOptions,
  services: Pick<Services, 'folder' | 'parser' | 'draftParser'> & { readonly previewPool: WorkerPool },
) {
  const { folder, parser, draftParser, previewPool: pool } = services;
  const openCassette = folder.cassettes.openCassette.bind(folder.cassettes);
  const deps = { workerScript, clock, openCassette };
  return {
    tests: new WorkflowTestRunner({ ...deps, parser }),
    draftTests: new DraftTestRunner({ ...deps, parser: draftParser, pool }),
  };
}

/** Keys of scripts and pairings of browsers. */
const openAccess = ({ clock, log, fixedApiKey: fixedKey }: ServiceOptions, folder: DataFolder) => ({
  keys: new KeyService({ document: folder.keys, clock, log, fixedKey }),
  browsers: new BrowserService({ document: folder.browsers, clock, log }),
});

const openApiTools = ({ clock, log }: Pick<ServiceOptions, 'clock' | 'log'>) => ({
  apiFaults: new ApiFaults(),
  callLog: new CallLog({ log }),
  replayTokens: new ReplayTokens(clock),
});

type Stoppable = { close(): Promise<void> };

/**
 * In this order, so that nothing that writes outlives the lock of the data folder. The budgets, with those of start-app.ts,
 * add up to 9 s: with what the command line needs to end its process, a stop takes less than 10 s.
 */
const stopStepsOf = (
  parts: Readonly<
    Record<
      | 'tests'
      | 'draftTests'
      | 'runs'
      | 'traces'
      | 'previews'
      | 'processes'
      | 'broker'
      | 'keys'
      | 'stores'
      | 'folder',
      Stoppable
    >
  >,
): readonly StopStep[] => [
  {
    name: 'tests of workflows',
    budgetMs: 250,
    stop: async () => void (await Promise.all([parts.tests.close(), parts.draftTests.close()])),
  },
  // Commits that are under way reach the disk.
  { name: 'runs', budgetMs: 1500, stop: () => parts.runs.close() },
  { name: 'rows that run again', budgetMs: 250, stop: () => parts.traces.close() },
  { name: 'previews of drafts', budgetMs: 50, stop: () => parts.previews.close() },
  { name: 'row workers and file parser', budgetMs: 450, stop: () => parts.processes.close() },
  { name: 'calls to services', budgetMs: 250, stop: () => parts.broker.close() },
  { name: 'uses of keys', budgetMs: 250, stop: () => parts.keys.close() },
  { name: 'store of runs', budgetMs: 1000, stop: () => parts.stores.close() },
  // Kept when something may still write: the next start finds that its owner is gone, and takes the folder over.
  { name: 'lock of the data folder', budgetMs: 250, stop: () => parts.folder.close(), onlyAfterAll: true },
];

function workflowFiles(
  { dataDir, workflowFolders = [], workflowFiles: files = [] }: ServiceOptions,
  { publishedFolders = () => [] }: Backend,
): WorkflowFiles {
  const folders = (): readonly string[] => [...workflowFolders, ...publishedFolders()];
  return new WorkflowFiles({ own: ownWorkflowFolder(dataDir), folders, files });
}

async function openSecrets(options: ServiceOptions, folder: DataFolder): Promise<SecretService> {
  const { extraSecrets: temporary = [], secretsFrom, clock } = options;
  const stored = secretsFrom === undefined ? folder.secrets : await openStoredSecrets(secretsFrom, options);
  return new SecretService({ ...stored, temporary, clock });
}
