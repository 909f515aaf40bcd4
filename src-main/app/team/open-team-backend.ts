// The backend of a server of a team: a database for all that servers share, and a private temporary folder for the rest.
// Who calls: start-team-server.ts, by a dynamic import, so that other servers neither load nor start it.
import { AppError } from '../../base/app-error.ts';
import type { Metrics } from '../../base/metrics.ts';
import { openDataFolder, type DataFolder } from '../../storage/data-folder.ts';
import { RowQueryStore } from '../../storage/runs/row-query-store.ts';
import { RowSetStore } from '../../storage/runs/row-set-store.ts';
import { RunStore } from '../../storage/runs/run-store.ts';
import { SnapshotStore } from '../../storage/runs/snapshot-store.ts';
import { asOnlyServer } from '../../team/admin/server-entry.ts';
import {
  acceptRuns,
  networkOfAccess,
  type AcceptedRuns,
  type NetworkLookup,
} from '../../team/segments/accept-run.ts';
import { assertMigrated, readFormat } from '../../team/admin/migrate-database.ts';
import { openTeamDocuments, networkIn, networksIn } from '../../team/documents/open-team-documents.ts';
import { openTeam, type Team } from '../../team/open-team.ts';
import { PublishedFolder, publishFiles } from '../../team/documents/published-files.ts';
import { TeamAuditLog } from '../../team/documents/team-audit-log.ts';
import { TeamCassettes } from '../../team/documents/team-cassettes.ts';
import { TeamDatabase } from '../../team/team-database.ts';
import { TeamLimitWindows } from '../../team/team-limit-windows.ts';
import { TeamRuns } from '../../team/segments/team-runs.ts';
import { noVault, TeamVault } from '../../team/documents/team-vault.ts';
import type { ReadyCheck } from '../../services/ports.ts';
import { reachableAddresses } from './reachable-addresses.ts';
import { siblingOfWorker, type Backend, type ServiceOptions } from '../../services/platform.ts';
import { version } from '../../base/version.ts';

export type TeamBackendOptions = {
  /** Has the address of the database. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name of this server, for people. */
  readonly name: string;
  /** Absent: figures are not collected. */
  readonly metrics?: Metrics | undefined;
  /** Segments that this server executes at the same time; 0: it leaves them to workers. */
  readonly slots: number;
  /** Ends a wait for the database; absent: a database that does not answer is an error. */
  readonly stopped?: AbortSignal | undefined;
  /** File with the key of the secrets; absent: this process has no secrets. */
  readonly secretKeyFile?: string | undefined;
};

/** The database says by itself when it is full. */
const free = { assertFree: async (): Promise<void> => undefined };

/** Throws `invalid_input` for a database that has other tables than this version needs. */
export const openTeamBackend =
  ({ environment, name, slots, secretKeyFile, metrics, stopped }: TeamBackendOptions) =>
  async (options: ServiceOptions): Promise<Backend> => {
    const { clock, log } = options;
    const entry = { name, kind: 'server', version, slots } as const;
    const team = await openTeam({ environment, entry, metrics, stopped, clock, log });
    const connection = { database: team.database, clock, log };
    const scratch = await openDataFolder({ ...options, path: options.dataDir, version });
    const documents = await openTeamDocuments(connection);
    const published = await PublishedFolder.open(connection);
    const vault = secretKeyFile === undefined ? noVault : await TeamVault.open(team.database, secretKeyFile);
    let accepted: AcceptedRuns | undefined;
    const database = await TeamDatabase.open({
      sql: team.database,
      clock,
      questionScript: siblingOfWorker(options.workerScript, 'question-thread.cjs'),
      accepted: () => accepted,
    });
    const runs = new RunStore({ database, free, clock });
    const snapshots = new SnapshotStore(database);
    const cassettes = new TeamCassettes(team.database);
    const folder = withDocuments(scratch, documents, vault);
    const close = async (): Promise<void> => {
      await published.close();
      await documents.close();
      await database.close();
      await team.close();
    };
    return {
      folder,
      stores: {
        runs,
        queries: new RowQueryStore(database),
        snapshots,
        rowSets: await RowSetStore.open({ database, free, report: folder.report }),
        close,
      },
      windows: new TeamLimitWindows({ database: team.database, log }),
      openCassette: async (id, file) => cassettes.open(id, file),
      publishedFolders: published.folders,
      publish: async (files, publishedBy) => {
        const publication = await publishFiles(team.database, files, publishedBy);
        await published.refresh();
        return publication;
      },
      onPublished: (listener) => void published.changes.listen(listener),
      asOnlyServer: asOnlyServer(team.database),
      audit: new TeamAuditLog(team.database),
      readyChecks: [databaseCheck(team)],
      ownServers: team.ownServers,
      onListening: (addresses) => team.listenAt(addresses.flatMap(reachableAddresses)),
      reservations: team.reservations,
      openUnfinished: (deps, listeners) => {
        const grantedTo = (id: string) => networkIn(networksIn(documents.workflows.value), id);
        accepted = acceptedBy(deps, { team, cassettes, grantedTo });
        const worker =
          slots === 0 ? undefined : openSegments(deps, { team, rows: database, snapshots, slots, grantedTo });
        return new TeamRuns({ ...connection, moves: team.moves, store: runs, worker }, listeners);
      },
    };
  };

