import { describe, expect, it } from 'vitest';
import type { NodeCellView, SelectedRow } from '../../../../../src-main/contract/index.ts';
import { cellLook, depthOf, rowTook, valueLook } from '../../../../../src-renderer/state/run/cell-look.ts';
import { rowNumberIn } from '../../../../../src-renderer/state/run/rows/find-row.ts';
import { minimapPaths } from '../../../../../src-renderer/state/run/rows/minimap-paths.ts';
import { waterfall } from '../../../../../src-renderer/state/run/rows/row-trace.svelte.ts';

const row = (more: Partial<SelectedRow> = {}): SelectedRow => ({
  position: 1,
  row: 1,
  state: 'done',
  ms: 1,
  input: [],
  output: [],
  bytes: 0,
  ...more,
});

describe('a cell', () => {
  const cell = (more: Partial<NodeCellView>): string => {
    const cells: NodeCellView[] = [{ end: 'done', ms: 212, attempts: 1, ...more }];
    const { text, label } = cellLook(row({ cells }), 0);
    return `${text} | ${label}`;
  };

  it('says how its node ended and how long it took', () => {
    expect(cell({})).toBe('212 ms | done, 212 ms');
    expect(cell({ end: 'failed', attempts: 3, ms: 2100 })).toBe('3× 2.1 s | failed, 3 tries, 2.1 s');
    expect(cell({ end: 'replaced' })).toBe('212 ms | replaced, 212 ms');
    expect(cell({ end: 'skipped', ms: 0, attempts: 0 })).toBe('skipped | skipped');
    expect(cell({ end: 'not reached', ms: 0, attempts: 0 })).toBe(' | not reached');
  });

  it('counts attempts beyond one an entry as tries', () => {
    expect(cell({ attempts: 3, items: 3 })).toBe('212 ms | done, 212 ms, 3 entries');
    expect(cell({ attempts: 4, items: 3 })).toBe('4× 212 ms | done, 4 tries, 212 ms, 3 entries');
    expect(cell({ attempts: 1, items: 1 })).toBe('212 ms | done, 212 ms, 1 entry');
  });

  it('shows the value of its node, and says if it is not kept', () => {
    const cells: NodeCellView[] = [
      { end: 'done', ms: 1, attempts: 1 },
      { end: 'done', ms: 1, attempts: 1 },
      { end: 'failed', ms: 1, attempts: 1 },
    ];
    const ada = { kind: 'text', text: 'Ada' } as const;
    const shown = row({ cells, values: [ada, null, null] });
    expect(valueLook(shown, 0)).toMatchObject({ kind: 'done', text: 'Ada', label: 'done, 1.0 ms: Ada' });
    expect(valueLook(shown, 1)).toMatchObject({ text: '', label: 'done, 1.0 ms, value not kept' });
    expect(valueLook(shown, 2)).toMatchObject({ kind: 'failed', text: 'failed' });
    expect(valueLook(row({ values: [ada] }), 0)).toMatchObject({ kind: 'unkept', text: 'Ada' });
  });

  it('is honest about what is not kept and what has not ended', () => {
    expect(cellLook(row(), 0).label).toBe('not kept');
    expect(cellLook(row({ cells: [null] }), 0).label).toBe('not kept');
    expect(cellLook(undefined, 0).label).toBe('not ended yet');
    expect(cellLook(row({ state: 'unfinished' }), 0).kind).toBe('pending');
  });

  it('of a row of which only the failure is kept says how far it came', () => {
    const cells: NodeCellView[] = [
      { end: 'not kept', attempts: 0 },
      { end: 'failed', attempts: 1 },
      { end: 'not reached', attempts: 0 },
    ];
    const looks = cells.map((_, index) => cellLook(row({ state: 'failed', cells }), index));
    expect(looks.map(({ kind, text, label }) => [kind, text, label])).toEqual([
      ['unkept', '', 'not kept'],
      ['failed', 'failed', 'failed'],
      ['unreached', '', 'not reached'],
    ]);
    const retried: NodeCellView[] = [{ end: 'failed', attempts: 3 }];
    const look = cellLook(row({ state: 'failed', cells: retried }), 0);
    expect([look.text, look.label]).toEqual(['3× failed', 'failed, 3 tries']);
  });

  it('of a row says nothing of time where none is known', () => {
    expect([rowTook(row({ ms: 2.34 })), rowTook(row({ ms: 0 }))]).toEqual(['2.3 ms', '']);
    expect(rowTook(row({ state: 'unfinished' }))).toBe('');
  });

  it('is deeper in colour by steps of ten', () => {
    expect([0, 0.9, 1, 9, 10, 99, 100, 1_000, 9_999, 10_000, 1e9].map(depthOf)).toEqual([
      0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5,
    ]);
  });
});

