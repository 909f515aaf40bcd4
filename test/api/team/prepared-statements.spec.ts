// Statements with parameters are prepared once by each connection to the database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { TeamPool } from '../../../src-main/team/team-pool.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';

describe.skipIf(whyNoPostgres !== undefined)('a connection to the database', () => {
  let url: string;
  let pool: TeamPool;

  beforeAll(async () => {
    ({ url } = await createTestDatabase({ isMigrated: false }));
    pool = openPool(url, 1);
  });

  afterAll(() => pool.close());

  const prepared = (from: TeamPool) =>
    from.query<{ statement: string; uses: number }>(
      'select statement, generic_plans + custom_plans as uses from pg_prepared_statements order by statement',
    );

  it('prepares a statement with parameters once, in and out of transactions', async () => {
    const statement = 'select $1::integer as number';
    for (const number of [1, 2]) expect(await pool.query(statement, [number])).toEqual([{ number }]);
    expect(await pool.transaction((sql) => sql.query(statement, [3]))).toEqual([{ number: 3 }]);
    expect(await prepared(pool)).toEqual([{ statement, uses: 3 }]);
  });

  it('executes a statement that it could not prepare before, since the transaction had failed', async () => {
    const statement = 'select $1::integer + 1 as number';
    const failing = pool.transaction((sql) =>
      Promise.all([sql.query('select 1 / 0'), sql.query(statement, [1])]),
    );
    await expect(failing).rejects.toThrow('division by zero');
    expect(await pool.query(statement, [1])).toEqual([{ number: 2 }]);
  });

  it('executes a statement again after a migration has added a column to its table', async () => {
    await pool.run('create table numbers (number integer); insert into numbers values (7)');
    const statement = 'select number from numbers where number = $1';
    expect(await pool.query(statement, [7])).toEqual([{ number: 7 }]);
    await pool.run('alter table numbers add column name text');
    expect(await pool.query(statement, [7])).toEqual([{ number: 7 }]);
  });

  it('keeps at most 200 statements', async () => {
    const other = openPool(url, 1);
    for (let number = 0; number < 210; number += 1)
      expect(await other.query(`select $1::integer + ${number} as sum`, [1])).toEqual([{ sum: number + 1 }]);
    expect(await prepared(other)).toHaveLength(200);
    await other.close();
  });

  it('is replaced at the end of its lifetime, with all that it has prepared', async () => {
    const shortLived = new TeamPool({
      url,
      name: 'rowbench specs',
      maxConnections: 1,
      maxLifetimeSeconds: 0.2,
      log: silentLog,
    });
    const backend = async () =>
      (await shortLived.query<{ pid: number }>('select pg_backend_pid() as pid, $1::text', ['x']))[0]?.pid;
    const first = await backend();
    await expect.poll(backend).not.toBe(first);
    await shortLived.close();
  });
});
