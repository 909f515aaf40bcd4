// The status of a run without progress, as a page gets it: rows that wait for an earlier row, and pauses.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const uneven = `rowbench: 1
id: uneven
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: "=row.ms" }
  - { id: result, type: output, after: [wait], fields: { ms: "=row.ms" } }
`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ workflows: { uneven }, limits: 'off' });
});
afterAll(() => app.close());

it('rows that ended behind the first are shown as not stored, and a pause is no time of the run', async () => {
  const rows = [{ ms: 3_600_000 }, ...Array.from({ length: 63 }, () => ({ ms: 0 }))];
  const runId = await app.run('uneven', rows);
  const shown = () => app.handlers['run.show']({ runId });
  await expect.poll(shown, { timeout: 20_000 }).toMatchObject({
    rowsDone: 0,
    unsaved: { rowsDone: 63, rowsFailed: 0 },
    waiting: { rows: 63, forRow: 1 },
    running: [{ position: 1, nodeId: 'wait' }],
  });
  const publicStatus = () => app.call(`/api/v1/workflows/uneven/runs/${runId}/async/status`);
  await expect.poll(publicStatus).toMatchObject({ body: { data: { status: 'running' } } });
  await app.handlers['run.pause']({ runId });
  await expect.poll(shown, { timeout: 20_000 }).toMatchObject({ status: 'paused' });
  expect((await shown()).pausedAt).toMatch(/^20/);
  await app.handlers['run.resume']({ runId });
  await expect.poll(shown, { timeout: 20_000 }).toMatchObject({ status: 'running' });
  const again = await shown();
  expect(again).not.toHaveProperty('pausedAt');
  expect(again.pausedMs).toBeGreaterThanOrEqual(0);
  await app.handlers['run.cancel']({ runId });
  const ended = await shown();
  expect(ended).toMatchObject({ status: 'cancelled', pausedMs: again.pausedMs });
  for (const name of ['waiting', 'unsaved', 'running']) expect(ended).not.toHaveProperty(name);
});
