import { describe, expect, it } from 'vitest';
import { GroupLayout } from '../../../../../src-renderer/state/run/rows/group-layout.ts';

const groups = [
  { from: 0, rows: 2 },
  { from: 2, rows: 3 },
];
const linesOf = (layout: GroupLayout): readonly string[] =>
  Array.from({ length: layout.count }, (_, index) => {
    const line = layout.lineAt(index);
    return line.kind === 'group' ? `group ${line.group}` : `row ${line.index}`;
  });

describe('the layout of a grouped table', () => {
  it('has the rows alone where there are no groups', () => {
    expect(linesOf(new GroupLayout([], new Set(), 3))).toEqual(['row 0', 'row 1', 'row 2']);
    expect(new GroupLayout([], new Set(), 0).count).toBe(0);
  });

  it('has a head before the rows of each group, and rows without a group at the end', () => {
    expect(linesOf(new GroupLayout(groups, new Set(), 6))).toEqual([
      'group 0',
      'row 0',
      'row 1',
      'group 1',
      'row 2',
      'row 3',
      'row 4',
      'row 5',
    ]);
  });

  it('leaves out the rows of folded groups', () => {
    expect(linesOf(new GroupLayout(groups, new Set([0]), 5))).toEqual([
      'group 0',
      'group 1',
      'row 2',
      'row 3',
      'row 4',
    ]);
    expect(linesOf(new GroupLayout(groups, new Set([0, 1]), 5))).toEqual(['group 0', 'group 1']);
  });

  it('names the rows among lines as ranges without those that are folded', () => {
    const many = [
      { from: 0, rows: 1 },
      { from: 1, rows: 50_000 },
      { from: 50_001, rows: 2 },
    ];
    const layout = new GroupLayout(many, new Set([1]), 50_003);
    expect(layout.rowsAmong(0, 10)).toEqual([
      { first: 0, end: 1 },
      { first: 50_001, end: 50_003 },
    ]);
  });
});
