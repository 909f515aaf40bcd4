// The order in which runs get workers. Runs that only compute are no quicker with more workers than cores.
import { availableParallelism } from 'node:os';
import { beforeEach, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import type { StartWorker } from '../../../src-main/executor/process/worker-process.ts';
import type { RowWorker } from '../../../src-main/executor/pool/row-worker.ts';
import { WorkerPool } from '../../../src-main/executor/pool/worker-pool.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

const cores = availableParallelism();

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
    startWorker: start,
  });

beforeEach(() => {
  clock = new FakeClock();
  pool = newPool(startWorker);
  granted = [];
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Asked = Partial<Parameters<WorkerPool['lease']>[0]>;

async function lease(count: number, asked: Asked = {}): Promise<void> {
  for (let nth = 0; nth < count; nth += 1)
    void pool.lease({ owner: {}, planKey: 'plan', isFirst: true, mayWait: false, ...asked }).then(
      (worker) => {
        if (worker !== undefined) granted.push(worker);
      },
      // The pool was closed while it waited.
      () => undefined,
    );
  await turn();
}

const last = (): RowWorker => {
  const worker = granted.at(-1);
  if (worker === undefined) throw new Error('no worker');
  return worker;
};

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
  pool.release(last(), 'plan');
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
  await lease(3, { mayWait: true });
  expect(granted).toHaveLength(cores + 3);
  await pool.close();
});

it('lets no further worker of a run wait for ever, however many small runs come and go', async () => {
  await lease(cores * 2);
  await lease(1, { isFirst: false });
  for (let ms = 0; ms < 250; ms += 10) {
    expect(granted.length % cores).toBe(0);
    for (const worker of granted.slice(-cores)) pool.release(worker, 'plan');
    await lease(cores);
    clock.advance(10);
    await turn();
  }
  expect(granted.length % cores).toBe(1);
  await pool.close();
});

it('gives nothing to whoever needs no worker any more, and lets nobody wait behind them', async () => {
  const owner = {};
  await lease(cores);
  const withdrawn = pool.lease({ owner, planKey: 'plan', isFirst: true, mayWait: false });
  pool.withdraw(owner);
  await expect(withdrawn).resolves.toBeUndefined();
  await lease(1);
  const worker = last();
  pool.release(worker, 'plan');
  await turn();
  expect(granted).toHaveLength(cores + 1);
  expect(last()).toBe(worker);
  await pool.close();
});

it('gives a worker that is there at once, though others are being started on every core', async () => {
  let isSlow = false;
  pool = newPool((events) => startWorker(isSlow ? { ...events, onMessage: () => undefined } : events));
  await lease(1, { planKey: 'known' });
  const known = last();
  pool.release(known, 'known');
  isSlow = true;
  await lease(cores, { planKey: 'new' });
  await lease(1, { planKey: 'known' });
  expect(granted).toEqual([known, known]);
});

it('keeps the blank worker alone, a minute after runs of several workflows', async () => {
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
  pool.warm();
  for (const planKey of ['a', 'a', 'b', 'c']) {
    await lease(1, { planKey });
    clock.advance(250);
    await turn();
  }
  for (const [at, planKey] of ['a', 'a', 'b', 'c'].entries()) {
    const worker = granted[at];
    if (worker !== undefined) pool.release(worker, planKey);
  }
  const alive = (): number => started.filter((hasEnded) => !hasEnded()).length;
  expect(alive()).toBe(5);
  clock.advance(60_000);
  await turn();
  expect(granted.map(({ hasEnded }) => hasEnded)).toEqual([true, true, true, true]);
  expect(alive()).toBe(1);
  await lease(1, { planKey: 'd' });
  expect(started).toHaveLength(5);
  await pool.close();
});

it('leaves no lease unanswered when it closes', async () => {
  for (let nth = 0; nth < cores; nth += 1) await lease(1);
  const waiting = pool.lease({ owner: {}, planKey: 'plan', isFirst: true, mayWait: false });
  void pool.close();
  await expect(waiting).rejects.toThrow('The worker pool is closed');
  expect(clock.pending).toBe(0);
});

it('a pool that closes ends a spare worker whose start never comes to its end', async () => {
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
  pool.warm();
  await turn();
  // The clock stands still: the start is not given up for having taken too long.
  await pool.close();
  expect(ended).toEqual(['killed']);
});
