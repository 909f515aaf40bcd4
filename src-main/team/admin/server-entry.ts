// The line of a server or a worker in the list of a team's processes. Users see the list, and workflows do not call the
// addresses in it (open-team.ts).
import { randomUUID } from 'node:crypto';
import type { CancelTimer, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { formatHostPort, type HostPort } from '../../domain/host-port.ts';
import type { Sql, TeamSql } from '../sql.ts';

export type ServerEntry = {
  readonly name: string;
  readonly kind: 'server' | 'worker';
  readonly version: string;
  readonly slots: number;
};

/** Interval at which a process renews its line, in ms, and the time after which the line is removed. */
const renewEveryMs = 10_000;
const goneAfter = '1 day';
/** Age of a line, in ms, from which its process may be gone: it has not renewed the line twice. */
export const silentAfterMs = 3 * renewEveryMs;

export type EnteredServer = {
  /** Adds the addresses at which this server is reached. */
  readonly listenAt: (addresses: readonly HostPort[]) => Promise<void>;
  /** Removes the process from the list. */
  readonly leave: () => Promise<void>;
};

/** Adds a process to the list and renews its line. */
export async function enterServer(
  sql: Sql,
  { name, kind, version, slots }: ServerEntry,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<EnteredServer> {
  const id = randomUUID();
  let cancel: CancelTimer | undefined;
  let isClosed = false;
  let addresses: readonly string[] = [];
  const say = async (): Promise<void> => {
    await sql.query(
      `insert into rowbench.servers (id, name, kind, version, slots, addresses) values ($1, $2, $3, $4, $5, $6)
       on conflict (id) do update set seen_at = now(), addresses = excluded.addresses`,
      [id, name, kind, version, slots, addresses],
    );
    await sql.query(`delete from rowbench.servers where seen_at < now() - interval '${goneAfter}'`);
  };
  const sayLater = (): void => {
    if (isClosed) return;
    cancel = clock.setTimer(renewEveryMs, () => {
      say()
        .catch((error: unknown) => log.warn({ error }, 'the list of servers could not be written'))
        .finally(sayLater);
    });
  };
  await say();
  sayLater();
  return {
    listenAt: async (reachedAt) => {
      addresses = reachedAt.map(formatHostPort);
      await say();
    },
    leave: async () => {
      isClosed = true;
      cancel?.();
      await sql.query('delete from rowbench.servers where id = $1', [id]).catch(() => undefined);
    },
  };
}

/** Number of the advisory lock of retention: any number that nothing else uses. */
const retentionLock = 7_269_411;

/** Runs the action unless another server of the team is running its own. The lock ends with the connection. */
export const asOnlyServer =
  (database: TeamSql) =>
  (action: () => Promise<void>): Promise<void> =>
    database.transaction(async (sql) => {
      const [lock] = await sql.query<{ acquired: boolean }>(
        'select pg_try_advisory_xact_lock($1) as acquired',
        [retentionLock],
      );
      if (lock?.acquired === true) await action();
    });
