import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src-main/base/virtual-clock.ts';
import { planOf, testExecution, testPool } from '../../builders/execution-rig.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

const counted = (count: number): { n: number }[] => Array.from({ length: count }, (_, n) => ({ n: n + 1 }));

function prepared(nodes: string, rows: readonly unknown[], more = '') {
  const clock = new VirtualClock(start);
  const plan = planOf(`${more}\nnodes:\n  - { id: input, type: input }\n${nodes}`);
  return { clock, ...testExecution(plan, { pool: testPool(), rows, clock }) };
}

describe('with a virtual clock', () => {
  it('hours of delays take no time, and the clock tells how long they were', async () => {
    const { clock, execution, sink } = prepared(
      `
  - { id: x, type: delay, for: "=row.n * 3600000" }
  - { id: out, type: output, after: x, fields: { n: "=row.n" } }`,
      counted(4),
    );
    expect(await execution.run()).toEqual({ kind: 'completed' });
    expect(sink.outputs).toEqual(counted(4));
    // They overlap: the longest one counts.
    expect(clock.now() - start).toBe(4 * hour);
  });

  it('rows wait for a place in flight as they do in real time', async () => {
    const { clock, execution, sink } = prepared(
      `
  - { id: x, type: delay, for: 1h }
  - { id: out, type: output, after: x, fields: { n: "=row.n" } }`,
      counted(5),
      'concurrency: 2',
    );
    await execution.run();
    expect(sink.outputs).toEqual(counted(5));
    expect(clock.now() - start).toBe(3 * hour);
  });

  it('pauses between retries grow as they say', async () => {
    const { clock, execution, sink } = prepared(
      `
  - { id: x, type: fail, attempts: 3, message: no, retry: { attempts: 4, delay: 1m, backoff: 2 } }
  - { id: out, type: output, after: x, fields: { n: "=row.n" } }`,
      counted(3),
    );
    await execution.run();
    expect(sink.states).toMatchObject([{ retries: 3 }, { retries: 3 }, { retries: 3 }]);
    expect(clock.now() - start).toBe((1 + 2 + 4) * 60_000);
  });

  it('a timeout strikes when its time is over', async () => {
    const { clock, execution } = prepared(
      `
  - { id: x, type: delay, for: 2h, timeout: 30m }
  - { id: out, type: output, after: x, fields: { n: "=row.n" } }`,
      counted(1),
    );
    expect(await execution.run()).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/timed? ?(out|limit)/) as string,
    });
    expect(clock.now() - start).toBe(hour / 2);
  });

  it('code that awaits itself is let finish before time goes on', async () => {
    const { clock, execution, sink } = prepared(
      `
  - { id: w, type: delay, each: "=[1, 2]", for: 1h }
  - { id: x, type: code, after: w, code: "let n = row.n; for (let i = 0; i < 20; i += 1) n = await Promise.resolve(n + 1); return n;" }
  - { id: out, type: output, fields: { n: "=nodes.x" } }`,
      counted(40),
    );
    await execution.run();
    expect(sink.outputs).toEqual(counted(40).map(({ n }) => ({ n: n + 20 })));
    // 16 in flight, two hours each.
    expect(clock.now() - start).toBe(6 * hour);
  });

  it('many rows on several workers end in order', async () => {
    const { execution, sink } = prepared(
      `
  - { id: x, type: delay, for: "=(row.n * 7919) % 1000" }
  - { id: out, type: output, after: x, fields: { n: "=row.n" } }`,
      counted(500),
      'concurrency: 64',
    );
    expect(await execution.run()).toEqual({ kind: 'completed' });
    expect(sink.outputs).toEqual(counted(500));
  });

  it('a paused run skips nothing until it is resumed', async () => {
    const { clock, execution, sink } = prepared(
      `
  - { id: x, type: delay, for: 1h }
  - { id: out, type: output, after: x, fields: { n: "=row.n" } }`,
      counted(3),
    );
    const paused = execution.pause();
    const running = execution.run();
    await paused;
    expect([clock.now(), sink.lines]).toEqual([start, []]);
    execution.resume();
    expect(await running).toEqual({ kind: 'completed' });
    expect(clock.now() - start).toBe(hour);
  });
});
