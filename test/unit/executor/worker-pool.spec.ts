// The order in which runs get workers, and the workers that the pool keeps.
import { beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import type { StartWorker } from '../../../src-main/executor/process/worker-process.ts';
import type { RowWorker } from '../../../src-main/executor/pool/row-worker.ts';
import { WorkerPool } from '../../../src-main/executor/pool/worker-pool.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

const maxWorkers = 3;

/** Processes that are ready at once and never do anything. */
const startWorker: StartWorker = (events) => {
  queueMicrotask(() => events.onMessage({ type: 'ready' }));
  return {
    send: () => undefined,
    cpuMs: () => undefined,
    residentBytes: () => undefined,
    kill: () => events.onExit({ code: null, signal: 'SIGKILL', errorText: '' }),
  };
};

let clock: FakeClock;
let pool: WorkerPool;
let granted: RowWorker[];

const newPool = (start: StartWorker): WorkerPool =>
  new WorkerPool({
    workerScript: '',
    clock,
    log: silentLog,
    timeLimitMs: 1000,
    memoryMb: 1,
    maxWorkers,
    startWorker: start,
  });

beforeEach(() => {
  clock = new FakeClock();
  pool = newPool(startWorker);
  granted = [];
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Request = Partial<Parameters<WorkerPool['lease']>[0]>;

async function lease(count: number, request: Request = {}): Promise<void> {
  for (let nth = 0; nth < count; nth += 1)
    void pool.lease({ owner: {}, planKey: 'plan', isFirst: true, ...request }).then(
      (worker) => {
        if (worker !== undefined) granted.push(worker);
      },
      // The pool was closed while the request waited.
      () => undefined,
    );
  await nextTurn();
}

function lastGranted(): RowWorker {
  const worker = granted.at(-1);
  if (worker === undefined) throw new Error('no worker');
  return worker;
}

it('the pool grants as many workers as it may have', async () => {
  await lease(maxWorkers + 1);
  expect(granted).toHaveLength(maxWorkers);
  await pool.close();
});

it('a released worker goes to the run that waits, and no other one is started', async () => {
  await lease(maxWorkers + 1);
  const [first] = granted;
  if (first === undefined) throw new Error('no worker');
  pool.release(first, 'plan');
  await nextTurn();
  expect(granted).toHaveLength(maxWorkers + 1);
  expect(lastGranted()).toBe(first);
  await pool.close();
});

it("a run's first worker goes before the further workers of other runs", async () => {
  await lease(maxWorkers);
  const order: string[] = [];
  for (const [name, isFirst] of [
    ['further', false],
    ['first', true],
    ['second', true],
  ] as const)
    void pool.lease({ owner: {}, planKey: 'plan', isFirst }).then(() => order.push(name));
  for (const worker of [...granted]) pool.release(worker, 'plan');
  await nextTurn();
  expect(order).toEqual(['first', 'second', 'further']);
  await pool.close();
});

it('a paused worker leaves room for a worker of another run', async () => {
  await lease(maxWorkers + 1);
  pool.pauseWorker();
  await nextTurn();
  expect(granted).toHaveLength(maxWorkers + 1);
  pool.resumeWorker();
  await lease(1);
  expect(granted).toHaveLength(maxWorkers + 1);
  await pool.close();
});

it('a withdrawn request resolves to no worker and keeps no other request waiting', async () => {
  const owner = {};
  await lease(maxWorkers);
  const withdrawn = pool.lease({ owner, planKey: 'plan', isFirst: true });
  pool.withdraw(owner);
  await expect(withdrawn).resolves.toBeUndefined();
  await lease(1);
  const worker = lastGranted();
  pool.release(worker, 'plan');
  await nextTurn();
  expect(granted).toHaveLength(maxWorkers + 1);
  expect(lastGranted()).toBe(worker);
  await pool.close();
});

/** A pool whose processes are counted. */
function countedPool(): { readonly started: () => number; readonly alive: () => number } {
  const started: (() => boolean)[] = [];
  pool = newPool((events) => {
    let hasEnded = false;
    started.push(() => hasEnded);
    const onExit: typeof events.onExit = (exit) => {
      hasEnded = true;
      events.onExit(exit);
    };
    return startWorker({ ...events, onExit });
  });
  return {
    started: () => started.length,
    alive: () => started.filter((hasEnded) => !hasEnded()).length,
  };
}

it('the warm worker alone stays, a minute after runs of several workflows', async () => {
  const { alive } = countedPool();
  pool.keepWarm();
  const planKeys = ['a', 'a', 'b'];
  for (const planKey of planKeys) await lease(1, { planKey });
  planKeys.forEach((planKey, index) => {
    const worker = granted[index];
    if (worker !== undefined) pool.release(worker, planKey);
  });
  expect(alive()).toBe(3);
  clock.advance(60_000);
  await nextTurn();
  expect(granted.map(({ hasEnded }) => hasEnded)).toEqual([true, true, true]);
  expect(alive()).toBe(1);
  await lease(1, { planKey: 'd' });
  expect(granted).toHaveLength(4);
  await pool.close();
});

it('the next warm worker starts two seconds after the last run began with a new worker', async () => {
  const { started } = countedPool();
  pool.keepWarm();
  await lease(1, { planKey: 'a' });
  expect(started()).toBe(1);
  clock.advance(1_500);
  // A second workflow within this time starts a worker of its own.
  await lease(1, { planKey: 'b' });
  expect(granted).toHaveLength(2);
  clock.advance(1_999);
  expect(started()).toBe(2);
  clock.advance(1);
  await nextTurn();
  expect(started()).toBe(3);
  await lease(1, { planKey: 'c' });
  expect([granted.length, started()]).toEqual([3, 3]);
  await pool.close();
  expect(clock.pending).toBe(0);
});

it('a pool that closes rejects the requests that wait', async () => {
  await lease(maxWorkers);
  const waiting = pool.lease({ owner: {}, planKey: 'plan', isFirst: true });
  void pool.close();
  await expect(waiting).rejects.toThrow('The worker pool is closed');
  expect(clock.pending).toBe(0);
});

it('a pool that closes ends a warm worker whose start never comes to its end', async () => {
  const ended: string[] = [];
  pool = newPool((events) => ({
    send: () => undefined,
    cpuMs: () => undefined,
    residentBytes: () => undefined,
    kill: () => {
      ended.push('killed');
      events.onExit({ code: null, signal: 'SIGKILL', errorText: '' });
    },
  }));
  pool.keepWarm();
  await nextTurn();
  // The clock stands still: the start is not ended for having taken too long.
  await pool.close();
  expect(ended).toEqual(['killed']);
});
