// A node that calls a workflow ignored the Retry-After of a call inside, and also a refusal that no retry can change.
// The node retried at its own pace, without end.
import { expect, it } from 'vitest';
import { VirtualClock } from '../../src-main/base/virtual-clock.ts';
import { testExecution, testPool } from '../builders/execution-rig.ts';
import { jsonAnswer, scriptedUpstream } from '../builders/scripted-upstream.ts';
import { planOfSet, workflowOf } from '../builders/workflow-set.ts';

const plan = planOfSet([
  workflowOf(
    'outer',
    '  - { id: sub, type: workflow, workflow: inner, row: "=row", retry: { attempts: 3, delay: 1ms } }',
    '{ got: "=nodes.sub" }',
  ),
  workflowOf(
    'inner',
    '  - { id: call, type: http, request: { url: "https://api.example.com/" } }',
    '{ status: "=nodes.call.status" }',
  ),
]);

it('a retry of the calling node waits as long as the service inside asked', async () => {
  const clock = new VirtualClock(0);
  const times: number[] = [];
  const upstream = scriptedUpstream((_request, nth) => {
    times.push(clock.monotonic());
    return nth === 1 ? jsonAnswer({}, { status: 429, retryAfterMs: 7000 }) : jsonAnswer({});
  });
  const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{}], upstream, clock });
  await execution.run();
  expect(sink.outputs).toEqual([{ got: { status: 200 } }]);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(7000);
});

it('a call inside that can come to nothing else is not tried again', async () => {
  const upstream = scriptedUpstream(() => ({ kind: 'failed', message: 'is not recorded', isFinal: true }));
  const { execution } = testExecution(plan, { pool: testPool(), rows: [{}], upstream });
  expect(await execution.run()).toMatchObject({ kind: 'failed' });
  expect(upstream.requests).toHaveLength(1);
});
