import { expect, it } from 'vitest';
import { changedLines } from '../../../../../src-renderer/state/workflow/files/changed-lines.ts';
import { issueRanges, lineOffset } from '../../../../../src-renderer/state/workflow/files/issue-ranges.ts';

const ranges = (text: string, line: number, column: number): string[] =>
  issueRanges(text, [{ line, column, severity: 'error', message: 'wrong' }]).map(({ from, to }) =>
    text.slice(from, to),
  );

it('the range of an issue is the word that it begins with', () => {
  const text = 'rowbench: 1\r\nnodes: [inptu, b]\r\n\r\nend';
  expect(ranges(text, 2, 9)).toEqual(['inptu']);
  expect(ranges(text, 2, 8)).toEqual(['[']);
  expect(ranges(text, 4, 1)).toEqual(['end']);
});

it('the range of an issue at the end of a line, or of the text, is not empty', () => {
  for (const [line, column] of [
    [1, 12],
    [1, 99],
    [2, 1],
    [3, 1],
    [9, 9],
  ] as const)
    expect(ranges('rowbench: 1\n\nx: ', line, column).join('').length).toBeGreaterThan(0);
  expect(ranges('', 1, 1)).toEqual(['']);
});

it('an offset is that of the first character of its line', () => {
  expect([1, 2, 3, 9].map((line) => lineOffset('a\r\nb\nc', line))).toEqual([0, 3, 5, 6]);
});

it('a changed line counts once, an inserted and a removed one too', () => {
  expect(changedLines('a\nb\nc', 'a\nb\nc')).toBe(0);
  expect(changedLines('a\nb\nc', 'a\nB\nc\nd')).toBe(2);
  expect(changedLines('a\nb\nc', 'c')).toBe(2);
});
