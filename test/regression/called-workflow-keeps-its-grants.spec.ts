// A workflow that was called made its calls with its caller's grants, so that a grant denied to it meant nothing.
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';
import { startUpstream } from '../builders/upstream-server.ts';
import { workflowOf } from '../builders/workflow-set.ts';

it('a call is made only where every workflow of the run may call', async () => {
  const upstream = await startUpstream();
  const inner = workflowOf(
    'inner',
    `  - { id: call, type: http, request: { url: "${upstream.url('/')}" } }`,
    '{ s: "=nodes.call.status" }',
  );
  const outer = workflowOf(
    'outer',
    '  - { id: sub, type: workflow, workflow: inner, row: "=row" }',
    '{ s: "=nodes.sub.s" }',
  );
  const services = await openTestServices({ inner, outer });
  const run = async () => {
    const { runId } = await services.start('outer', [{}]);
    await expect
      .poll(async () => (await services.runs.get(runId)).run.finishedAt, { timeout: 10_000 })
      .not.toBeNull();
    return (await services.runs.get(runId)).run;
  };
  await services.trust.grant('outer', { allow: ['loopback'], deny: [] });
  expect(await run()).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('inner was not granted') as string,
  });
  expect(upstream.calls).toHaveLength(0);
  await services.trust.grant('inner', { allow: ['loopback'], deny: [] });
  expect((await run()).status).toBe('completed');
});
