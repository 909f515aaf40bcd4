import { describe, expect, it } from 'vitest';
import type { NodeStatisticsView } from '../../../../src-main/contract/index.ts';
import {
  latencyPath,
  latencyScale,
  latencyText,
  throughputPicture,
  percent,
  tickLabel,
  timeShares,
} from '../../../../src-renderer/state/run/timing-pictures.ts';

const node = (nodeId: string, more: Partial<NodeStatisticsView> = {}): NodeStatisticsView => ({
  nodeId,
  type: 'set',
  done: 10,
  failed: 0,
  skipped: 0,
  replaced: 0,
  retries: 0,
  ms: 0,
  p50: null,
  p95: null,
  p99: null,
  latency: [],
  ...more,
});

describe('shares of the time', () => {
  it('are of all nodes, the largest with the first colour', () => {
    expect(timeShares([node('a', { ms: 10 }), node('b', { ms: 90 }), node('c')])).toEqual([
      { nodeId: 'a', ms: 10, share: 0.1, colour: 1 },
      { nodeId: 'b', ms: 90, share: 0.9, colour: 0 },
      { nodeId: 'c', ms: 0, share: 0, colour: undefined },
    ]);
    expect(timeShares([node('a')])[0]?.share).toBe(0);
    expect([0.001, 0.0994, 0.0996, 0.5].map(percent)).toEqual(['0.1 %', '9.9 %', '10 %', '50 %']);
  });

  it('have colours for the eight largest of many', () => {
    const many = timeShares(Array.from({ length: 30 }, (_, at) => node(`n${at}`, { ms: at + 1 })));
    expect(many.filter(({ colour }) => colour !== undefined).map(({ nodeId }) => nodeId)).toEqual(
      [22, 23, 24, 25, 26, 27, 28, 29].map((at) => `n${at}`),
    );
  });
});

describe('how long rows took', () => {
  const quick = node('quick', { latency: [{ fromMs: 0, toMs: 0.004, rows: 3 }] });
  const slow = node('slow', {
    latency: [
      { fromMs: 24, toMs: 32, rows: 10 },
      { fromMs: 96, toMs: 128, rows: 1 },
    ],
  });

  it('is drawn on one scale by powers of ten', () => {
    const scale = latencyScale([quick, slow]);
    expect(scale?.ticks.map(({ ms }) => tickLabel(ms))).toEqual([
      '1 µs',
      '10 µs',
      '100 µs',
      '1 ms',
      '10 ms',
      '100 ms',
      '1 s',
    ]);
    expect([scale?.at(0), scale?.at(1), scale?.at(1e9)]).toEqual([0, 0.5, 1]);
    expect(latencyScale([node('none')])).toBeUndefined();
  });

  it('has a bar for every part with rows, one row among many too', () => {
    const scale = latencyScale([slow]);
    if (scale === undefined) throw new Error('no scale');
    const bars = latencyPath(slow, scale, { width: 200, height: 20 }).split('z').filter(Boolean);
    expect(bars.map((bar) => Number(/v([\d.]+)/.exec(bar)?.[1]))).toEqual([20, 2]);
    expect(latencyText(slow)).toBe('10 in 24 ms to 32 ms; 1 in 96 ms to 128 ms');
  });
});

describe('rows a second', () => {
  const startedAt = '2026-01-01T00:00:00.000Z';

  it('are drawn for each stretch, the last as long as it lasted', () => {
    const { intervals, top, wholeMs } = throughputPicture({ startedAt, everyMs: 100, rows: [10, 0, 5] }, 250);
    expect(intervals.map(({ fromMs, rate }) => [fromMs, rate])).toEqual([
      [0, 100],
      [100, 0],
      [200, 100],
    ]);
    expect([top, wholeMs]).toEqual([100, 300]);
  });

  it('have a picture without any row, and one of a run that waited long after its rows', () => {
    expect(throughputPicture({ startedAt, everyMs: 100, rows: [] }, 0).path).toBe('M0 100V100z');
    expect(throughputPicture({ startedAt, everyMs: 100, rows: [3] }, 1_000).path).toBe('M0 100V40H100V100z');
  });
});
