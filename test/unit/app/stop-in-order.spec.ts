import { expect, it } from 'vitest';
import { stopInOrder, type StopStep } from '../../../src-main/app/stop-in-order.ts';
import type { Log } from '../../../src-main/base/log.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

function start() {
  const clock = new FakeClock();
  const logged: { level: string; fields: object; message: string }[] = [];
  const log: Log = {
    ...silentLog,
    warn: (fields, message) => void logged.push({ level: 'warn', fields, message }),
    error: (fields, message) => void logged.push({ level: 'error', fields, message }),
  };
  const begun: string[] = [];
  const step = (name: string, budgetMs: number, stop: () => Promise<void>, more = {}): StopStep => ({
    name,
    budgetMs,
    stop: () => {
      begun.push(name);
      return stop();
    },
    ...more,
  });
  return { clock, logged, begun, step, deps: { clock, log } };
}

const never = (): Promise<void> => new Promise(() => undefined);
const atOnce = (): Promise<void> => Promise.resolve();
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('steps stop one after the other, and leave no timer', async () => {
  const { clock, logged, begun, step, deps } = start();
  let endFirst: () => void = () => undefined;
  const first = (): Promise<void> => new Promise((resolve) => (endFirst = resolve));
  const stopped = stopInOrder([step('first', 100, first), step('second', 100, atOnce)], deps);
  await turn();
  expect(begun).toEqual(['first']);
  endFirst();
  await stopped;
  expect([begun, logged, clock.pending]).toEqual([['first', 'second'], [], 0]);
});

it('a step that hangs is named in the log once its deadline has passed, and the next one follows', async () => {
  const { clock, logged, begun, step, deps } = start();
  const stopped = stopInOrder([step('stuck', 100, never), step('next', 100, atOnce)], deps);
  await turn();
  clock.advance(99);
  await turn();
  expect([begun, logged]).toEqual([['stuck'], []]);
  clock.advance(1);
  await stopped;
  expect(begun).toEqual(['stuck', 'next']);
  expect(logged).toEqual([
    {
      level: 'warn',
      fields: { step: 'stuck', ms: 100 },
      message: 'stop: "stuck" did not end within 0.1 s and is left behind',
    },
  ]);
});

it('a step may take what the steps before it did not need', async () => {
  const { clock, logged, step, deps } = start();
  const stopped = stopInOrder([step('quick', 4_000, atOnce), step('slow', 2_000, never)], deps);
  await turn();
  clock.advance(5_999);
  await turn();
  expect(logged).toEqual([]);
  clock.advance(1);
  await stopped;
  expect(logged).toHaveLength(1);
});

it('steps that all hang take the sum of their budgets', async () => {
  const { clock, logged, step, deps } = start();
  let hasStopped = false;
  const stopped = stopInOrder([step('a', 300, never), step('b', 200, never)], deps).then(
    () => (hasStopped = true),
  );
  for (const [ms, lines, isOver] of [
    [299, 0, false],
    [1, 1, false],
    [199, 1, false],
    [1, 2, true],
  ] as const) {
    await turn();
    clock.advance(ms);
    await turn();
    expect([logged.length, hasStopped]).toEqual([lines, isOver]);
  }
  await stopped;
});

it('a step that needs all before it to have ended is left out when one of them hangs', async () => {
  const { clock, begun, step, deps } = start();
  const lock = step('lock', 100, atOnce, { onlyAfterAll: true });
  const stopped = stopInOrder([step('writer', 100, never), lock], deps);
  await turn();
  clock.advance(100);
  await stopped;
  expect(begun).toEqual(['writer']);
  await stopInOrder([step('writer', 100, atOnce), lock], deps);
  expect(begun).toEqual(['writer', 'writer', 'lock']);
});

it.each([
  ['rejects', () => Promise.reject(new Error('no disk'))],
  [
    'throws',
    () => {
      throw new Error('no disk');
    },
  ],
])('a step that %s is named in the log, and the next one follows', async (_, stop) => {
  const { logged, begun, step, deps } = start();
  await stopInOrder([step('broken', 100, stop), step('next', 100, atOnce, { onlyAfterAll: true })], deps);
  expect(begun).toEqual(['broken', 'next']);
  expect(logged).toMatchObject([
    { level: 'error', fields: { step: 'broken', error: { message: 'no disk' } } },
  ]);
});
