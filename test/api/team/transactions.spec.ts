// Transactions whose statements are sent without waiting for each other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import type { TeamPool } from '../../../src-main/team/team-pool.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';

describe.skipIf(whyNoPostgres !== undefined)('a transaction', () => {
  let pool: TeamPool;

  beforeAll(async () => {
    pool = openPool((await createTestDatabase({ isMigrated: false })).url, 2);
    await pool.run('create table numbers (number integer)');
  });

  afterAll(() => pool.close());

  const numbers = async () =>
    (await pool.query<{ number: number }>('select number from numbers')).map(({ number }) => number);

  it('executes its statements in the order in which they are sent', async () => {
    const counts = await pool.transaction((sql) =>
      Promise.all(
        [1, 2, 3].map(async (number) => {
          const [found] = await sql.query<{ count: number }>(
            'with added as (insert into numbers values ($1)) select count(*) as count from numbers',
            [number],
          );
          return found?.count;
        }),
      ),
    );
    expect(counts).toEqual([0, 1, 2]);
    await pool.run('delete from numbers');
  });

  it('leaves nothing of statements that were sent before and after one that fails', async () => {
    const failed = deferred();
    let late: Promise<unknown> | undefined;
    const failing = pool.transaction((sql) => {
      late = failed.promise.then(() => sql.query('insert into numbers values (3)'));
      return Promise.all([
        sql.query('insert into numbers values (1)'),
        sql.query('select 1 / 0'),
        sql.query('insert into numbers values (2)'),
        late,
      ]);
    });
    await expect(failing).rejects.toThrow('division by zero');
    failed.resolve();
    await expect(late).rejects.toThrow('a statement belongs to a transaction that is open');
    expect(await numbers()).toEqual([]);
  });

  it('sends its notices once it has committed, and none if it rolls back', async () => {
    const received: (readonly [string, readonly number[]])[] = [];
    const arrived = deferred();
    const listener = await pool.listen(
      {
        first: (payload) => void numbers().then((seen) => received.push([payload, seen])),
        second: () => arrived.resolve(),
      },
      () => undefined,
    );
    const gone = pool.transaction(async (sql) => {
      sql.notify('first', 'gone');
      await sql.query('select 1 / 0');
    });
    await expect(gone).rejects.toThrow('division by zero');
    await pool.transaction(async (sql) => {
      sql.notify('first', 'there');
      await sql.query('insert into numbers values (4)');
      sql.notify('second', '');
    });
    await arrived.promise;
    await expect.poll(() => received).toEqual([['there', [4]]]);
    await listener.close();
    await pool.run('delete from numbers');
  });
});
