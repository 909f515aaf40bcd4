// What the rooms of services stand on: options, time, log, settings, processes, and what a team replaces. Each room's
// `open.ts` builds its services from it. `app/open-services.ts` opens it over a data folder of this machine, or over the
// database of a team.
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { TokensFile } from '../domain/access/access-token.ts';
import type { HostPort } from '../domain/host-port.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import type { LimitMode, Settings } from '../domain/settings.ts';
import type { WorkflowsFile } from '../domain/trust/workflows-file.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { Publish } from '../domain/workflow/publication.ts';
import type { RowsFileProcess } from '../executor/parser/rows-file-process.ts';
import type { SheetProcess } from '../executor/parser/sheet-process.ts';
import type { WorkerPool } from '../executor/pool/worker-pool.ts';
import type { SharedAnswers, WorkflowCassette } from '../executor/ports.ts';
import type { ForkUtility } from '../executor/process/utility-worker.ts';
import type { HostReservations } from '../executor/upstream/rate-limits.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { CassetteFile } from '../storage/cassettes/cassette-file.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import type { JsonDocument } from '../storage/documents/json-document.ts';
import type { KeySeal } from '../storage/documents/key-file-vault.ts';
import type { RunStores } from '../storage/runs/open-run-stores.ts';
import type { SettingsService } from './access/settings-service.ts';
import type { LimitWindows } from './api/limit-windows.ts';
import type { AuditLog, Document, ReadyCheck, UnfinishedRunListeners, UnfinishedRuns } from './ports.ts';
import type { ExecutionDeps } from './runs/open-execution.ts';
import type { NetworkDeps } from './runs/upstreams.ts';
import type { FileParser } from './workflows/file-parser.ts';
import type { WorkflowService } from './workflows/workflow-service.ts';

export type Platform = {
  readonly options: ServiceOptions;
  /**
   * The time of runs, limits, keys and of all that is stored; tests may stop it. Processes and calls over the network
   * have the machine's own (`systemClock`), since nothing else ends them.
   */
  readonly clock: Clock;
  readonly log: Log;
  /** The settings that hold at this moment. */
  readonly settings: () => Settings;
  readonly settingsService: SettingsService;
  readonly processes: Processes;
  readonly backend: Backend;
};

/** Each is started when it is first needed, or at once with `keepsWarm`. */
export type Processes = {
  /** Row workers of runs. */
  readonly pool: WorkerPool;
  /** Row workers of previews, which give way to those of runs. */
  readonly previewPool: WorkerPool;
  readonly parser: FileParser;
  /** Parses texts that change while they are typed. */
  readonly draftParser: FileParser;
  readonly sheetProcess: SheetProcess;
  /** A process for one large file of rows, which ends with it. */
  readonly openRowsFile: () => RowsFileProcess;
  close(): Promise<void>;
};

/** Needed for executions whose calls were settled by another process. */
type TeamExecutionDeps = Pick<NetworkDeps, 'networkOf'> & {
  readonly workflows: Pick<WorkflowService, 'find'>;
  /** Upstreams of runs whose calls may reach these networks, and are recorded in this cassette. */
  readonly upstreamsWithin: (
    networkOf: NetworkDeps['networkOf'],
    cassette: () => WorkflowCassette,
    sharedAnswers: () => SharedAnswers,
  ) => ExecutionDeps['upstreamOf'];
};

/** Stores and ports of a data folder of this machine, or of a team. */
export type Backend = {
  /** The files of this process, with the small documents, wherever they are. */
  readonly folder: DataFolder;
  /** `close` ends what this process does with them. */
  readonly stores: Omit<RunStores, 'database'> & { close(): Promise<void> };
  readonly windows: LimitWindows;
  /** The cassettes of workflows, by id and file. */
  readonly openCassette: (
    workflowId: string,
    workflowFile: string | undefined,
  ) => Promise<WorkflowCassette & { readonly isSidecar?: boolean }>;
  /** Stored answers to the calls that rows of a run share; absent: segments of a team have their own. */
  readonly sharedAnswersOf?: (runId: string) => SharedAnswers;
  /** Folders of workflow files beside those that the options name. */
  readonly publishedFolders?: () => readonly string[];
  /** Calls the listener after each publication. */
  readonly onPublished?: (listener: () => void) => void;
  /** Absent: workflow files lie in folders of this machine. Resolves once this server has what was published. */
  readonly publish?: Publish;
  /** Absent: no other server removes old runs of the store. */
  readonly asOnlyServer?: (action: () => Promise<void>) => Promise<void>;
  /** Absent: changes are forgotten when the process ends. */
  readonly audit?: AuditLog;
  /** Conditions for this server to take calls. */
  readonly readyChecks?: readonly ReadyCheck[];
  /** Servers that no workflow ever calls, on any machine. */
  readonly ownServers?: () => Promise<readonly HostPort[]>;
  /** Called once the server of this process listens at these addresses, before it is used. */
  readonly onListening?: (addresses: readonly HostPort[]) => Promise<void>;
  /** Absent: the limits of calls count in this process alone. */
  readonly reservations?: HostReservations;
  /** Opens the runs that have not ended. */
  readonly openUnfinished: (
    deps: ExecutionDeps & TeamExecutionDeps,
    listeners: UnfinishedRunListeners,
  ) => UnfinishedRuns;
};

/** Calls `onFolder`, if at all, once the documents are open, while all else still opens. */
type OpenBackend = (options: ServiceOptions, onFolder?: (folder: DataFolder) => void) => Promise<Backend>;

/** Options with which a data folder is opened. Who calls: the server, a command line without a server, and tests. */
export type ServiceOptions = {
  readonly dataDir: string;
  /** In place of the data folder's own stores. */
  readonly openBackend?: OpenBackend | undefined;
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
  /** Connection to the hosted service at which runs of scripts are executed; absent: they are executed here. */
  readonly gateway?: string | undefined;
  /** Overrides the stored setting; 0 takes any free one. */
  readonly port?: number | undefined;
  /** Overrides the stored setting until the process ends. */
  readonly profile?: string;
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
  /** true: runs at hosted services are sent and followed, even where none executes. */
  readonly sendsHosted?: boolean | undefined;
  /** true: runs are expected, so a row worker and the file parser start while the store opens. */
  readonly keepsWarm?: boolean;
  /** Why no workflow file is changed; absent: they can be. */
  readonly readOnly?: string | undefined;
  /** Classes of addresses that the workflows named here may call until the process ends, beside what each was granted. */
  readonly allowNetwork?: readonly AddressClass[];
  /** true: calls go through the proxy of the environment, whatever the setting says. */
  readonly usesProxy?: boolean;
  /** `tokens`: users sign in with access tokens, which have roles. Absent: one user, who opens the app by a link. */
  readonly access?: 'tokens' | undefined;
  /** Absent: tokens in a file of the data folder, and an audit log that ends with the process. */
  readonly accessStore?: { readonly tokens: Document<TokensFile>; readonly audit: AuditLog } | undefined;
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

/** Path of another bundled program. The build puts all programs into one folder. */
export const siblingOfWorker = (workerScript: string, name: string): string =>
  join(dirname(workerScript), name);

/** The folder of the examples, which are in the package beside the folder of the programs. */
export const examplesFolder = (workerScript: string): string => join(dirname(workerScript), '..', 'examples');
