// Opens a data folder and wires stores, executor and services over it. Who calls: the server, a command line without
// a server, and a single run from a file.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { systemClock } from '../base/system-clock.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import type { LimitMode, Settings } from '../domain/settings.ts';
import type { WorkflowsFile } from '../domain/trust/workflows-file.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import { Broker } from '../executor/upstream/broker.ts';
import type { ForkUtility } from '../executor/process/utility-worker.ts';
import type { WorkerPool } from '../executor/pool/worker-pool.ts';
import { ApiFaults } from '../services/api-faults.ts';
import { BrowserService } from '../services/browser-service.ts';
import { CallLog } from '../services/call-log.ts';
import { ImportService } from '../services/import-service.ts';
import type { DraftService } from '../services/draft-service.ts';
import { KeyService } from '../services/key-service.ts';
import type { FileParser } from '../services/file-parser.ts';
import { LimitService } from '../services/limit-service.ts';
import { PlanCache } from '../services/plan-cache.ts';
import type { PreviewService } from '../services/preview-service.ts';
import { ReplayTokens } from '../services/replay-tokens.ts';
import { RowSetService } from '../services/row-set-service.ts';
import { RunService, type RunServiceDeps } from '../services/run-service.ts';
import type { SaveService } from '../services/save-service.ts';
import { SecretService } from '../services/secret-service.ts';
import type { SourceService } from '../services/source-service.ts';
import { SettingsService } from '../services/settings-service.ts';
import { TraceService } from '../services/trace-service.ts';
import { TrustService } from '../services/trust-service.ts';
import { WorkflowService } from '../services/workflow-service.ts';
import type { CassetteFile } from '../storage/cassettes/cassette-file.ts';
import { openDataFolder, type DataFolder } from '../storage/data-folder.ts';
import type { FileSystem } from '../files/file-system.ts';
import { ownWorkflowFolder } from '../storage/data-location.ts';
import type { JsonDocument } from '../storage/json-document.ts';
import type { KeySeal } from '../storage/key-file-vault.ts';
import { checkRuns, openRunStores, type RunStores } from '../storage/open-run-stores.ts';
import { openStoredSecrets } from '../storage/open-documents.ts';
import { WorkflowFiles } from '../storage/workflow-files.ts';
import { openAuthor } from './open-author.ts';
import { openPreviews } from './open-previews.ts';
import { openProcesses, siblingOfWorker } from './open-processes.ts';
import { openRowQueries, type RowQueryServices } from './open-row-queries.ts';
import { openServerSources, openSources } from './open-sources.ts';
import { stopInOrder, type StopStep } from './stop-in-order.ts';
import { WorkflowTestRunner } from './tests/workflow-test-runner.ts';
import { createLiveUpstream, createUpstreams, type NetworkDeps } from './upstreams.ts';
import { version } from './version.ts';

