// The addresses that no workflow of a team may call: those of its database and of all its servers. Who calls: the broker,
// before each new connection.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { parseHostPort, type HostPort } from '../domain/host-port.ts';
import type { Sql } from './sql.ts';

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
