import { describe, expect, it } from 'vitest';
import {
  loadChoices,
  noChoices,
  saveChoices,
} from '../../../../../src-renderer/state/run/rows/column-choices.ts';
import {
  arrangedColumns,
  bandsOf,
  movedOrder,
  shownColumns,
  type TableView,
} from '../../../../../src-renderer/state/run/rows/table-columns.ts';

import { reasonOf, shapeOf } from '../../../../../src-renderer/state/run/rows/table-shape.ts';

const fields = [
  { of: 'input' as const, name: 'email' },
  { of: 'input' as const, name: 'size' },
  { of: 'output' as const, name: 'email' },
];
const data: TableView = {
  fittingWidths: {},
  show: 'data',
  hasValues: false,
  cellNodes: [],
  hasOnlyFailed: false,
};
const keys = (columns: readonly { key: string }[]): readonly string[] => columns.map(({ key }) => key);
const memory = (): Pick<Storage, 'getItem' | 'setItem'> => {
  const stored = new Map<string, string>();
  return { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => void stored.set(key, text) };
};

describe('the columns of a run', () => {
  it('come with outputs first, and new ones after those that the user has moved', () => {
    expect(keys(arrangedColumns(fields, ['ask'], noChoices))).toEqual([
      'output.email',
      'input.email',
      'input.size',
      'node.ask',
    ]);
    expect(keys(arrangedColumns(fields, [], { order: ['input.size', 'input.gone'] }))).toEqual([
      'input.size',
      'output.email',
      'input.email',
    ]);
  });

  it('show pinned columns first, and values of nodes on demand', () => {
    const arranged = arrangedColumns(fields, ['ask'], noChoices);
    const choices = { ...noChoices, pinned: ['output.email'], hidden: ['input.size'] };
    expect(keys(shownColumns(arranged, choices, data))).toEqual(['output.email', 'input.email']);
    expect(keys(shownColumns(arranged, { ...choices, nodes: ['ask'] }, data))).toEqual([
      'output.email',
      'input.email',
      'node.ask',
    ]);
  });

  it('are those of the shown groups, and a reason in the place of outputs where all rows failed', () => {
    const arranged = arrangedColumns(fields, [], noChoices);
    const shown = (view: Partial<TableView>): readonly string[] =>
      keys(shownColumns(arranged, noChoices, { ...data, cellNodes: ['ask', 'out'], ...view }));
    expect(shown({ show: 'nodes' })).toEqual(['cell.ask', 'cell.out']);
    expect(shown({ show: 'both' })).toEqual([
      'output.email',
      'input.email',
      'input.size',
      'cell.ask',
      'cell.out',
    ]);
    expect(shown({ hasOnlyFailed: true })).toEqual(['reason', 'input.email', 'input.size']);
    expect(shown({ show: 'nodes', hasOnlyFailed: true })).toEqual(['cell.ask', 'cell.out']);
  });

  it('give a reason the place of outputs, else that of the cells that the row never reached', () => {
    const view = { ...data, cellNodes: ['ask', 'check', 'out'] };
    const arranged = arrangedColumns(fields, [], noChoices);
    const both = shownColumns(arranged, noChoices, { ...view, show: 'both' });
    expect(reasonOf(shapeOf(both, 1_200), both, 'ask')).toMatchObject({ first: 0, end: 1 });
    const cells = shownColumns(arranged, noChoices, { ...view, show: 'nodes' });
    const shape = shapeOf(cells, 1_200);
    expect(reasonOf(shape, cells, 'ask')).toMatchObject({ first: 1, end: 3, left: shape.edges[1] });
    expect(reasonOf(shapeOf(cells, 300), cells, 'out')).toBeUndefined();
  });

  it('share a heading with neighbours of their kind', () => {
    const arranged = arrangedColumns(fields, [], noChoices);
    const columns = shownColumns(arranged, { ...noChoices, pinned: ['input.size'] }, data);
    expect(bandsOf(columns)).toEqual([
      { of: 'input', first: 0, end: 1 },
      { of: 'output', first: 1, end: 2 },
      { of: 'input', first: 2, end: 3 },
    ]);
  });

  it('are moved before or after another column', () => {
    const arranged = arrangedColumns(fields, [], noChoices);
    expect(movedOrder(arranged, 'input.email', { nextTo: 'output.email', isAfter: true })).toEqual([
      'output.email',
      'input.email',
      'input.size',
    ]);
    expect(movedOrder(arranged, 'output.email', { nextTo: 'input.email', isAfter: true })).toEqual([
      'input.email',
      'output.email',
      'input.size',
    ]);
  });
});

describe('choices about columns', () => {
  it('are kept for each workflow', () => {
    const store = memory();
    const choices = {
      ...noChoices,
      hidden: ['input.size'],
      widths: { 'input.email': 200 },
      hasStatistics: true,
    };
    saveChoices('leads', choices, store);
    saveChoices('other', noChoices, store);
    expect(loadChoices('leads', store)).toEqual(choices);
    expect(loadChoices('none', store)).toEqual(noChoices);
  });

  it.each([
    '{',
    '[1]',
    '[["leads",null]]',
    '[["leads",{"widths":{"a":-1},"hidden":[1],"order":"x"}]]',
    'null',
  ])('are the initial ones where the browser has stored %s', (stored) => {
    expect(loadChoices('leads', { getItem: () => stored, setItem: () => undefined })).toEqual(noChoices);
  });

  it('of the oldest workflows are dropped', () => {
    const store = memory();
    for (let number = 0; number < 60; number += 1)
      saveChoices(`w${number}`, { ...noChoices, hasStatistics: true }, store);
    expect(loadChoices('w0', store).hasStatistics).toBe(false);
    expect(loadChoices('w59', store).hasStatistics).toBe(true);
  });
});
