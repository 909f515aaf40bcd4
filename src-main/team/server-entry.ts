// The line of a server or a worker in the list of a team's processes. The list is for users; no code decides by it.
import { randomUUID } from 'node:crypto';
import type { CancelTimer, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Sql } from './sql.ts';

export type ServerEntry = {
  readonly name: string;
  readonly kind: 'server' | 'worker';
  readonly version: string;
  readonly slots: number;
};

/** Interval at which a process renews its line, in ms, and the time after which the line is removed. */
const sayEveryMs = 10_000;
const goneAfter = '1 day';
/** Time without a word after which a process may be gone: it missed two times, in ms. */
export const silentAfterMs = 3 * sayEveryMs;

/** Adds a process to the list and renews its line. Returns a function that removes it. */
export async function enterServer(
  sql: Sql,
  { name, kind, version, slots }: ServerEntry,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<() => Promise<void>> {
  const id = randomUUID();
  let cancel: CancelTimer | undefined;
  let isClosed = false;
  const say = async (): Promise<void> => {
    await sql.query(
      `insert into rowbench.servers (id, name, kind, version, slots) values ($1, $2, $3, $4, $5)
       on conflict (id) do update set seen_at = now()`,
      [id, name, kind, version, slots],
    );
    await sql.query(`delete from rowbench.servers where seen_at < now() - interval '${goneAfter}'`);
  };
  const sayLater = (): void => {
    if (isClosed) return;
    cancel = clock.setTimer(sayEveryMs, () => {
      say()
        .catch((error: unknown) => log.warn({ error }, 'the list of servers could not be written'))
        .finally(sayLater);
    });
  };
  await say();
  sayLater();
  return async () => {
    isClosed = true;
    cancel?.();
    await sql.query('delete from rowbench.servers where id = $1', [id]).catch(() => undefined);
  };
}
