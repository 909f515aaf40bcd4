import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../builders/fake-clock.ts';
import { MemoryReader, MemorySink, planOf, testExecution, testPool } from '../../builders/execution-rig.ts';

const counted = (count: number): { n: number }[] => Array.from({ length: count }, (_, n) => ({ n }));

const slow = planOf(`
nodes:
  - { id: input, type: input }
  - { id: x, type: code, code: "let n = row.n; for (let i = 0; i < 3e5; i += 1) n = (n * 31 + i) % 1000003; return n;" }
  - { id: out, type: output, fields: { n: "=row.n" } }`);

const waiting = planOf(`
nodes:
  - { id: input, type: input }
  - { id: x, type: delay, for: 1h }
  - { id: out, type: output, fields: { n: "=row.n" } }`);

it('rows that compute for long are committed before the rest of their batch has run', async () => {
  const plan = planOf(`
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: x
    type: code
    code: |
      let n = row.n;
      for (let i = 0; i < 3e7; i += 1) n = (n * 31 + i) % 1000003;
      if (row.n === 5) throw new Error('no ' + row.n);
      return n;
  - { id: out, type: output, fields: { n: "=row.n" } }`);
  const { execution, sink } = testExecution(plan, { pool: testPool(), rows: counted(12) });
  expect(await execution.run()).toEqual({ kind: 'completed' });
  expect(sink.commits).toBeGreaterThan(2);
  expect(sink.outputs).toEqual(counted(12).map((row) => (row.n === 5 ? null : row)));
  expect(sink.failures.map(({ row }) => row)).toEqual([6]);
  expect(sink.nodes.map(({ done, failed }) => [done, failed])).toEqual([
    [12, 0],
    [11, 1],
    [11, 0],
  ]);
});

describe('pause', () => {
  it('lets nothing run, and resume goes on where it stopped', async () => {
    const rows = counted(1500);
    const { execution, sink } = testExecution(slow, { pool: testPool(), rows });
    const running = execution.run();
    await expect.poll(() => sink.lines.length).toBeGreaterThan(0);
    await execution.pause();
    const { commits } = sink;
    const done = sink.lines.length;
    expect(done).toBeLessThan(rows.length);
    // Another run takes its whole course meanwhile; the paused one does not move.
    const other = testExecution(slow, { pool: testPool(), rows: counted(50) });
    await other.execution.run();
    expect(sink.commits).toBe(commits);
    execution.resume();
    expect(await running).toEqual({ kind: 'completed' });
    expect(sink.outputs).toEqual(rows);
  });

  it('stops the clock of waits', async () => {
    const clock = new FakeClock();
    const { execution, sink } = testExecution(waiting, { pool: testPool(), rows: counted(4), clock });
    const running = execution.run();
    await expect.poll(() => clock.pending).toBe(4);
    clock.advance(3_000_000);
    await execution.pause();
    clock.advance(10_000_000);
    expect(sink.lines).toEqual([]);
    execution.resume();
    await expect.poll(() => clock.pending).toBe(4);
    clock.advance(599_999);
    expect(clock.pending).toBe(4);
    clock.advance(1);
    expect(await running).toEqual({ kind: 'completed' });
    expect(sink.outputs).toEqual(counted(4));
  });

  it('is settled only when an attempt under way has ended', async () => {
    const plan = planOf(`
nodes:
  - { id: input, type: input }
  - { id: x, type: code, code: "let n = 0; for (let i = 0; i < 2e8; i += 1) n += i % 7; return n;" }
  - { id: y, type: set, values: { n: 1 } }
  - { id: out, type: output, fields: { n: "=nodes.x > 0" } }`);
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: counted(2) });
    const running = execution.run();
    await execution.pause();
    expect(sink.lines.length).toBeLessThan(2);
    execution.resume();
    expect(await running).toEqual({ kind: 'completed' });
  });

  it('gives its place in the pool to other runs', async () => {
    const pool = testPool({ maxWorkers: 1 });
    const first = testExecution(waiting, { pool, rows: counted(2), clock: new FakeClock() });
    void first.execution.run();
    await first.execution.pause();
    const second = testExecution(slow, { pool, rows: counted(2) });
    expect(await second.execution.run()).toEqual({ kind: 'completed' });
  });

  it('ends with the run when the run is cancelled', async () => {
    const { execution } = testExecution(waiting, {
      pool: testPool(),
      rows: counted(2),
      clock: new FakeClock(),
    });
    const running = execution.run();
    await execution.pause();
    await execution.cancel();
    expect(await running).toEqual({ kind: 'cancelled' });
  });
});

