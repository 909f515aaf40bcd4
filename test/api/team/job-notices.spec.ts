// Workers whose clock stands still: an idle slot never asks for a job by itself, so what it runs it has from a notice.
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/open-team-backend.ts';
import type { Clock } from '../../../src-main/base/clock.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';

const waiting = `rowbench: 1
id: waiting
concurrency: 2
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`;

async function openTeam() {
  const { url } = await createTestDatabase();
  const pool = openPool(url, 1);
  onTestFinished(() => pool.close());
  const open = (name: string, slots: number, clock: Clock = systemClock) =>
    openTestServices(
      { waiting },
      {
        openBackend: openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: url }, name, slots }),
        clock,
      },
    );
  const workersOf = async (runId: string): Promise<readonly string[]> => {
    const found = await pool.query<{ worker: string }>(
      `select worker from rowbench.segments join rowbench.runs using (owner)
       where run_id = $1 and state = 'running' order by first_row`,
      [runId],
    );
    return found.map(({ worker }) => worker);
  };
  return { url, open, workersOf };
}

describe.skipIf(whyNoPostgres !== undefined)('an idle slot', () => {
  it('takes a segment that a stopped worker has given back at once', async () => {
    const { url, open, workersOf } = await openTeam();
    const server = await open('server', 0);
    const worker = await startTeamWorker(url, { name: 'stopped' });
    onTestFinished(() => worker.kill());
    const { runId } = await server.start('waiting', [{ n: 1 }]);
    await expect.poll(() => workersOf(runId)).toEqual(['stopped']);
    await open('idle', 1, new FakeClock(Date.now()));
    await worker.stop();
    await expect.poll(() => workersOf(runId)).toEqual(['idle']);
  });

  it('takes segments of a new run at once, as many slots as there are segments', async () => {
    const { open, workersOf } = await openTeam();
    const server = await open('server', 0);
    await open('idle', 3, new FakeClock(Date.now()));
    const rows = Array.from({ length: 3000 }, (_, n) => ({ n }));
    const { runId } = await server.start('waiting', rows);
    await expect.poll(() => workersOf(runId)).toEqual(['idle', 'idle', 'idle']);
  });
});