type UnfinishedDeps = Parameters<Backend['openUnfinished']>[0];

type AcceptanceOptions = {
  readonly team: Team;
  readonly cassettes: TeamCassettes;
  readonly grantedTo: NetworkLookup;
};

function acceptedBy(
  { plans, networkOf, workflows, clock }: UnfinishedDeps,
  { team: { queue }, cassettes, grantedTo }: AcceptanceOptions,
): AcceptedRuns {
  return acceptRuns({
    queue,
    clock,
    networkOf,
    grantedTo,
    planOf: (run) => plans.get(run),
    pinCassette: async (sql, run, owner) => {
      const file = (await workflows.find(run.workflowId))?.file;
      await cassettes.pin(sql, { run, owner, file });
    },
  });
}

type SegmentsOptions = Pick<Parameters<Team['openWorker']>[0], 'rows' | 'snapshots' | 'slots'> & {
  readonly team: Team;
  readonly grantedTo: NetworkLookup;
};

/** Executes segments in this process. */
const openSegments = (deps: UnfinishedDeps, { team, grantedTo, ...options }: SegmentsOptions) =>
  team.openWorker({
    ...deps,
    ...options,
    upstreamOf: (run, { access, cassette, sharedAnswers }) =>
      deps.upstreamsWithin(networkOfAccess(access, grantedTo), cassette, sharedAnswers)(run),
  });

/** Ready if the database answers and has the tables that this version needs. */
function databaseCheck({ database }: Team): ReadyCheck {
  let details: ReturnType<NonNullable<ReadyCheck['details']>>;
  const check = async (): Promise<string | undefined> => {
    details = undefined;
    const reason = await reasonOf(() => assertMigrated(database));
    if (reason === undefined)
      details = { format: await readFormat(database), synchronousStandby: await hasStandby(database) };
    return reason;
  };
  return { name: 'database', check, details: () => details };
}

/** True if each commit waits for a standby: a role without rights sees no more of the standbys than these settings. */
async function hasStandby(database: Team['database']): Promise<boolean> {
  const [found] = await database.query<{ has: boolean }>(
    `select current_setting('synchronous_standby_names') <> ''
       and current_setting('synchronous_commit') in ('on', 'remote_write', 'remote_apply') as has`,
  );
  return found?.has === true;
}

async function reasonOf(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.message : 'the database does not answer';
  }
}

type Vault = DataFolder['secrets']['vault'];
type Documents = Awaited<ReturnType<typeof openTeamDocuments>>;

function withDocuments(folder: DataFolder, documents: Documents, vault: Vault): DataFolder {
  const { settings, keys, browsers, workflows, retention, secrets, tokens } = documents;
  return {
    ...folder,
    settings,
    keys,
    browsers,
    workflows,
    retention,
    secrets: { document: secrets, vault },
    openTokens: async () => tokens,
    // What is unfinished is in the queue.
    wasCrashed: false,
  };
}
