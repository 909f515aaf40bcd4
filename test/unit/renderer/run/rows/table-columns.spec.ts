import { describe, expect, it } from 'vitest';
import {
  loadChoices,
  noChoices,
  saveChoices,
  type ColumnChoices,
} from '../../../../../src-renderer/state/run/rows/column-choices.ts';
import {
  arrangedColumns,
  bandsOf,
  groupOrder,
  movedGroup,
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
    expect(keys(arrangedColumns(fields, [], { order: ['input.size', 'input.gone'], groups: [] }))).toEqual([
      'output.email',
      'input.size',
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
      { group: 'input', first: 0, end: 1, isPinned: true, isFolded: false },
      { group: 'output', first: 1, end: 2, isPinned: false, isFolded: false },
      { group: 'input', first: 2, end: 3, isPinned: false, isFolded: false },
    ]);
  });

  it('are moved before or after another column', () => {
    const arranged = arrangedColumns(fields, [], noChoices);
    expect(movedOrder(arranged, 'input.email', { nextTo: 'input.size', isAfter: true })).toEqual([
      'output.email',
      'input.size',
      'input.email',
    ]);
    expect(movedOrder(arranged, 'input.size', { nextTo: 'input.email', isAfter: false })).toEqual([
      'output.email',
      'input.size',
      'input.email',
    ]);
  });

  it('stand in the groups that the user has moved, and a folded group is one column', () => {
    const view: TableView = { ...data, show: 'both', cellNodes: ['ask', 'out'] };
    const choices: ColumnChoices = { ...noChoices, groups: ['cell', 'input'], folded: ['input'] };
    const columns = shownColumns(arrangedColumns(fields, [], choices), choices, view);
    expect(keys(columns)).toEqual(['cell.ask', 'cell.out', 'folded.input', 'output.email']);
    expect(bandsOf(columns).map(({ group, isFolded }) => [group, isFolded])).toEqual([
      ['cell', false],
      ['input', true],
      ['output', false],
    ]);
    // A pinned column stays in sight while its group is folded.
    const pinned = { ...choices, pinned: ['input.size'] };
    expect(keys(shownColumns(arrangedColumns(fields, [], pinned), pinned, data))).toEqual([
      'input.size',
      'folded.input',
      'output.email',
    ]);
  });

  it('give a reason the cells that the row never reached wherever the nodes stand', () => {
    const choices: ColumnChoices = { ...noChoices, groups: ['cell'], folded: ['output'] };
    const view: TableView = { ...data, show: 'both', cellNodes: ['ask', 'check', 'out'] };
    const columns = shownColumns(arrangedColumns(fields, [], choices), choices, view);
    const shape = shapeOf(columns, 1_200);
    const width = (shape.edges[3] ?? 0) - (shape.edges[1] ?? 0);
    expect(reasonOf(shape, columns, 'ask')).toMatchObject({ first: 1, end: 3, width });
  });

  it.each([
    ['output', 'cell', ['input', 'node', 'cell', 'output']],
    ['cell', 'output', ['cell', 'output', 'input', 'node']],
    ['input', 'output', ['input', 'output', 'node', 'cell']],
  ] as const)('group %s moves to where %s is', (group, to, moved) => {
    expect(movedGroup(groupOrder(noChoices), group, to)).toEqual(moved);
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
      groups: ['input', 'output'],
      folded: ['cell'],
      label: 'output.email',
    } as const;
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
    '[["leads",{"groups":["other",1],"folded":"input","label":3}]]',
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
