// A status call answers at once with the stored status: a small run may appear as queued, then as completed.
import { afterEach, expect, it } from 'vitest';
import {
  outputPath,
  sampleWorkflows,
  startTestApp,
  statusPath,
  type TestApp,
} from '../../builders/start-test-app.ts';

let app: TestApp;
afterEach(() => app.close());

const statusOf = async (workflowId: string, runId: string): Promise<string> => {
  const { body } = await app.call(statusPath(workflowId, runId));
  return (body as { data: { status: string } }).data.status;
};

it('the status of a small run is soon completed, and its output is there from then on', async () => {
  app = await startTestApp({ workflows: sampleWorkflows, limits: 'off', hasReadThread: true });
  for (let n = 0; n < 20; n += 1) {
    const runId = await app.run('echo', [{ n }]);
    await expect.poll(() => statusOf('echo', runId), { interval: 1 }).toBe('completed');
    const { body } = await app.call(outputPath('echo', runId));
    expect(Object.values((body as { data: object }).data)).toEqual([{ row: { n } }]);
  }
});

it('a status call does not wait for the run', async () => {
  app = await startTestApp({ workflows: sampleWorkflows, limits: 'off', hasReadThread: true });
  const runId = await app.run('waiting', [{}]);
  expect(['queued', 'running']).toContain(await statusOf('waiting', runId));
  await expect.poll(() => statusOf('waiting', runId)).toBe('running');
});
