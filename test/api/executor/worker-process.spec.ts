import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { OrphanGuard } from '../../../src-main/executor/process/orphan-guard.ts';
import { forkWorkers, makeWorkingFolder } from '../../../src-main/executor/process/fork-worker.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { planOf, runRows, testExecution, testPool } from '../../builders/execution-rig.ts';
import { rowWorkers } from '../../builders/row-workers.ts';
import { closeSharedWorkers } from '../../builders/processes-for-tests.ts';

beforeAll(closeSharedWorkers);

const workflow = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: out, type: output, fields: { n: "=row.n" } }`;

describe('the process of a row worker', () => {
  it.each([
    ['no threads', 'main-process', 'ERR_ACCESS_DENIED'],
    ['threads only where it watches its own memory', 'worker-thread', 'Worker'],
  ] as const)('has no environment, no files, no processes and %s', async (_, memoryWatcher, thread) => {
    const folder = await makeWorkingFolder();
    const script = join(import.meta.dirname, '../../fixtures/probe-worker.mjs');
    const reported = deferred<string>();
    const ended = deferred();
    const guard = new OrphanGuard();
    process.env.ROWBENCH_CANARY = 'canary';
    const worker = forkWorkers({
      script,
      memoryMb: 64,
      workingFolder: folder.path,
      guard,
      memoryWatcher,
    })({
      onMessage: (message) =>
        reported.resolve(message.type === 'load-failed' ? message.message : message.type),
      onExit: ({ errorText }) => {
        reported.reject(new Error(errorText));
        ended.resolve();
      },
    });
    delete process.env.ROWBENCH_CANARY;
    expect(JSON.parse(await reported.promise)).toEqual({
      env: [],
      folder: 'ERR_ACCESS_DENIED',
      read: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      run: 'ERR_ACCESS_DENIED',
      thread,
    });
    worker.kill();
    await ended.promise;
    guard.close();
    await folder.remove();
  });

  it('is ended when it says what cannot be understood', async () => {
    const folder = await makeWorkingFolder();
    const script = join(import.meta.dirname, '../../fixtures/garbage-worker.mjs');
    const ended = deferred<string>();
    const guard = new OrphanGuard();
    forkWorkers({ script, memoryMb: 64, workingFolder: folder.path, guard })({
      onMessage: () => ended.reject(new Error('a message was made of it')),
      onExit: ({ errorText }) => ended.resolve(errorText),
    });
    expect(await ended.promise).toContain('bad message');
    guard.close();
    await folder.remove();
  });
});

describe('WorkerPool', () => {
  const run = { rows: [{ n: 1 }] };

  it('serves the next run of a workflow with the same process, another workflow with another', async () => {
    const pool = testPool({ clock: new FakeClock() });
    await runRows(workflow('a'), { pool, ...run });
    const first = await rowWorkers();
    await runRows(workflow('a'), { pool, ...run });
    expect(await rowWorkers()).toEqual(first);
    await runRows(workflow('b'), { pool, ...run });
    expect(await rowWorkers()).toEqual([...first, expect.any(Number)]);
  });

  it('ends workers that no run needed for half a minute, and keeps the warm one', async () => {
    const clock = new FakeClock();
    const pool = testPool({ clock });
    pool.keepWarm();
    for (const id of ['a', 'b']) await runRows(workflow(id), { pool, ...run });
    clock.advance(2_000);
    await expect.poll(rowWorkers).toHaveLength(3);
    const all = await rowWorkers();
    clock.advance(27_999);
    expect(await rowWorkers()).toEqual(all);
    clock.advance(1);
    await expect.poll(rowWorkers).toEqual([all.at(-1)]);
  });

  it('keeps one worker warm, and replaces it two seconds after a run takes it', async () => {
    const clock = new FakeClock();
    const pool = testPool({ clock });
    pool.keepWarm();
    await expect.poll(rowWorkers).toHaveLength(1);
    const [warmWorker] = await rowWorkers();
    await runRows(workflow('a'), { pool, ...run });
    clock.advance(1_999);
    expect(await rowWorkers()).toEqual([warmWorker]);
    clock.advance(1);
    await expect.poll(rowWorkers).toEqual([warmWorker, expect.any(Number)]);
  });

  it('has no more workers at work than it may, and every run gets its turn', async () => {
    const pool = testPool({ maxWorkers: 2 });
    const runs = ['a', 'b', 'c', 'd', 'e'].map((id) =>
      testExecution(planOf(workflow(id)), { pool, ...run }).execution.run(),
    );
    expect(await Promise.all(runs)).toEqual(Array(5).fill({ kind: 'completed' }));
    // Two at work or idle, and the warm one.
    expect((await rowWorkers()).length).toBeLessThanOrEqual(3);
  });

  it('closed, has left no process behind and takes no run', async () => {
    const pool = testPool({});
    pool.keepWarm();
    await runRows(workflow('a'), { pool, ...run });
    await pool.close();
    expect(await rowWorkers()).toEqual([]);
    const { execution } = testExecution(planOf(workflow('a')), { pool, ...run });
    await expect(execution.run()).rejects.toThrow('The worker pool is closed');
  });
});