describe('a text in the search', () => {
  const runIds = ['01a1fe7a-8c25-7597-b79a-28ad4f42d4c0', '01a1fe7a-8c25-7597-b79a-18ad4f42d4c0'];
  it('names a row by its number, as people write numbers, or by its identifier in any attempt', () => {
    for (const typed of [
      '1204',
      ' 1,204 ',
      'row 1204',
      '#1204',
      '18ad4f42d4c0_001204',
      '28ad4f42d4c0_001204',
    ])
      expect(rowNumberIn(typed, runIds)).toBe(1204);
  });

  it('is searched for if it names no row of these runs', () => {
    for (const typed of ['', '  ', 'Ada', '0', '-3', '99999999999', '12.5', 'aaaaaaaaaaaa_000012'])
      expect(rowNumberIn(typed, runIds)).toBeUndefined();
  });
});

describe('the strip of the rows shown', () => {
  const minimap = {
    rowsPerPiece: 100,
    pieces: [
      [20, 0, 100, 0.5],
      [1, 50, 100, 50],
      [0, 0, 50, 0.5],
      [0, 0, 0, 0],
    ] as const,
  };

  it('is drawn with a few outlines, failed and slow rows as wide as their share, and never unseen', () => {
    const { ended, slow, failed, height } = minimapPaths(minimap, 500);
    expect(ended[0]).toBe('M0 0h10v1H0zM0 2h10v0.5H0z');
    expect(ended[2]).toBe('M0 1h10v1H0z');
    expect([slow, failed, height]).toEqual(['M5 1h5v1h-5z', 'M0 0h2v1H0zM0 1h0.7v1H0z', 4]);
  });

  it('has a line a pixel where there are more pieces than that', () => {
    const { ended, failed, height } = minimapPaths(minimap, 2);
    expect([failed, height]).toEqual(['M0 0h1.05v1H0z', 2]);
    expect(ended.join('')).toBe('M0 1h10v0.25H0zM0 0h10v1H0z');
  });

  it('of which few rows failed is no more red than that', () => {
    const pieces = Array.from({ length: 800 }, () => [2, 0, 100, 1] as const);
    const { failed } = minimapPaths({ ...minimap, pieces }, 400);
    const widths = [...failed.matchAll(/h([\d.]+)v/g)].map(([, width]) => Number(width));
    expect(widths).toHaveLength(400);
    expect(Math.max(...widths)).toBe(0.7);
  });
});

it('nodes of a row begin where the one before ended', () => {
  const node = (nodeId: string, ms: number) =>
    ({ nodeId, ms, end: 'done', type: 'set', attempts: 1, reads: [], logs: [], calls: [] }) as const;
  expect(waterfall([node('a', 1), node('b', 3), node('c', 0)])).toMatchObject([
    { from: 0, share: 0.25 },
    { from: 0.25, share: 0.75 },
    { from: 1, share: 0 },
  ]);
  expect(waterfall([node('a', 0)])[0]).toMatchObject({ from: 0, share: 0 });
});
