import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSequences, type DiffPiece } from '../../../../src-renderer/format/diff-sequences.ts';
import { lineChanges } from '../../../../src-renderer/state/compare/line-changes.ts';
import {
  excerptOf,
  numberChange,
  wordChanges,
  type TextPiece,
} from '../../../../src-renderer/state/compare/text-changes.ts';

const itemsOf = (pieces: readonly DiffPiece[], left: 'removed' | 'added'): readonly string[] =>
  pieces.filter(({ kind }) => kind !== left).flatMap(({ items }) => items);
const textWithout = (pieces: readonly TextPiece[], left: 'removed' | 'added'): string =>
  pieces
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('');

/** Length of the longest common subsequence, by the simplest means. */
function commonLength(before: readonly string[], after: readonly string[]): number {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (const [x, one] of before.entries())
    for (const [y, other] of after.entries())
      (lengths[x + 1] as number[])[y + 1] =
        one === other
          ? (lengths[x]?.[y] ?? 0) + 1
          : Math.max(lengths[x]?.[y + 1] ?? 0, lengths[x + 1]?.[y] ?? 0);
  return lengths[before.length]?.[after.length] ?? 0;
}

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });

describe('the difference of two lists', () => {
  it('gives both lists back, and keeps as many items as can be kept', () => {
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const pieces = diffSequences(before, after);
        expect(itemsOf(pieces, 'added')).toEqual(before);
        expect(itemsOf(pieces, 'removed')).toEqual(after);
        const same = pieces.filter(({ kind }) => kind === 'same').flatMap(({ items }) => items);
        expect(same).toHaveLength(commonLength(before, after));
      }),
    );
  });

  it('of lists that have nothing in common is the whole of both', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 20_000 }, (_, index) => `after ${index}`);
    expect(diffSequences(before, after)).toEqual([
      { kind: 'removed', items: before },
      { kind: 'added', items: after },
    ]);
  });
});

describe('the words that changed in a text', () => {
  it('give both texts back', () => {
    const words = fc.array(fc.constantFrom('red ', 'green', ' blue', '. ', '赤', '🦊'), { maxLength: 30 });
    fc.assert(
      fc.property(words, words, (one, other) => {
        const [before, after] = [one.join(''), other.join('')];
        const pieces = wordChanges(before, after);
        expect(textWithout(pieces, 'added')).toBe(before);
        expect(textWithout(pieces, 'removed')).toBe(after);
      }),
    );
  });

  it('are marked word by word, and neighbours as one', () => {
    expect(wordChanges('the quick brown fox jumps', 'the slow red fox jumps')).toEqual([
      { kind: 'same', text: 'the ' },
      { kind: 'removed', text: 'quick brown' },
      { kind: 'added', text: 'slow red' },
      { kind: 'same', text: ' fox jumps' },
    ]);
  });

  it('are found in a text without blanks between words', () => {
    expect(wordChanges('日本語の文', '日本人の文')).toContainEqual({ kind: 'removed', text: '語' });
  });

  it('stay in sight in an excerpt', () => {
    const long = 'word '.repeat(100);
    const pieces = excerptOf(wordChanges(`${long}old ${long}`, `${long}new ${long}`));
    expect(pieces.map(({ text }) => text).join('').length).toBeLessThan(80);
    expect(pieces).toContainEqual({ kind: 'removed', text: 'old' });
  });
});

it('numbers have a difference without errors of binary fractions', () => {
  const value = (text: string) => ({ type: 'number', text }) as const;
  expect(numberChange(value('0.1'), value('0.3'))).toBe('+0.2');
  expect(numberChange(value('40'), value('-1960'))).toBe('-2,000');
  expect(numberChange(value('40'), { type: 'text', text: '60' })).toBeUndefined();
});

describe('the lines that changed in a workflow', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);

  it('stand among three equal lines, and the rest is folded', () => {
    const changed = lines.with(14, 'another line').concat('the end');
    expect(lineChanges(`${lines.join('\n')}\n`, changed.join('\r\n'))).toMatchObject([
      { kind: 'folded', lines: 11 },
      { kind: 'same', before: 12, after: 12 },
      { kind: 'same', before: 13 },
      { kind: 'same', before: 14 },
      { kind: 'removed', before: 15, text: 'line 15' },
      { kind: 'added', after: 15, text: 'another line' },
      { kind: 'same', before: 16 },
      { kind: 'same', before: 17 },
      { kind: 'same', before: 18 },
      { kind: 'folded', lines: 9 },
      { kind: 'same', before: 28 },
      { kind: 'same', before: 29 },
      { kind: 'same', before: 30 },
      { kind: 'added', after: 31, text: 'the end' },
    ]);
  });
});
