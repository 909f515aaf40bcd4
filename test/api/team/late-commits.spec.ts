// The database itself refuses what an attempt stores that counts no longer, whatever its worker knows of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import type { ResultsCommit } from '../../../src-main/storage/sqlite/store-writer.ts';
import {
  AttemptOver,
  type SegmentAttempts,
  type BegunSegment,
  type SegmentEnd,
} from '../../../src-main/team/segments/segment-attempts.ts';
import { SegmentQueue } from '../../../src-main/team/segments/segment-queue.ts';
import type { TeamPool } from '../../../src-main/team/team-pool.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { recordedCall } from '../../builders/recorded-call.ts';
import { openSlotlessServer, segmentWorker } from '../../builders/segment-worker.ts';
import { resultsOf } from '../../builders/stored-rows.ts';
import { createTestDatabase, endLeases, openPool } from '../../builders/team-database.ts';

const rows = 3;
const done: SegmentEnd = { state: 'done' };

describe.skipIf(whyNoPostgres !== undefined)('an attempt that counts no longer', () => {
  let url: string;
  let pool: TeamPool;
  let queue: SegmentQueue;

  beforeAll(async () => {
    ({ url } = await createTestDatabase());
    pool = openPool(url);
    queue = await SegmentQueue.open(pool, { log: silentLog });
  });

  afterAll(async () => {
    await queue.close();
    await pool.close();
  });

  const openServer = () => openSlotlessServer(url);

  function worker(name: string) {
    const opened = segmentWorker(name, pool, queue);
    return { ...opened, commit: commitOf(opened.attempts) };
  }

  /** Commits of results; each has recorded a call. */
  const storedResults = async (runId: string): Promise<number> => {
    const results = await pool.query(
      'select from rowbench.output_batches join rowbench.runs using (owner) where run_id = $1',
      [runId],
    );
    const calls = await pool.query('select from rowbench.recorded_calls where run_id = $1', [runId]);
    expect(calls).toHaveLength(results.length);
    return results.length;
  };

  it('stores nothing once another worker has its segment', async () => {
    const server = await openServer();
    const [first, second] = [worker('first'), worker('second')];
    const { runId } = await server.start('quick', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const late = await first.begin();
    await endLeases(url);
    const begun = await second.begin();
    expect(second.counted.takenOver).toBe(1);
    for (const end of [undefined, done]) await expect(first.commit(late, end)).rejects.toThrow(AttemptOver);
    expect(await storedResults(runId)).toBe(0);
    await expect(first.attempts.end(late, done)).rejects.toThrow(AttemptOver);
    await expect(first.attempts.release(late)).rejects.toThrow(AttemptOver);
    expect((await server.runs.get(runId)).run.status).toBe('running');
    await second.commit(begun, done);
    expect((await server.runs.get(runId)).run.status).toBe('completed');
    // A worker whose answer was lost stores the same rows again; these are of another one.
    for (const end of [undefined, done]) await expect(first.commit(late, end)).rejects.toThrow(AttemptOver);
    await second.commit(begun, done);
    expect(await storedResults(runId)).toBe(1);
    expect(first.counted).toEqual({ committed: 0, refused: 4, takenOver: 0 });
  });

  it('stores nothing after its run was cancelled', async () => {
    const server = await openServer();
    const first = worker('first');
    const { runId } = await server.start('quick', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const late = await first.begin();
    const cancelled = server.runs.cancel(runId);
    await expect
      .poll(() =>
        pool.query('select from rowbench.runs where run_id = $1 and requested_action is not null', [runId]),
      )
      .toHaveLength(1);
    await endLeases(url);
    expect((await cancelled).run.status).toBe('cancelled');
    for (const end of [undefined, done]) await expect(first.commit(late, end)).rejects.toThrow(AttemptOver);
    expect(await storedResults(runId)).toBe(0);
    expect((await server.runs.get(runId)).counts).toEqual({ rowsDone: 0, rowsFailed: 0 });
    expect(first.counted.refused).toBe(2);
  });

  it('stores nothing after its run was paused, and after it was resumed', async () => {
    const server = await openServer();
    const [first, second] = [worker('first'), worker('second')];
    const { runId } = await server.start('quick', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const late = await first.begin();
    expect((await server.runs.pause(runId)).run.status).toBe('pausing');
    await endLeases(url);
    await expect.poll(async () => (await server.runs.get(runId)).run.status).toBe('paused');
    for (const end of [undefined, done]) await expect(first.commit(late, end)).rejects.toThrow(AttemptOver);
    await server.runs.resume(runId);
    for (const end of [undefined, done]) await expect(first.commit(late, end)).rejects.toThrow(AttemptOver);
    const begun = await second.begin();
    for (const end of [undefined, done]) await expect(first.commit(late, end)).rejects.toThrow(AttemptOver);
    expect(await storedResults(runId)).toBe(0);
    await second.commit(begun, done);
    expect((await server.runs.get(runId)).run.status).toBe('completed');
    for (const end of [undefined, done]) await expect(first.commit(late, end)).rejects.toThrow(AttemptOver);
    expect(first.counted).toEqual({ committed: 0, refused: 8, takenOver: 0 });
  });

  it('stores nothing over results of a worker whose attempt a crash of the database has forgotten', async () => {
    const server = await openServer();
    const [first, second] = [worker('first'), worker('second')];
    const { runId } = await server.start('quick', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const forgotten = await first.begin();
    await pool.run(`
      update rowbench_queue.job_common set state = 'created', started_on = null where state = 'active';
      update rowbench.segments set state = 'queued' where state = 'running'`);
    const begun = await second.begin();
    expect(begun.attempt).toEqual(forgotten.attempt);
    await first.commit(forgotten, undefined, 1);
    for (const end of [undefined, done]) await expect(second.commit(begun, end)).rejects.toThrow(AttemptOver);
    expect((await server.runs.get(runId)).counts).toEqual({ rowsDone: 2, rowsFailed: 1 });
    expect(await storedResults(runId)).toBe(1);
  });
});

/** Commits all rows of a segment. */
const commitOf =
  (attempts: SegmentAttempts) =>
  (begun: BegunSegment, end: SegmentEnd | undefined, rowsFailed = 0): Promise<void> => {
    const { nodes, ...results } = resultsOf(1, rows);
    const commit: ResultsCommit = {
      runId: begun.run.runId,
      batch: { ...results, firstRow: 1, rowsFailed },
      counts: { rowsDone: rows - rowsFailed, rowsFailed },
      traceBytes: 0,
      statistics: { rows, nodes },
    };
    const calls = [recordedCall({ runId: begun.run.runId })];
    return attempts.commit(begun, commit, {
      end,
      recorded: { workflowId: 'quick', calls, matchHeaders: [] },
    });
  };
