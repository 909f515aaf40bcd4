// Opens the database of a team for a server or a worker. Who calls: app, by a dynamic import.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type HostPort, parseHostPort } from '../domain/host-port.ts';
import type { HostReservations } from '../executor/upstream/rate-limits.ts';
import { assertMigrated } from './admin/migrate-database.ts';
import { openDatabase, databaseUrlOf } from './admin/open-database.ts';
import { enterServer, type ServerEntry } from './admin/server-entry.ts';
import type { SnapshotStore } from '../storage/runs/snapshot-store.ts';
import { PinnedCassettes } from './segments/segment-cassette.ts';
import { SegmentAttempts } from './segments/segment-attempts.ts';
import { SegmentQueue } from './segments/segment-queue.ts';
import { SegmentWorker } from './segments/segment-worker.ts';
import type { SegmentDeps } from './segments/segment-run.ts';
import { registerSlots, registerTeam } from './admin/team-metrics.ts';
import { TeamMoves } from './segments/team-moves.ts';
import type { Sql, TeamSql } from './sql.ts';

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

type TeamWorkerDeps = Omit<SegmentDeps, 'attempts' | 'moves' | 'cassettes' | 'database' | 'queue'> & {
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

// The addresses that no workflow of a team may call: those of its database and of all its servers.

/** Time for which the list is used before it is read again, in ms. */
const maxAgeMs = 1_000;

type TeamAddressesDeps = {
  readonly database: Sql;
  /** Undefined: the database is reached by a socket of this machine. */
  readonly databaseAddress: HostPort | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

export class TeamAddresses {
  readonly #deps: TeamAddressesDeps;
  #servers: readonly HostPort[] = [];
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  private constructor(deps: TeamAddressesDeps) {
    this.#deps = deps;
  }

  /** Rejects if the database does not answer. */
  static async open(deps: TeamAddressesDeps): Promise<TeamAddresses> {
    const addresses = new TeamAddresses(deps);
    await addresses.#read();
    return addresses;
  }

  /** The addresses as they were at most a second ago; while the database does not answer, as they were last read. */
  async list(): Promise<readonly HostPort[]> {
    const { clock, log, databaseAddress } = this.#deps;
    if (clock.monotonic() - this.#readAt >= maxAgeMs)
      this.#reading ??= this.#read()
        .catch((error: unknown) => log.warn({ error }, 'the addresses of servers could not be read'))
        .finally(() => (this.#reading = undefined));
    await this.#reading;
    return databaseAddress === undefined ? this.#servers : [databaseAddress, ...this.#servers];
  }

  async #read(): Promise<void> {
    const { database, clock } = this.#deps;
    this.#readAt = clock.monotonic();
    const found = await database.query<{ address: string }>(
      'select distinct unnest(addresses) as address from rowbench.servers',
    );
    this.#servers = found.flatMap(({ address }) => parseHostPort(address) ?? []);
  }
}

// Shares the time of hosts among all servers and workers of a team, by the database's clock, so that a node's `limit` counts
// over all of them.

/** Reservations between two removals of what is past. */
const sweepEvery = 1_000;

export class TeamReservations implements HostReservations {
  readonly #database: TeamSql;
  readonly #log: Log;
  #reservations = 0;

  constructor({ database, log }: { readonly database: TeamSql; readonly log: Log }) {
    this.#database = database;
    this.#log = log;
  }

  async reserve(host: string, lengthMs: number): Promise<number> {
    // The clock is read after the lock on the row, so no time before the end of another reservation counts as free.
    const [reserved] = await this.#database.query<{ wait_ms: number }>(
      `insert into rowbench.host_reservations as hosts (host, reserved_until)
       values ($1, clock_timestamp() + $2::float8 * interval '1 ms')
       on conflict (host) do update
         set reserved_until = greatest(hosts.reserved_until, clock_timestamp()) + $2::float8 * interval '1 ms'
       returning (extract(epoch from reserved_until - clock_timestamp()) * 1000 - $2::float8)::float8 as wait_ms`,
      [host, lengthMs],
    );
    this.#reservations += 1;
    if (this.#reservations % sweepEvery === 1) this.#sweep();
    return Math.max(0, reserved?.wait_ms ?? 0);
  }

  /** Removes hosts without a reservation in the background: they are as free as one that has never been called. */
  #sweep(): void {
    this.#database
      .query('delete from rowbench.host_reservations where reserved_until < clock_timestamp()')
      .catch((error: unknown) => this.#log.warn({ error }, 'past reservations could not be removed'));
  }
}
