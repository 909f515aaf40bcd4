import { expect, it } from 'vitest';
import { deferred, type Deferred } from '../../../../src-main/base/deferred.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';
import { RunQueue, type Queued } from '../../../../src-main/services/runs/run-queue.ts';

class FakeRun implements Queued {
  readonly ended: Deferred = deferred();
  readonly name: string;
  holdMs = 0;
  readonly #began: string[];
  constructor(name: string, began: string[]) {
    this.name = name;
    this.#began = began;
  }
  execute(): Promise<void> {
    this.#began.push(this.name);
    return this.ended.promise;
  }
}

function queueOf(capacity: number) {
  const began: string[] = [];
  const errors: unknown[] = [];
  const clock = new FakeClock();
  const onError = (error: unknown): void => void errors.push(error);
  const queue = new RunQueue<FakeRun>({ capacity: () => capacity, onError, clock });
  queue.open();
  const run = (name: string): FakeRun => new FakeRun(name, began);
  return { queue, began, errors, run, clock };
}

it('executes runs in order, no more than fit at once', async () => {
  const { queue, began, run } = queueOf(2);
  const runs = ['a', 'b', 'c', 'd'].map(run);
  runs.forEach((each) => queue.push(each));
  expect(began).toEqual(['a', 'b']);
  runs[1]?.ended.resolve();
  await expect.poll(() => began).toEqual(['a', 'b', 'c']);
  runs[0]?.ended.resolve();
  await expect.poll(() => began).toEqual(['a', 'b', 'c', 'd']);
});

it('never begins a run that was taken out', async () => {
  const { queue, began, run } = queueOf(1);
  const [first, second, third] = [run('a'), run('b'), run('c')];
  [first, second, third].forEach((each) => queue.push(each));
  queue.remove(second);
  first.ended.resolve();
  await expect.poll(() => began).toEqual(['a', 'c']);
});

it('goes on with the next run when one could not start', async () => {
  const { queue, began, errors, run } = queueOf(1);
  const broken = run('a');
  queue.push(broken);
  queue.push(run('b'));
  broken.ended.reject(new Error('no worker'));
  await expect.poll(() => began).toEqual(['a', 'b']);
  expect(errors).toHaveLength(1);
});

it('gives a run that comes back while it still ends its turn afterwards', async () => {
  const { queue, began, run } = queueOf(2);
  const again = run('a');
  queue.push(again);
  queue.push(again);
  expect(began).toEqual(['a']);
  again.ended.resolve();
  await expect.poll(() => began).toEqual(['a', 'a']);
});

it('begins nothing after it was closed', async () => {
  const { queue, began, run } = queueOf(1);
  const first = run('a');
  queue.push(first);
  queue.push(run('b'));
  queue.close();
  first.ended.resolve();
  queue.push(run('c'));
  await first.ended.promise;
  await Promise.resolve();
  expect(began).toEqual(['a']);
});

it('holds runs until it is opened', () => {
  const began: string[] = [];
  const queue = new RunQueue<FakeRun>({
    capacity: () => 2,
    onError: () => undefined,
    clock: new FakeClock(),
  });
  queue.push(new FakeRun('a', began));
  expect(began).toEqual([]);
  queue.open();
  expect(began).toEqual(['a']);
});

it("keeps a run that is held back out of everybody's way", () => {
  const { queue, began, run, clock } = queueOf(1);
  const [delayed, other] = [run('held'), run('other')];
  delayed.holdMs = 1000;
  queue.push(delayed);
  clock.advance(999);
  expect(began).toEqual([]);
  queue.push(other);
  expect(began).toEqual(['other']);
  delayed.holdMs = 0;
  clock.advance(1);
  other.ended.resolve();
  return expect.poll(() => began).toEqual(['other', 'held']);
});

it('forgets a held run that is taken out, or when it closes', () => {
  const { queue, began, run, clock } = queueOf(2);
  const runs = ['a', 'b'].map(run);
  for (const each of runs) {
    each.holdMs = 1000;
    queue.push(each);
  }
  queue.remove(runs[0] ?? run('none'));
  queue.close();
  queue.push(runs[0] ?? run('none'));
  expect(clock.pending).toBe(0);
  clock.advance(1000);
  expect(began).toEqual([]);
});
