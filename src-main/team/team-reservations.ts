// Shares the time of hosts among all servers and workers of a team, by the database's clock, so that a node's `limit` counts
// over all of them. Who calls: the broker of a server or worker.
import type { Log } from '../base/log.ts';
import type { HostReservations } from '../executor/upstream/rate-limits.ts';
import type { TeamSql } from './sql.ts';

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
