// What the services stand on: a data folder of this machine, or the database of a team.
import type { HostPort } from '../domain/host-port.ts';
import type { Publish } from '../domain/workflow/publication.ts';
import type { WorkflowCassette } from '../executor/ports.ts';
import type { HostReservations } from '../executor/upstream/rate-limits.ts';
import type { ReadyCheck } from '../http/health.ts';
import type { LimitWindows } from '../services/limit-windows.ts';
import type { LocalRunsDeps } from '../services/local-runs.ts';
import type { AuditLog, UnfinishedRunListeners, UnfinishedRuns } from '../services/ports.ts';
import type { RunServiceDeps } from '../services/run-service.ts';
import type { WorkflowService } from '../services/workflow-service.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import type { RunStores } from '../storage/open-run-stores.ts';
import type { NetworkDeps } from './upstreams.ts';

export type UnfinishedRunsDeps = LocalRunsDeps &
  Pick<NetworkDeps, 'networkOf'> & {
    readonly workflows: Pick<WorkflowService, 'find'>;
    /** Upstreams of runs whose calls may reach these networks, and are recorded in this cassette. */
    readonly upstreamsWithin: (
      networkOf: NetworkDeps['networkOf'],
      cassette: () => WorkflowCassette,
    ) => LocalRunsDeps['upstreamOf'];
  };

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
  /** Folders of workflow files beside those that the options name. */
  readonly publishedFolders?: () => readonly string[];
  /** Calls the listener after each publication. */
  readonly onPublished?: (listener: () => void) => void;
  /** Absent: workflow files lie in folders of this machine. Resolves once this server has what was published. */
  readonly publish?: Publish;
  /** Absent: no other server removes old runs of the store. */
  readonly asOnlyServer?: RunServiceDeps['asOnlyServer'];
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
  readonly openUnfinished: (deps: UnfinishedRunsDeps, listeners: UnfinishedRunListeners) => UnfinishedRuns;
};
