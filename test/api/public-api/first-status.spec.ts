// The first status call of a small run tells its end; that of a long one comes soon all the same.
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

it('tells small runs as completed, with an output that is there', async () => {
  app = await startTestApp({ workflows: sampleWorkflows, limits: 'off' });
  // A worker's first runs take longer than the moment that is waited.
  for (let tries = 0; tries < 50; tries += 1) {
    const runId = await app.run('echo', [{ n: tries }]);
    if ((await statusOf('echo', runId)) !== 'completed') continue;
    const { body } = await app.call(outputPath('echo', runId));
    expect(Object.values((body as { data: object }).data)).toEqual([{ row: { n: tries } }]);
    return;
  }
  throw new Error('none of 50 runs was told as completed at once');
});

it('tells a run that waits as running', async () => {
  app = await startTestApp({ workflows: sampleWorkflows, limits: 'off' });
  const runId = await app.run('waiting', [{}]);
  expect(['queued', 'running']).toContain(await statusOf('waiting', runId));
});
