// The start of a run was stored without a flush: after a crash of the database, a run that was reported as running was
// queued again.
import { expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../src-main/app/team/open-team-backend.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { migrateDatabase } from '../../src-main/team/admin/migrate-database.ts';
import { SegmentAttempts } from '../../src-main/team/segments/segment-attempts.ts';
import { SegmentQueue } from '../../src-main/team/segments/segment-queue.ts';
import { openTestServices } from '../builders/open-test-services.ts';
import { startPostgres, whyNoPostgres } from '../builders/postgres-server.ts';
import { openPool } from '../builders/team-database.ts';

const workflow = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it.skipIf(whyNoPostgres !== undefined)(
  'a run of a team that was reported as running is so after a crash of the database',
  { timeout: 60_000 },
  async () => {
    // The server flushes by itself only after this time.
    const postgres = await startPostgres({ wal_writer_delay: '10s' });
    onTestFinished(() => postgres.stop());
    const url = await postgres.createDatabase('team');
    const pool = openPool(url);
    onTestFinished(() => pool.close());
    await migrateDatabase(pool);
    const queue = await SegmentQueue.open(pool, { log: silentLog });
    onTestFinished(() => queue.close());
    const server = await openTestServices(
      { quick: workflow },
      {
        openBackend: openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: url }, name: 'one', slots: 0 }),
      },
    );
    const { runId } = await server.start('quick', [{ n: 1 }]);
    const counters = { committed: () => undefined, refused: () => undefined, takenOver: () => undefined };
    const worker = { database: pool, queue, clock: systemClock, worker: 'worker', counters };
    const attempt = (await queue.fetch())!;
    expect(await new SegmentAttempts(worker).begin(attempt)).toBeDefined();
    await postgres.crash();
    await postgres.start();
    const status = async (): Promise<string | undefined> => {
      const found = await pool
        .query<{ status: string }>('select status from rowbench.runs where run_id = $1', [runId])
        .catch(() => []);
      return found[0]?.status;
    };
    await expect.poll(status, { timeout: 20_000 }).toBe('running');
  },
);
