// The contract of the queue of segments, on PostgreSQL and on PGlite.
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import {
  SegmentQueue,
  type SegmentAttempt,
  type SegmentJob,
} from '../../../src-main/team/segments/segment-queue.ts';
import { openPglite } from '../../builders/pglite-sql.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';

const openPostgres = async () => openPool((await createTestDatabase()).url);

async function openQueue(backend: 'postgres' | 'pglite') {
  const database = await (backend === 'postgres' ? openPostgres() : openPglite());
  await database.run('delete from rowbench_queue.job_common');
  const queue = await SegmentQueue.open(database, { log: silentLog, backend });
  onTestFinished(async () => {
    await queue.close();
    await database.close();
  });
  const fetchAll = async (): Promise<SegmentAttempt[]> => {
    const fetched: SegmentAttempt[] = [];
    for (let next = await queue.fetch(); next !== undefined; next = await queue.fetch()) fetched.push(next);
    return fetched;
  };
  const insert = (jobs: readonly SegmentJob[], options?: Parameters<SegmentQueue['insert']>[2]) =>
    database.transaction((sql) => queue.insert(jobs, sql, options));
  /** Takes the job again once its worker has been silent for too long. */
  const takeOver = async (): Promise<SegmentAttempt> => {
    await database.run(`update rowbench_queue.job_common set heartbeat_on = now() - interval '1 minute'`);
    let taken: SegmentAttempt | undefined;
    await expect.poll(async () => (taken ??= await queue.fetch()), { timeout: 20_000 }).toBeDefined();
    return taken!;
  };
  return { database, queue, insert, fetchAll, takeOver };
}

const segment = (owner: number, firstRow: number) => ({ owner, firstRow });

describe.each([
  ['postgres', whyNoPostgres],
  ['pglite', undefined],
] as const)('the queue of segments on %s', (backend, why) => {
  it.skipIf(why !== undefined)(
    'gives each job to one worker, in the order of their priorities',
    async () => {
      const { database, queue, insert, fetchAll } = await openQueue(backend);
      await insert([segment(1, 1), segment(1, 10_001), segment(1, 100_001)]);
      await insert([segment(2, 1), segment(2, 10_001)]);
      await insert([segment(3, 1)], { isSingle: true });
      await insert([segment(4, 1)], { isSingle: true, delayMs: 60_000 });
      const fetched = await fetchAll();
      expect(fetched.map(({ data }) => data)).toEqual([
        segment(3, 1),
        segment(1, 1),
        segment(2, 1),
        segment(1, 10_001),
        segment(2, 10_001),
        segment(1, 100_001),
      ]);
      expect(await queue.unclaimedRows(1, database)).toEqual([]);
      expect(await queue.unclaimedRows(4, database)).toEqual([1]);
    },
    60_000,
  );

  it.skipIf(why !== undefined)(
    'refuses an attempt that another worker has taken over',
    async () => {
      const { database, queue, insert, takeOver } = await openQueue(backend);
      await insert([segment(1, 1)]);
      const late = (await queue.fetch())!;
      expect([...(await queue.touch([late]))]).toEqual([late.id]);
      const taken = await takeOver();
      expect(taken).toEqual({ ...late, retryCount: late.retryCount + 1 });
      expect((await queue.touch([late])).size).toBe(0);
      expect(await queue.complete(late, database)).toBe(false);
      expect(await queue.complete(taken, database)).toBe(true);
      expect(await queue.hasCompleted(taken, database)).toBe(true);
      expect(await queue.hasCompleted(late, database)).toBe(false);
    },
    60_000,
  );

  it.skipIf(why !== undefined)(
    'gives a job back in the transaction of its worker, or not at all',
    async () => {
      const { database, queue, insert, fetchAll } = await openQueue(backend);
      await insert([segment(1, 1)]);
      const attempt = (await queue.fetch())!;
      /** Ends the job and adds it again. */
      const giveBack = (error?: Error): Promise<void> =>
        database.transaction(async (sql) => {
          expect(await queue.complete(attempt, sql)).toBe(true);
          await queue.insert([attempt.data], sql);
          if (error !== undefined) throw error;
        });
      await expect(giveBack(new Error('lost'))).rejects.toThrow('lost');
      expect(await fetchAll()).toEqual([]);
      expect([...(await queue.touch([attempt]))]).toEqual([attempt.id]);
      await giveBack();
      expect((await queue.touch([attempt])).size).toBe(0);
      const [again, ...others] = await fetchAll();
      expect(again?.data).toEqual(attempt.data);
      expect(again?.id).not.toBe(attempt.id);
      expect(others).toEqual([]);
    },
  );
});
