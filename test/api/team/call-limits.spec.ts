// A node's `limit` counts over all workers of a team.
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/team/open-team-backend.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { TeamReservations } from '../../../src-main/team/open-team.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

const callsPerSecond = 20;
const flow = (url: string): string => `rowbench: 1
id: calling
nodes:
  - { id: input, type: input }
  - { id: call, type: http, limit: ${callsPerSecond}/s, request: { url: "${url}" } }
  - { id: result, type: output, fields: { ok: =nodes.call.body.ok } }
`;

describe.skipIf(whyNoPostgres !== undefined)('the limit of a node in a team', () => {
  it('is kept by two workers together', async () => {
    const { url } = await createTestDatabase();
    const arrivals: number[] = [];
    const upstream = await startUpstream({
      '/slow': (call, response) => {
        arrivals.push(performance.now());
        setTimeout(() => json({ ok: true })(call, response), 200);
      },
    });
    const openBackend = openTeamBackend({
      environment: { ROWBENCH_DATABASE_URL: url },
      name: 'one',
      slots: 0,
    });
    const services = await openTestServices({ calling: flow(upstream.url('/slow')) }, { openBackend });
    await services.trust.grant('calling', { allow: ['loopback'], deny: [] });
    for (const name of ['first', 'second']) {
      const worker = await startTeamWorker(url, { slots: 1, name });
      onTestFinished(() => worker.stop());
    }
    // Each run is one segment, and each worker has one slot.
    const runs = [];
    for (let n = 0; n < 2; n += 1)
      runs.push(
        await services.start(
          'calling',
          Array.from({ length: 40 }, () => ({})),
        ),
      );
    for (const { runId } of runs)
      await expect
        .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 30_000 })
        .toBe('completed');

    const pool = openPool(url, 1);
    onTestFinished(() => pool.close());
    const workers = await pool.query('select distinct worker from rowbench.segments');
    expect(workers).toHaveLength(2);
    expect(arrivals).toHaveLength(80);
    // Calls begin one interval apart; they may arrive a little late.
    const lateMs = 150;
    for (const [n, at] of arrivals.entries()) {
      const first = arrivals[n - callsPerSecond];
      if (first !== undefined) expect(at - first).toBeGreaterThan(1000 - lateMs);
    }
    expect(arrivals.at(-1)! - arrivals[0]!).toBeGreaterThan((79 / callsPerSecond) * 1000 - lateMs);
  }, 90_000);

  it('is reserved in time of a host that no two processes share', async () => {
    const { url } = await createTestDatabase();
    const pools = [1, 2, 3].map(() => openPool(url));
    onTestFinished(async () => void (await Promise.all(pools.map((pool) => pool.close()))));
    const processes = pools.map((database) => new TeamReservations({ database, log: silentLog }));
    const reserve = async (process: TeamReservations) => {
      const sentAt = performance.now();
      const waitMs = await process.reserve('a.example:80', 1000);
      // Of the database's clock is known that it was read in between.
      return { earliest: sentAt + waitMs, latest: performance.now() + waitMs };
    };
    const begins = await Promise.all(
      Array.from({ length: 30 }, (_, n) => reserve(processes[n % processes.length]!)),
    );
    begins.sort((a, b) => a.latest - b.latest);
    for (const [n, { latest }] of begins.entries())
      if (n > 0) expect(latest - begins[n - 1]!.earliest).toBeGreaterThan(1000 - 1);
    expect(await processes[0]!.reserve('b.example', 1000)).toBe(0);
    await pools[0]!.query(
      `update rowbench.host_reservations set reserved_until = now() - interval '1 ms' where host = 'a.example:80'`,
    );
    expect(await processes[1]!.reserve('a.example:80', 0.5)).toBe(0);
  });
});
