// A connection that PostgreSQL ended between two queries of a transaction ended the server or worker, too: nothing listened
// to the connection's error. The transaction fails now, and the pool goes on with another connection.
import { describe, expect, it } from 'vitest';
import { whyNoPostgres } from '../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../builders/team-database.ts';

describe.skipIf(whyNoPostgres !== undefined)('a connection that is lost in a transaction', () => {
  it('fails the transaction, and nothing else', async () => {
    const { url } = await createTestDatabase({ isMigrated: false });
    const [pool, other] = [openPool(url, 1), openPool(url, 1)];
    const transaction = pool.transaction(async (sql) => {
      const [backend] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
      const alive = () => other.query('select from pg_stat_activity where pid = $1', [backend?.pid]);
      await other.query('select pg_terminate_backend($1)', [backend?.pid]);
      await expect.poll(async () => (await alive()).length).toBe(0);
      await sql.query('select 1');
    });
    await expect(transaction).rejects.toThrow();
    expect(await pool.query('select 1 as one')).toEqual([{ one: 1 }]);
    await pool.close();
    await other.close();
  });
});
