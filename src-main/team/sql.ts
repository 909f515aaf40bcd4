// The statements that the team's code sends. Who implements it: TeamPool for PostgreSQL, and a builder of the specs for
// PGlite.

/** Values of parameters; bytes are `Uint8Array`, and `bigint` columns come back as numbers. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Sends several statements, without parameters. */
  run(statements: string): Promise<void>;
}

/** The statements of one transaction. Those that are sent without waiting for each other are executed in their order. */
export interface Transaction extends Sql {
  /**
   * Sends a notice with the commit, but not in it: PostgreSQL lets transactions with notices commit one after the other, each
   * after the flush of the one before.
   */
  notify(channel: string, payload: string): void;
}

/** Listeners to notices, by channel; each is called with the payload. */
export type NoticeListeners = Readonly<Record<string, (payload: string) => void>>;

/** A database of a team. */
export interface TeamSql extends Sql {
  /** Runs `act` in a transaction: commits it, or rolls it back and throws the error of `act`. */
  transaction<Result>(act: (sql: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Listens to notices over one connection. Calls `onReconnect` after each connection, since notices may have been missed
   * before. Reconnects until it is closed.
   */
  listen(listeners: NoticeListeners, onReconnect: () => void): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

/** Lets the transaction's commit return before the database has flushed it. A crash of the database may forget the commit. */
export const commitUnflushed = (sql: Sql): Promise<unknown> =>
  sql.query(`select set_config('synchronous_commit', 'off', true)`);

/** The shape in which pg-boss takes a database, so that its statements run in a transaction of ours. */
export const forBoss = (sql: Sql) => ({
  executeSql: async (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    if (values === undefined || values.length === 0) return { rows: [...(await sql.query(text))] };
    return { rows: [...(await sql.query(text, values))] };
  },
});

// Parameters of a statement that is composed of parts.

export class SqlParameters {
  readonly values: unknown[] = [];

  /** Adds a value. Returns its placeholder for the statement, such as `$3`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** The text to look for: PostgreSQL refuses a zero byte, which no stored text has. */
export const storableText = (text: string): string => text.replaceAll('\0', '\ufffd');
