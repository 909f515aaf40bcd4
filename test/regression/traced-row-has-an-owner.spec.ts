// No service controlled a row that ran again for its trace. The row outlived the services, kept its worker without a
// time limit, and ran workflows whose trust had been revoked.
import { expect, it } from 'vitest';
import { FakeClock } from '../builders/fake-clock.ts';
import { openTestServices } from '../builders/open-test-services.ts';
import { untilRunning } from '../builders/until-running.ts';
import { workflowOf } from '../builders/workflow-set.ts';

const slow = workflowOf('slow', '  - { id: pause, type: delay, for: 1h }', '{ n: "=row.n" }');

async function cancelledRun() {
  const clock = new FakeClock();
  const services = await openTestServices({ slow }, { clock });
  const { runId } = await services.start('slow', [{ n: 1 }]);
  await untilRunning(clock, async () => (await services.runs.get(runId)).run.status);
  await services.runs.cancel(runId);
  return { services, clock, runId };
}

it('a traced rerun of a row ends with the services', async () => {
  const { services, runId } = await cancelledRun();
  const rejection = expect(services.traces.again(runId, 1)).rejects.toMatchObject({
    code: 'move_not_allowed',
  });
  await expect.poll(() => services.traces.runningAgain).toBe(1);
  await services.close();
  await rejection;
});

it('a traced rerun of a row is given up before its client stops waiting', async () => {
  const { services, clock, runId } = await cancelledRun();
  const rejection = expect(services.traces.again(runId, 1)).rejects.toMatchObject({
    code: 'move_not_allowed',
  });
  await expect.poll(() => services.traces.runningAgain).toBe(1);
  clock.advance(50_000);
  await rejection;
  expect(services.traces.runningAgain).toBe(0);
});

it('traced reruns of rows leave most workers to runs', async () => {
  const { services, runId } = await cancelledRun();
  const requests = Array.from({ length: 4 }, () => services.traces.again(runId, 1).catch(() => undefined));
  await expect.poll(() => services.traces.runningAgain).toBe(4);
  await expect(services.traces.again(runId, 1)).rejects.toMatchObject({ code: 'move_not_allowed' });
  await services.close();
  await Promise.all(requests);
});
