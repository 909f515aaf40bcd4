import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { deferred } from '../../../../src-main/base/deferred.ts';
import { silentLog } from '../../../../src-main/base/log.ts';
import { lookEveryMs, WorkflowWatch } from '../../../../src-main/services/workflows/workflow-watch.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';

/** A stream that lasts until it is ended. */
function stream() {
  const { promise, resolve } = deferred();
  const updates = (async function* () {
    yield 'first';
    await promise;
  })();
  return { updates, end: resolve };
}

it('files are looked at once a second while somebody watches, and not otherwise', async () => {
  const clock = new FakeClock();
  let looks = 0;
  const workflows = {
    refresh: async () => {
      looks += 1;
      if (looks === 2) throw new Error('the disk is away');
    },
  };
  const watch = new WorkflowWatch({ workflows, clock, log: silentLog });
  const seconds = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      clock.advance(lookEveryMs);
      await turn();
    }
  };
  await seconds(2);
  expect(looks).toBe(0);
  const [one, other] = [stream(), stream()];
  const readers = [watch.during(one.updates), watch.during(other.updates)];
  for (const reader of readers) await reader.next();
  await seconds(3);
  expect(looks).toBe(3);
  one.end();
  await readers[0]?.next();
  await seconds(1);
  expect(looks).toBe(4);
  other.end();
  await readers[1]?.next();
  await seconds(3);
  expect(looks).toBe(4);
});
