import { describe, expect, it } from 'vitest';
import { addToPace, paceFrom } from '../../../../src-main/domain/run/pace.ts';

describe('the pace of a run', () => {
  it('counts rows where they ended, with nothing in between', () => {
    let pace = paceFrom(1_000);
    for (const [at, rows] of [
      [1_010, 5],
      [1_099, 1],
      [1_350, 7],
    ] as const)
      pace = addToPace(pace, at, rows);
    expect(pace).toEqual({ startMs: 1_000, everyMs: 100, rows: [6, 0, 0, 7] });
  });

  it('never has more stretches than a picture has lines, and loses no row', () => {
    let pace = paceFrom(0);
    for (let at = 0; at < 1_000_000; at += 1_000) pace = addToPace(pace, at, 3);
    expect(pace.everyMs).toBe(6_400);
    expect(pace.rows.length).toBeLessThanOrEqual(240);
    expect(pace.rows.reduce((sum, rows) => sum + rows, 0)).toBe(3_000);
    expect(addToPace(pace, 1e13, 1).rows.length).toBeLessThanOrEqual(240);
  });

  it('goes on where a clock is put back', () => {
    const pace = addToPace(addToPace(paceFrom(5_000), 5_250, 2), 4_000, 3);
    expect(pace.rows).toEqual([0, 0, 5]);
  });
});
