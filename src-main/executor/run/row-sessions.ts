import { rowNumberAt, type NumberedRows } from '../../domain/run/row-numbers.ts';
import type { CallOrigin } from '../ports.ts';
import type { SessionCookies } from '../upstream/session-cookies.ts';

/** The sessions of a run's rows. They end with their row: one that runs again begins without cookies. */
export class RowSessions {
  /** By the number of the row, then by the called workflow and the name of the session. */
  readonly #rows = new Map<number, Map<string, SessionCookies>>();

  /** The cookies of a session. Calls of a called workflow have sessions of their own. */
  async cookiesOf({ row, site }: CallOrigin, session: string): Promise<SessionCookies> {
    const module = await import('../upstream/session-cookies.ts');
    const sessions = this.#rows.get(row) ?? new Map<string, SessionCookies>();
    this.#rows.set(row, sessions);
    const name = `${site.slice(0, site.lastIndexOf('/') + 1)}${session}`;
    const cookies = sessions.get(name) ?? new module.SessionCookies();
    sessions.set(name, cookies);
    return cookies;
  }

  /** Forgets the sessions of rows that have ended, or will run again. */
  endRows(batch: NumberedRows & { readonly rows: number }): void {
    if (this.#rows.size === 0) return;
    for (let index = 0; index < batch.rows; index += 1) this.#rows.delete(rowNumberAt(batch, index));
  }
}
