// PostgreSQL inside the test process (PGlite), for machines that have no server: one database, with a single connection.
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { migrateDatabase } from '../../src-main/team/admin/migrate-database.ts';
import type { Sql, TeamSql } from '../../src-main/team/sql.ts';

let migrated: Promise<PGlite> | undefined;

/** The database of this test process; to be emptied after use. What it returns is closed by the end of the process. */
export const openPglite = async (): Promise<TeamSql> => teamSqlOf(await (migrated ??= migrate()));

async function migrate(): Promise<PGlite> {
  const database = await PGlite.create();
  await migrateDatabase(teamSqlOf(database), { backend: 'pglite' });
  return database;
}

const teamSqlOf = (database: PGlite): TeamSql => ({
  ...sqlOf(database),
  transaction: async (act) => {
    const notices: (() => Promise<unknown>)[] = [];
    const notify = (channel: string, payload: string): void =>
      void notices.push(() => database.query('select pg_notify($1, $2)', [channel, payload]));
    const result = await database.transaction((transaction) => act({ ...sqlOf(transaction), notify }));
    for (const send of notices) await send();
    return result;
  },
  listen: async (listeners, onReconnect) => {
    const unlisten = await Promise.all(
      Object.entries(listeners).map(([channel, onNotice]) => database.listen(channel, onNotice)),
    );
    onReconnect();
    return {
      close: async () => {
        await Promise.all(unlisten.map((each) => each()));
      },
    };
  },
  close: () => Promise.resolve(),
});

const sqlOf = (connection: PGlite | Transaction): Sql => ({
  // Without values the text may have several statements, as with PostgreSQL's simple protocol.
  query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    values.length === 0
      ? (await connection.exec(text)).flatMap(({ rows }) => rows as Row[])
      : (await connection.query<Row>(text, [...values])).rows,
  run: async (statements) => {
    await connection.exec(statements);
  },
});
