// A worker whose connection was lost after an early commit, before its answer, sent the same results again. It then took its
// own rows for those of another worker and gave up the segment. The repeated commit is taken as done now.
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import type { BegunSegment } from '../../src-main/team/segments/segment-attempts.ts';
import { SegmentQueue } from '../../src-main/team/segments/segment-queue.ts';
import { openCuttable } from '../builders/cut-after-commit.ts';
import { whyNoPostgres } from '../builders/postgres-server.ts';
import { openSlotlessServer, segmentWorker } from '../builders/segment-worker.ts';
import { resultsOf } from '../builders/stored-rows.ts';
import { createTestDatabase, openPool } from '../builders/team-database.ts';

const rows = 3;

/** A server, and a worker whose connection can be cut. */
async function openTeam() {
  const { url } = await createTestDatabase();
  const server = await openSlotlessServer(url);
  const connection = await openCuttable(url);
  const [direct, database] = [openPool(url), openPool(connection.url, 1)];
  const queue = await SegmentQueue.open(direct, { log: silentLog });
  onTestFinished(async () => {
    await queue.close();
    await database.close();
    await direct.close();
  });
  const { attempts, begin, counted } = segmentWorker('cut off', database, queue);
  /** Commits consecutive rows; the last one of the segment ends it. */
  const commit = (begun: BegunSegment, firstRow: number, lastRow: number): Promise<void> => {
    const { nodes, ...results } = resultsOf(firstRow, lastRow);
    return attempts.commit(
      begun,
      {
        runId: begun.run.runId,
        batch: { ...results, firstRow, rowsFailed: 0 },
        counts: { rowsDone: lastRow, rowsFailed: 0 },
        traceBytes: 0,
        statistics: { rows: lastRow, nodes },
      },
      { end: lastRow === rows ? { state: 'done' } : undefined, recorded: undefined },
    );
  };
  return { server, connection, counted, begin, commit };
}

describe.skipIf(whyNoPostgres !== undefined)('a commit whose answer was lost', () => {
  it.each([
    ['an early one', false],
    ['the last one', true],
  ])('is stored once when it is sent again: %s', async (_name, isLast) => {
    const { server, connection, counted, begin, commit } = await openTeam();
    const { runId } = await server.start('quick', [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const begun = await begin();
    if (isLast) await commit(begun, 1, 2);
    const send = () => (isLast ? commit(begun, 3, 3) : commit(begun, 1, 2));
    connection.cutNextCommit();
    await expect(send()).rejects.toMatchObject({ code: 'out_of_resources' });
    expect(connection.cuts).toBe(1);
    await send();
    if (!isLast) await commit(begun, 3, 3);
    expect(counted.refused).toBe(0);
    expect((await server.runs.get(runId)).run.status).toBe('completed');
    expect(await server.outputs(runId)).toHaveLength(3);
  });
});
