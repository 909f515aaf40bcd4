// Who gets a worker when: runs that only compute are no quicker with more workers than cores.
import { availableParallelism } from 'node:os';
import { beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import type { StartWorker } from '../../../src-main/executor/process/worker-process.ts';
import type { RowWorker } from '../../../src-main/executor/row-worker.ts';
import { WorkerPool } from '../../../src-main/executor/worker-pool.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

const cores = availableParallelism();

/** Processes that are ready at once and never do anything. */
const startWorker: StartWorker = (events) => {
  queueMicrotask(() => events.onMessage({ type: 'ready' }));
  return {
    send: () => undefined,
    cpuMs: () => undefined,
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
    startWorker: start,
  });

beforeEach(() => {
  clock = new FakeClock();
  pool = newPool(startWorker);
  granted = [];
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function lease(count: number, mayWait = false): Promise<void> {
  for (let nth = 0; nth < count; nth += 1)
    void pool.lease({ planKey: 'plan', isFirst: true, mayWait }).then(
      (worker) => granted.push(worker),
      // The pool was closed while it waited.
      () => undefined,
    );
  await turn();
}

it('gives a worker for each core at once, and as many more once those are out for long', async () => {
  await lease(cores * 2 + 1);
  expect(granted).toHaveLength(cores);
  clock.advance(24);
  await turn();
  expect(granted).toHaveLength(cores);
  clock.advance(1);
  await turn();
  expect(granted).toHaveLength(cores * 2);
  clock.advance(25);
  await turn();
  expect(granted).toHaveLength(cores * 2 + 1);
  await pool.close();
});

it('lets nobody wait for a run that has its workers for long', async () => {
  await lease(cores);
  clock.advance(25);
  await lease(cores);
  expect(granted).toHaveLength(cores * 2);
  const last = granted.at(-1);
  if (last === undefined) throw new Error('no worker');
  pool.release(last, 'plan');
  await lease(1);
  expect(granted).toHaveLength(cores * 2 + 1);
  await pool.close();
});

it('counts the time of a worker from when it has started, and waits for none that does not come to it', async () => {
  const begun: (() => void)[] = [];
  const slow: StartWorker = (events) => {
    begun.push(() => events.onMessage({ type: 'ready' }));
    return startWorker({ ...events, onMessage: () => undefined });
  };
  pool = newPool(slow);
  await lease(cores + 1);
  clock.advance(200);
  await turn();
  expect(begun).toHaveLength(cores);
  begun[0]?.();
  await turn();
  expect(granted).toHaveLength(1);
  clock.advance(25);
  await turn();
  expect(begun).toHaveLength(cores + 1);
  await lease(1);
  clock.advance(1000);
  await turn();
  for (const begin of begun) begin();
  await turn();
  expect(granted).toHaveLength(cores + 2);
  await pool.close();
});

it('gives the worker that is done to the run that waits, and starts no other one', async () => {
  await lease(cores + 1);
  const [first] = granted;
  if (first === undefined) throw new Error('no worker');
  pool.release(first, 'plan');
  await turn();
  expect(granted).toHaveLength(cores + 1);
  expect(granted.at(-1)).toBe(first);
  clock.advance(1000);
  await turn();
  expect(new Set(granted).size).toBe(cores);
  await pool.close();
});

it('lets nobody wait whose rows may wait for something else than a core', async () => {
  await lease(cores + 1);
  await lease(3, true);
  expect(granted).toHaveLength(cores + 3);
  await pool.close();
});

it('leaves no lease unanswered when it closes', async () => {
  for (let nth = 0; nth < cores; nth += 1) await lease(1);
  const waiting = pool.lease({ planKey: 'plan', isFirst: true, mayWait: false });
  void pool.close();
  await expect(waiting).rejects.toThrow('The worker pool is closed');
  expect(clock.pending).toBe(0);
});