describe('cancel and stop', () => {
  it.each(['cancel', 'stop'] as const)('%s interrupts a node that never ends', async (verb) => {
    const plan = planOf(`
nodes:
  - { id: input, type: input }
  - { id: x, type: code, code: "while (row.n > 0) {} return 1;" }
  - { id: out, type: output, fields: { n: "=row.n" } }`);
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{ n: 0 }, { n: 1 }] });
    const running = execution.run();
    await execution[verb]();
    expect(await running).toEqual({ kind: verb === 'cancel' ? 'cancelled' : 'stopped' });
    expect(sink.lines).toEqual([]);
  });

  it('once cancel has resolved nothing more is committed, and what is belongs to its row', async () => {
    const { execution, sink } = testExecution(slow, { pool: testPool(), rows: counted(1500) });
    const running = execution.run();
    await expect.poll(() => sink.lines.length).toBeGreaterThan(0);
    await execution.cancel();
    const { length } = sink.lines;
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(sink.lines).toHaveLength(length);
    // Rows that had not ended before those that had have no output.
    const { outputs } = sink;
    expect(outputs).toEqual(counted(length).map((row, index) => (outputs[index] === null ? null : row)));
    expect(outputs.filter((output) => output !== null).length).toBeGreaterThan(0);
  });

  it('stopped before it began, a run does not begin', async () => {
    const { execution, sink } = testExecution(slow, { pool: testPool(), rows: counted(3) });
    await execution.stop();
    expect(await execution.run()).toEqual({ kind: 'stopped' });
    expect(sink.lines).toEqual([]);
  });

  it('a later execution goes on after the rows that were committed', async () => {
    const pool = testPool();
    const rows = counted(40);
    const { execution, sink } = testExecution(slow, { pool, rows, firstRow: 31 });
    expect(await execution.run()).toEqual({ kind: 'completed' });
    expect(sink.outputs).toEqual(rows.slice(30));
  });
});

describe('a run', () => {
  it('without rows completes', async () => {
    const { execution, sink } = testExecution(slow, { pool: testPool(), rows: [] });
    expect(await execution.run()).toEqual({ kind: 'completed' });
    expect(sink.commits).toBe(0);
  });

  it('rejects with the error of a sink that fails, and ends', async () => {
    class BrokenSink extends MemorySink {
      override async commit(): Promise<void> {
        throw new Error('disk full');
      }
    }
    const { execution } = testExecution(slow, { pool: testPool(), rows: counted(3), sink: new BrokenSink() });
    await expect(execution.run()).rejects.toThrow('disk full');
  });

  it('rejects with the error of a reader that fails, after what was read is in order', async () => {
    class BrokenReader extends MemoryReader {
      override async next(): Promise<undefined> {
        throw new Error('cannot read');
      }
    }
    const reader = new BrokenReader([]);
    const { execution } = testExecution(slow, { pool: testPool(), rows: counted(3), reader });
    await expect(execution.run()).rejects.toThrow('cannot read');
  });

  it('rejects when its rows end early', async () => {
    const reader = new MemoryReader(counted(2));
    const { execution } = testExecution(slow, { pool: testPool(), rows: counted(3), reader });
    await expect(execution.run()).rejects.toThrow('The rows ended before all rows of the run were read');
  });

  it('rejects when no worker can be started', async () => {
    const pool = testPool({ workerScript: '/nowhere/row-worker.cjs' });
    const { execution } = testExecution(slow, { pool, rows: counted(3) });
    await expect(execution.run()).rejects.toThrow('A row worker could not be started');
  });

  it('has as many rows waiting at once as its concurrency says', async () => {
    const clock = new FakeClock();
    const plan = planOf(`
concurrency: 3
nodes:
  - { id: input, type: input }
  - { id: x, type: delay, for: 1m }
  - { id: out, type: output, fields: { n: "=row.n" } }`);
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: counted(7), clock });
    const running = execution.run();
    for (const inFlight of [3, 3, 1]) {
      await expect.poll(() => clock.pending).toBe(inFlight);
      clock.advance(60_000);
    }
    await running;
    expect(sink.outputs).toEqual(counted(7));
  });
});
