import { describe, expect, it } from 'vitest';
import { addToThroughput, throughputFrom } from '../../../../src-main/domain/results/run-statistics.ts';

describe('the pace of a run', () => {
  it('counts rows where they ended, with nothing in between', () => {
    let throughput = throughputFrom(1_000);
    for (const [at, rows] of [
      [1_010, 5],
      [1_099, 1],
      [1_350, 7],
    ] as const)
      throughput = addToThroughput(throughput, at, rows);
    expect(throughput).toEqual({ startMs: 1_000, everyMs: 100, rows: [6, 0, 0, 7] });
  });

  it('never has more stretches than a picture has lines, and loses no row', () => {
    let throughput = throughputFrom(0);
    for (let at = 0; at < 1_000_000; at += 1_000) throughput = addToThroughput(throughput, at, 3);
    expect(throughput.everyMs).toBe(6_400);
    expect(throughput.rows.length).toBeLessThanOrEqual(240);
    expect(throughput.rows.reduce((sum, rows) => sum + rows, 0)).toBe(3_000);
    expect(addToThroughput(throughput, 1e13, 1).rows.length).toBeLessThanOrEqual(240);
  });

  it('goes on where a clock is put back', () => {
    const throughput = addToThroughput(addToThroughput(throughputFrom(5_000), 5_250, 2), 4_000, 3);
    expect(throughput.rows).toEqual([0, 0, 5]);
  });
});
