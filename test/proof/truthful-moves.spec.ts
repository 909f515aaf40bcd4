// A run that is reported as paused has no call under way on any machine, and none begins until it is resumed. Of a run that
// is reported as cancelled, no further call is answered.
// ROWBENCH_MOVES sets the number of pauses and cancels, ROWBENCH_SEED the random sequence.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { TestServices } from '../builders/open-test-services.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { aloneAndTeam } from '../builders/team-of-two.ts';
import { isLong, report, timeoutMs } from './length.ts';

const moves = Number(process.env['ROWBENCH_MOVES'] ?? (isLong ? 10_000 : 10));
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_261_127);
/** Runs that are moved at the same time. */
const runsAtOnce = 4;
/** Rows of a run: more than end between its first move and its last. */
const rows = 5_000;
/** Time that the service takes for an answer, in ms. A call that is broken off is seen as closed before it is answered. */
const [minAnswerMs, maxAnswerMs] = [5, 25];

const flow = (url: string): string => `rowbench: 1
id: calling
concurrency: 8
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "${url}{{ row.run }}" } }
  - { id: result, type: output, after: [call], fields: { run: "=row.run" } }
`;

/** A service that counts the calls of each run: all that came, those under way, and the last one that it answered. */
async function countingService(random: () => number) {
  const byRun = new Map<string, { open: number; begun: number; lastAnswered: number }>();
  const countsOf = (run: string) => {
    const counts = byRun.get(run) ?? { open: 0, begun: 0, lastAnswered: 0 };
    byRun.set(run, counts);
    return counts;
  };
  const server = createServer((request, response) => {
    const counts = countsOf((request.url ?? '').slice(1));
    counts.open += 1;
    counts.begun += 1;
    response.once('close', () => (counts.open -= 1));
    const number = counts.begun;
    response.once('finish', () => (counts.lastAnswered = Math.max(counts.lastAnswered, number)));
    request.resume().once('end', () => {
      void setTimeout(minAnswerMs + random() * (maxAnswerMs - minAnswerMs)).then(() => response.end('{}'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, countsOf };
}

it.each(aloneAndTeam)(
  `%s reports none of ${moves} pauses and cancels too early`,
  async (name, open) => {
    const random = seededRandom(seed);
    const { url, countsOf } = await countingService(random);
    const pair = await open({ calling: flow(url) });
    await pair.first.trust.grant('calling', { allow: ['loopback'], deny: [] });
    await pair.second.trust.grant('calling', { allow: ['loopback'], deny: [] });
    const one = (): TestServices => (random() < 0.5 ? pair.first : pair.second);
    const faults: string[] = [];
    const made = { paused: 0, cancelled: 0 };

    async function moveRuns(tag: string): Promise<void> {
      for (let number = 0; made.paused + made.cancelled < moves; number += 1) {
        const run = `${tag}-${number}`;
        const { runId } = await one().start(
          'calling',
          Array.from({ length: rows }, () => ({ run })),
        );
        await moveRun(runId, run);
      }
    }

    /** Pauses and resumes a run, and cancels it in the end. */
    async function moveRun(runId: string, run: string): Promise<void> {
      const counts = countsOf(run);
      for (let isOver = false; !isOver;) {
        const { begun } = counts;
        await expect.poll(() => counts.begun, { timeout: 30_000, interval: 2 }).toBeGreaterThan(begun);
        await setTimeout(random() * 3 * maxAnswerMs);
        isOver = random() < 0.1 || made.paused + made.cancelled >= moves;
        const target = isOver ? 'cancelled' : 'paused';
        await (isOver ? one().runs.cancel(runId) : one().runs.pause(runId));
        const status = async () => (await one().runs.get(runId)).run.status;
        await expect.poll(status, { timeout: 30_000, interval: 2 }).toBe(target);
        const then = { ...counts };
        if (!isOver && then.open > 0) faults.push(`${run} was paused with ${then.open} calls under way`);
        await setTimeout(random() * 2 * maxAnswerMs);
        if (!isOver && counts.begun > then.begun) faults.push(`${run} was paused and made a call`);
        if (isOver && counts.lastAnswered > then.begun) faults.push(`${run} was cancelled and made a call`);
        made[target] += 1;
        if (!isOver) await one().runs.resume(runId);
      }
    }

    await Promise.all(Array.from({ length: runsAtOnce }, (_, index) => moveRuns(`run-${index}`)));
    expect(faults).toEqual([]);
    report(`${name}: ${made.paused} pauses, ${made.cancelled} cancels, none reported too early`);
  },
  timeoutMs(60_000 + moves * 600),
);
