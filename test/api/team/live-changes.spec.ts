// Changes that the pages of a server show while they happen, of a run that another server accepted and moves.
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/team/open-team-backend.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';
import { inSequence, json, startUpstream } from '../../builders/upstream-server.ts';

const flow = (url: string): string => `rowbench: 1
id: calling
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "${url}/{{ row.path }}" }, timeout: 60s }
  - { id: result, type: output, fields: { ok: =nodes.call.body.ok } }
`;
const rows = Array.from({ length: 200 }, (_, n) => ({ path: n === 150 ? 'blocked' : 'quick' }));

describe.skipIf(whyNoPostgres !== undefined)('a server of a team', () => {
  it('reports moves and progress of a run that another server accepted', async () => {
    const blocked: ServerResponse[] = [];
    const upstream = await startUpstream({
      '/blocked': inSequence((_call, response) => void blocked.push(response), json({ ok: true })),
    });
    const { url } = await createTestDatabase();
    const open = (name: string) =>
      openTestServices(
        { calling: flow(upstream.url('')) },
        { openBackend: openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: url }, name, slots: 0 }) },
      );
    const [first, second] = [await open('one'), await open('two')];
    await first.trust.grant('calling', { allow: ['loopback'], deny: [] });
    const worker = await startTeamWorker(url);
    onTestFinished(() => worker.stop());
    const reports: { readonly runId: string; readonly status: string; readonly rowsDone: number }[] = [];
    second.runs.events.listen(({ run, counts }) =>
      reports.push({ runId: run.runId, status: run.status, rowsDone: counts.rowsDone }),
    );
    const reported = (status: string) =>
      expect.poll(() => reports.findLast((report) => report.status === status)?.rowsDone, {
        timeout: 20_000,
      });

    const { runId } = await first.start('calling', rows);
    await reported('running').toBeGreaterThan(0);
    await expect.poll(() => blocked.length, { timeout: 20_000 }).toBe(1);
    await first.runs.pause(runId);
    await reported('pausing').toBeLessThan(rows.length);
    blocked[0]?.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    await reported('paused').toBeGreaterThan(0);
    await first.runs.resume(runId);
    await reported('completed').toBe(rows.length);
    const counts = reports.map(({ rowsDone }) => rowsDone);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(new Set(reports.map((report) => report.runId))).toEqual(new Set([runId]));
  }, 90_000);
});
