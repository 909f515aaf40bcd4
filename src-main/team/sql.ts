// The statements that the team's code sends. Who implements it: TeamPool for PostgreSQL, and a builder of the specs for
// PGlite.

/** Values of parameters; bytes are `Uint8Array`, and `bigint` columns come back as numbers. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Sends several statements, without parameters. */
  run(statements: string): Promise<void>;
}

/** A database of a team. */
export interface TeamSql extends Sql {
  /** Runs `act` in a transaction: commits it, or rolls it back and throws the error of `act`. */
  transaction<Result>(act: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Calls `onNotice` with each payload of a channel, and `onReconnect` after each connection, since notices may have been
   * missed before. Reconnects until it is closed.
   */
  listen(
    channel: string,
    listeners: { readonly onNotice: (payload: string) => void; readonly onReconnect: () => void },
  ): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

/** The shape in which pg-boss takes a database, so that its statements run in a transaction of ours. */
export const forBoss = (sql: Sql) => ({
  executeSql: async (text: string, values?: unknown[]): Promise<{ rows: unknown[] }> => {
    if (values === undefined || values.length === 0) return { rows: [...(await sql.query(text))] };
    return { rows: [...(await sql.query(text, values))] };
  },
});
