// The backend of a server of a team: a database for all that servers share, and a private temporary folder for the rest.
// Who calls: start-team-server.ts, by a dynamic import, so that other servers neither load nor start it.
import { openDataFolder, type DataFolder } from '../storage/data-folder.ts';
import { createStoreDeps } from '../storage/durable/store-deps.ts';
import { KeyFileVault } from '../storage/key-file-vault.ts';
import { RowQueryStore } from '../storage/row-query-store.ts';
import { RowSetStore } from '../storage/row-set-store.ts';
import { RunStore } from '../storage/run-store.ts';
import { SnapshotStore } from '../storage/snapshot-store.ts';
import { acceptRun, networkOfAccess } from '../team/accept-run.ts';
import { openTeamDocuments } from '../team/open-team-documents.ts';
import { openTeam, type Team } from '../team/open-team.ts';
import { TeamDatabase } from '../team/team-database.ts';
import { TeamLimitWindows } from '../team/team-limit-windows.ts';
import { TeamRuns } from '../team/team-runs.ts';
import type { OnAccepted } from '../team/team-writer.ts';
import type { Backend } from './backend.ts';
import type { ServiceOptions } from './service-options.ts';
import { siblingOfWorker } from './sibling-of-worker.ts';
import { version } from './version.ts';

export type TeamBackendOptions = {
  readonly databaseUrl: string;
  /** Name of this server, for people. */
  readonly name: string;
  /** Segments that this server executes at the same time; 0: it leaves them to workers. */
  readonly slots: number;
  /** File with the key of the secrets; absent: a key that this process makes, and that no other one has. */
  readonly secretKeyFile?: string | undefined;
};

/** The database says by itself when it is full. */
const free = { assertFree: async (): Promise<void> => undefined };

/** Throws `invalid_input` for a database that has other tables than this version needs. */
export const openTeamBackend =
  ({ databaseUrl: url, name, slots, secretKeyFile }: TeamBackendOptions) =>
  async (options: ServiceOptions): Promise<Backend> => {
    const { clock, log } = options;
    const team = await openTeam({ url, name, clock, log });
    const folder = await openDataFolder({ ...options, path: options.dataDir, version });
    const documents = await openTeamDocuments({ database: team.database, clock, log });
    let onAccepted: OnAccepted | undefined;
    const database = await TeamDatabase.open({
      sql: team.database,
      clock,
      questionScript: siblingOfWorker(options.workerScript, 'question-thread.js'),
      onAccepted: async (...args) => onAccepted?.(...args),
    });
    const runs = new RunStore({ database, free, clock });
    const close = async (): Promise<void> => {
      await documents.close();
      await database.close();
      await team.close();
    };
    return {
      folder: withDocuments(folder, documents, vaultOf(options, folder, secretKeyFile)),
      stores: {
        runs,
        queries: new RowQueryStore(database),
        snapshots: new SnapshotStore(database),
        rowSets: await RowSetStore.open({ database, free, report: folder.report }),
        close,
      },
      windows: new TeamLimitWindows({ database: team.database, log }),
      openUnfinished: (deps, listeners) => {
        const { plans, networkOf, upstreamsWithin } = deps;
        const { queue, moves } = team;
        onAccepted = acceptRun({ queue, clock, networkOf, planOf: (run) => plans.get(run) });
        const upstreamOf: Parameters<Team['openWorker']>[0]['upstreamOf'] = (run, access) =>
          upstreamsWithin(networkOfAccess(access))(run);
        const worker =
          slots === 0 ? undefined : team.openWorker({ ...deps, rows: database, upstreamOf, slots });
        return new TeamRuns({ database: team.database, moves, store: runs, worker, clock, log }, listeners);
      },
    };
  };

type Documents = Awaited<ReturnType<typeof openTeamDocuments>>;

function withDocuments(
  folder: DataFolder,
  documents: Documents,
  vault: KeyFileVault | undefined,
): DataFolder {
  const { settings, keys, browsers, workflows, retention, secrets } = documents;
  return {
    ...folder,
    settings,
    keys,
    browsers,
    workflows,
    retention,
    secrets: { document: secrets, vault: vault ?? folder.secrets.vault },
    // What is unfinished is in the queue.
    wasCrashed: false,
  };
}

const vaultOf = (
  { clock, log }: ServiceOptions,
  { fileSystem, report }: DataFolder,
  path: string | undefined,
): KeyFileVault | undefined =>
  path === undefined
    ? undefined
    : new KeyFileVault(createStoreDeps({ fileSystem, clock, log, report }), path);
