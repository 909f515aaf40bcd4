// Opens the database of a team for a server or a worker. Who calls: app, by a dynamic import.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { HostPort } from '../domain/host-port.ts';
import { databaseUrlOf } from './database-url.ts';
import { assertMigrated } from './migrate-database.ts';
import { openDatabase } from './open-database.ts';
import { enterServer, type ServerEntry } from './server-entry.ts';
import type { SnapshotStore } from '../storage/snapshot-store.ts';
import { PinnedCassettes } from './segment-cassette.ts';
import { SegmentAttempts } from './segment-attempts.ts';
import { SegmentQueue } from './segment-queue.ts';
import { SegmentWorker } from './segment-worker.ts';
import type { SegmentRunDeps } from './segment-run.ts';
import { registerSlots, registerTeam } from './team-metrics.ts';
import { TeamAddresses } from './team-addresses.ts';
import { TeamMoves } from './team-moves.ts';
import { TeamReservations } from './team-reservations.ts';

export type TeamConnection = {
  /** Has the address of the database. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly entry: ServerEntry;
  /** Absent: figures are not collected. */
  readonly metrics?: Metrics | undefined;
  /** Ends a wait for the database; absent: a database that does not answer is an error. */
  readonly stopped?: AbortSignal | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

type TeamWorkerDeps = Omit<SegmentRunDeps, 'attempts' | 'moves' | 'cassettes'> & {
  readonly slots: number;
  /** Texts of workflows, tables and cassettes. */
  readonly snapshots: Pick<SnapshotStore, 'get'>;
};

export type Team = Awaited<ReturnType<typeof openTeam>>;

/** Connections of one process. Slots and requests each need one during a transaction. */
const maxConnections = 10;
/**
 * Interval at which a worker looks for lost jobs, in s. Servers look each second: the workers of a large team would send
 * thousands of statements a second, and have to look only while no server runs.
 */
const workerSuperviseSeconds = 5;

/** Throws `invalid_input` if the database cannot be used, or if its tables are not those of this version. */
export async function openTeam({ environment, entry, metrics, stopped, clock, log }: TeamConnection) {
  const { name } = entry;
  const waiting = stopped && { clock, signal: stopped };
  const database = await openDatabase({
    environment,
    waiting,
    name: `rowbench ${name}`,
    maxConnections,
    log,
  });
  try {
    await assertMigrated(database);
    const superviseSeconds = entry.kind === 'worker' ? workerSuperviseSeconds : 1;
    const queue = await SegmentQueue.open(database, { log, superviseSeconds });
    const moves = new TeamMoves({ database, queue, clock });
    const attempts = new SegmentAttempts({
      database,
      queue,
      clock,
      worker: name,
      counters: registerTeam(metrics, database),
    });
    const { listenAt, leave } = await enterServer(database, entry, { clock, log });
    const databaseAddress = addressOf(databaseUrlOf(environment));
    const addresses = await TeamAddresses.open({ database, databaseAddress, clock, log });
    return {
      database,
      ownServers: () => addresses.list(),
      listenAt,
      queue,
      moves,
      reservations: new TeamReservations({ database, log }),
      openWorker: ({ snapshots, ...deps }: TeamWorkerDeps) => {
        const cassettes = new PinnedCassettes({ database, snapshots });
        const worker = new SegmentWorker({ ...deps, attempts, moves, cassettes, database, queue });
        registerSlots(metrics, deps.slots, () => worker.running);
        return worker;
      },
      close: async (): Promise<void> => {
        await leave();
        await queue.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const defaultPort = 5432;

/** Host and port of the database; undefined for a socket of this machine. */
function addressOf(url: string): HostPort | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  return hostname === '' ? undefined : { host: hostname, port: port === '' ? defaultPort : Number(port) };
}