export type ServiceOptions = {
  readonly dataDir: string;
  /** Folders searched for workflow files beside the data folder's own. */
  readonly workflowFolders?: readonly string[];
  /** Single workflow files. */
  readonly workflowFiles?: readonly string[];
  /** True if called workflows are looked up relative to the calling file instead of in the folders. */
  readonly relativeCalls?: boolean;
  /** Overrides the stored setting until the process ends. */
  readonly limits?: LimitMode;
  /** true: a request header may ask for a scenario, whatever the setting says. */
  readonly scenarios?: boolean;
  /** Overrides the stored setting; 0 takes any free one. */
  readonly port?: number | undefined;
  /** A key that opens everything and is not stored. */
  readonly fixedApiKey?: string;
  /** For all runs, in place of the data folder's own cassettes. */
  readonly cassette?: CassetteFile;
  /** In place of the machine's own, for what the data folder holds. */
  readonly fileSystem?: FileSystem | undefined;
  /** Path of the bundled row worker; the programs of other processes and threads are beside it. */
  readonly workerScript: string;
  /** Called once when the store can be neither read nor written any more: the process has to end. */
  readonly onStoreDied?: ((error: Error) => void) | undefined;
  /** Maximum bytes of traces per run, in place of the default. */
  readonly maxTraceBytes?: number | undefined;
  /** true: the process ends with what it was started for, so files are parsed in it, and the store has a single thread. */
  readonly isShort?: boolean;
  /** Parses files in place of a process of this server's own. */
  readonly parser?: FileParser | undefined;
  /** Row workers of the caller, who closes them, in place of this server's own. */
  readonly pool?: WorkerPool | undefined;
  /** false: runs are kept and moved, but none executes here. */
  readonly executes?: boolean;
  /** true: no workflow file is changed. */
  readonly isReadOnly?: boolean | undefined;
  /** Classes of addresses that the workflows named here may call until the process ends, beside what each was granted. */
  readonly allowNetwork?: readonly AddressClass[];
  /** Secrets that are not stored; they go before stored ones of the same name. */
  readonly extraSecrets?: readonly Secret[];
  /** Trust decisions of another data folder, used in place of this one's. */
  readonly decisions?: JsonDocument<WorkflowsFile>;
  /** Another data folder whose secrets are used, and not changed, in place of this one's. */
  readonly secretsFrom?: string;
  /** Electron's way to start row workers; without it they are child processes of this one. */
  readonly forkUtility?: ForkUtility | undefined;
  /** Seals the key of the secrets; absent: the key file is not sealed. */
  readonly keySeal?: KeySeal | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

export type Services = RowQueryServices & {
  readonly folder: DataFolder;
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
  readonly parser: FileParser;
  /** Parses texts that change while they are typed. */
  readonly draftParser: FileParser;
  readonly drafts: DraftService;
  readonly saves: SaveService;
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

const userAgent = `Rowbench/${version}`;

/** Throws `data_folder_locked` when another process has the folder, `data_unreadable` when it is damaged. */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const { clock, log, workerScript } = options;
  const folder = await openDataFolder({ ...options, path: options.dataDir, version });
  try {
    const script = siblingOfWorker(workerScript, 'storage-thread.js');
    const stores = await openRunStores(folder, {
      script,
      clock,
      threads: options.isShort === true ? 'writer' : 'both',
      onDied: (error) => {
        log.error({ error }, 'the storage thread has ended: Rowbench cannot go on');
        options.onStoreDied?.(error);
      },
    });
    const checked = folder.wasCrashed ? reportDamage(checkRuns(folder, script), log) : undefined;
    const close = async (): Promise<void> => {
      await stores.database.close();
      await checked;
    };
    return await wireServices(options, folder, { ...stores, close });
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Logs damage before a reader meets it; reading a damaged page fails in any case. */
async function reportDamage(check: Promise<readonly string[]>, log: Log): Promise<void> {
  try {
    const problems = await check;
    if (problems.length > 0) log.error({ problems }, 'rowbench.db is damaged');
  } catch (error) {
    log.warn({ error }, 'rowbench.db could not be looked through');
  }
}

async function wireServices(
  options: ServiceOptions,
  folder: DataFolder,
  stores: RunStores & Stoppable,
): Promise<Services> {
  const { clock, log, isReadOnly } = options;
  const { runs: store, snapshots } = stores;
  const settingsService = new SettingsService({ document: folder.settings, start: options, log });
  // A folder that is only looked into starts no run.
  const bounds = options.executes === false ? { runsAtOnce: 0 } : {};
  const settings = (): Settings => ({ ...settingsService.inForce, ...bounds });
  const { processes, keepWarm, pool, ...drafts } = openProcesses(options, settings());
  const { parser, draftParser } = drafts;
  const files = workflowFiles(options);
  const workflows = new WorkflowService({ files, log, parser });
  const trust = new TrustService({ document: options.decisions ?? folder.workflows, clock, log });
  const sources = options.relativeCalls === true ? openSources(parser) : openServerSources(workflows, parser);
  const imports = new ImportService({ store: folder.imports, workflows, trust, parser });
  const secrets = await openSecrets(options, folder);
  const callDeps = { folder, secrets, trust, workflows };
  const { broker, upstreamOf, previewCalls, ...reach } = openCalls(options, callDeps);
  const plans = new PlanCache(snapshots);
  const shared = { store, snapshots, plans, workflows, trust, pool, upstreamOf, clock, log };
  const runs = openRuns(options, folder, { ...shared, sources, settings });
  const traces = new TraceService({ ...shared, runs });
  const access = openAccess(options, folder);
  settingsService.events.listen(() => runs.applySettings());
  const tests = openTests(options, { folder, parser });
  const rowSets = new RowSetService({ store: stores.rowSets, clock });
  const previews = openPreviews({ ...shared, ...previewCalls, ...drafts, sources, runs, rowSets });
  const parts = { tests, runs, traces, previews, processes, broker, ...access, stores, folder };
  const stopSteps = stopStepsOf(parts);
  return {
    folder,
    settings,
    settingsService,
    ...access,
    limits: new LimitService({ clock, mode: () => settings().limits }),
    ...openApiTools({ clock, log }),
    workflows,
    trust,
    secrets,
    imports,
    rowSets,
    previews,
    sources,
    tests,
    parser,
    draftParser,
    ...openAuthor({ ...shared, folder, parser, workflowFiles: files, isReadOnly }),
    runs,
    traces,
    ...openRowQueries({ runs, workflows }, stores),
    keepWarm,
    ...reach,
    stopSteps,
    close: () => stopInOrder(stopSteps, { clock, log }),
  };
}

const openRuns = (
  { maxTraceBytes }: ServiceOptions,
  { health, retention: retentionDocument, wasCrashed }: DataFolder,
  deps: Omit<RunServiceDeps, 'health' | 'retentionDocument' | 'wasCrashed'>,
): RunService => new RunService({ ...deps, health, retentionDocument, wasCrashed, maxTraceBytes });

function openTests({ clock, workerScript }: ServiceOptions, services: Pick<Services, 'folder' | 'parser'>) {
  const { folder, parser } = services;
  const openCassette = folder.cassettes.openCassette.bind(folder.cassettes);
  return new WorkflowTestRunner({ workerScript, parser, clock, openCassette });
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

type CallDeps = Pick<Services, 'folder' | 'secrets' | 'trust' | 'workflows'>;

/** The one way to the outside, and what a run's calls go through. */
function openCalls(options: ServiceOptions, { folder, secrets, trust, workflows }: CallDeps) {
  const { clock, log, cassette } = options;
  const ownPorts = new Set<number>();
  const broker = new Broker({ secrets, ownPorts: () => ownPorts, userAgent, clock: systemClock, log });
  const networks = networksOf(options, { trust, workflows });
  const liveUpstream = createLiveUpstream({ broker, ...networks });
  const cassetteOf = async (id: string): Promise<CassetteFile> =>
    cassette ?? folder.cassettes.openCassette(id, (await workflows.find(id))?.file);
  return {
    broker,
    ownPorts,
    upstreamOf: createUpstreams({ liveUpstream, cassetteOf, clock }),
    previewCalls: { liveUpstream, readCassette: async (id: string) => (await cassetteOf(id)).read() },
    networkOf: networks.networkOf,
  };
}

type Stoppable = { close(): Promise<void> };

/**
 * In this order, so that nothing that writes outlives the lock of the data folder. The budgets, with those of start-app.ts,
 * add up to 9 s: with what the command line needs to end its process, a stop takes less than 10 s.
 */
const stopStepsOf = (
  parts: Readonly<
    Record<
      'tests' | 'runs' | 'traces' | 'previews' | 'processes' | 'broker' | 'keys' | 'stores' | 'folder',
      Stoppable
    >
  >,
): readonly StopStep[] => [
  { name: 'tests of workflows', budgetMs: 250, stop: () => parts.tests.close() },
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

/** Networks that each workflow's calls may reach: its grants, plus `allowNetwork` for workflows named at the start. */
function networksOf(
  { allowNetwork = [], relativeCalls, decisions }: ServiceOptions,
  { trust, workflows }: Pick<Services, 'trust' | 'workflows'>,
): Omit<NetworkDeps, 'broker'> {
  // Workflows called from a file outside any data folder lie beside that file, and count as named with it.
  const isByFlagOnly = relativeCalls === true && decisions === undefined;
  const isNamed = (id: string): boolean => isByFlagOnly || workflows.isNamed(id);
  const networkOf = (id: string) => [...trust.networkOf(id), ...(isNamed(id) ? allowNetwork : [])];
  return { networkOf, isByFlagOnly };
}

const workflowFiles = ({ dataDir, workflowFolders, workflowFiles: files }: ServiceOptions): WorkflowFiles =>
  new WorkflowFiles({
    own: ownWorkflowFolder(dataDir),
    folders: workflowFolders ?? [],
    files: files ?? [],
  });

async function openSecrets(options: ServiceOptions, folder: DataFolder): Promise<SecretService> {
  const { extraSecrets: temporary = [], secretsFrom, clock } = options;
  const stored = secretsFrom === undefined ? folder.secrets : await openStoredSecrets(secretsFrom, options);
  return new SecretService({ ...stored, temporary, clock });
}
