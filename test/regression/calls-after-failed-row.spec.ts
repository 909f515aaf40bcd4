// A batch is done when its failed row and the rows before it have ended. Calls of its later rows were then cancelled
// without a message to their worker, which kept waiting for the answers. A pause never settled, and virtual time stood
// still.
import { expect, it } from 'vitest';
import { deferred } from '../../src-main/base/deferred.ts';
import { VirtualClock } from '../../src-main/base/virtual-clock.ts';
import type { Plan } from '../../src-main/executor/plan.ts';
import type { UpstreamAnswer } from '../../src-main/executor/ports.ts';
import { FakeClock } from '../builders/fake-clock.ts';
import { planOf, testExecution, testPool } from '../builders/execution-rig.ts';
import { recordedLog } from '../builders/recorded-log.ts';
import { jsonAnswer, scriptedUpstream } from '../builders/scripted-upstream.ts';

/** Two batches on one worker: the second one's first row fails, and none of its others is answered. */
const rows = Array.from({ length: 40 }, (_, index) => ({ n: index + 1 }));
/** Rows that call services go to workers one by one at first; here they come in batches of 32. */
const inBatches = (workflow: string): Plan => ({ ...planOf(workflow), reachesOut: false });
const lastOfFirst = 32;
const failing = 33;
const failure = { kind: 'failed', error: expect.stringContaining('on row 33') as string };

function outside() {
  const last = deferred<UpstreamAnswer>();
  const refusal = deferred<UpstreamAnswer>();
  let calledOff = 0;
  const upstream = scriptedUpstream(({ url }, _nth, { signal }) => {
    const n = Number(url.split('/').at(-1));
    if (n < lastOfFirst) return jsonAnswer(n);
    if (n === lastOfFirst) return last.promise;
    if (n === failing) return refusal.promise;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        calledOff += 1;
        reject(new Error('called off'));
      });
    });
  });
  return {
    upstream,
    /** Advances until only the last row of the first batch is left. */
    goOn: async (): Promise<void> => {
      await expect.poll(() => upstream.requests.length).toBe(rows.length);
      refusal.resolve(jsonAnswer({}, { status: 500 }));
      await expect.poll(() => calledOff).toBe(rows.length - failing);
    },
    answerLast: () => last.resolve(jsonAnswer(lastOfFirst)),
  };
}

it('a pause settles though rows after a failed one were not answered', async () => {
  const plan = inBatches(`
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "https://x.example/{{ row.n }}" } }
  - { id: second, type: set, values: { n: "=nodes.call.body" } }
  - { id: out, type: output, fields: { n: "=nodes.second.n" } }`);
  const { upstream, goOn, answerLast } = outside();
  const { execution } = testExecution(plan, { firstBatchRows: 32, pool: testPool(), rows, upstream });
  const over = execution.run();
  await goOn();
  const paused = execution.pause();
  answerLast();
  await paused;
  expect(execution.isPaused).toBe(true);
  execution.resume();
  expect(await over).toEqual(failure);
});

it('virtual time goes on though rows after a failed one were not answered', async () => {
  const plan = inBatches(`
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "https://x.example/{{ row.n }}" } }
  - { id: nap, type: delay, for: 1s, after: [call], when: "=row.n === 32" }
  - { id: out, type: output, after: [nap], fields: { n: "=row.n" } }`);
  const { upstream, goOn, answerLast } = outside();
  const clock = new VirtualClock(0);
  const { execution } = testExecution(plan, { firstBatchRows: 32, pool: testPool(), rows, upstream, clock });
  const over = execution.run();
  await goOn();
  answerLast();
  expect(await over).toEqual(failure);
});

it('rows after a failed one try nothing again, and nothing of theirs goes on', async () => {
  const plan = inBatches(`
nodes:
  - { id: input, type: input }
  - id: call
    type: http
    request: { url: "https://x.example/{{ row.n }}" }
    retry: { attempts: 3, delay: 1ms }
    onError: { value: 0 }
  - { id: refuse, type: fail, after: [call], when: "=row.n === 33", message: refused }
  - { id: again, type: http, after: [refuse], when: "=row.n > 32", request: { url: "https://x.example/{{ row.n }}" } }
  - { id: out, type: output, after: [again], fields: { n: "=row.n" } }`);
  const { upstream, goOn, answerLast } = outside();
  const { execution } = testExecution(plan, { firstBatchRows: 32, pool: testPool(), rows, upstream });
  const over = execution.run();
  await goOn();
  answerLast();
  expect(await over).toEqual(failure);
  // The failing row's call, three times; the others' once.
  expect(upstream.requests).toHaveLength(rows.length + 2);
});

it('a row after a failed one that waits before its first node ends without its worker', async () => {
  const plan = planOf(`
concurrency: 3
nodes:
  - { id: input, type: input }
  - { id: nap, type: delay, for: "=row.n === 33 ? 30000 : 3600000", when: "=row.n === 32 || row.n === 33" }
  - { id: refuse, type: fail, after: [nap], when: "=row.n === 33", message: refused }
  - { id: out, type: output, after: [refuse], fields: { n: "=row.n" } }`);
  const clock = new FakeClock();
  const { log, lines } = recordedLog();
  const scenario = { slowMs: 60_000 };
  const { execution } = testExecution(plan, {
    firstBatchRows: 32,
    pool: testPool(),
    rows,
    clock,
    log,
    scenario,
  });
  const over = execution.run();
  for (let row = 1; row <= failing; row += 3) {
    await expect.poll(() => clock.pending).toBe(3);
    clock.advance(60_000);
  }
  await expect.poll(() => clock.pending).toBe(3);
  clock.advance(30_000);
  await expect.poll(() => clock.pending).toBe(1);
  clock.advance(3_600_000);
  expect(await over).toEqual(failure);
  expect(lines).toEqual([]);
});
