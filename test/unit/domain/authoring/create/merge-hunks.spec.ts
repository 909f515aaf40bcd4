import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differingHunks, mergeHunks } from '../../../../../src-main/domain/authoring/create/merge-hunks.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';

/** The base with the changes of both versions; undefined if they clash. */
function mergeTexts(...versions: Parameters<typeof mergeHunks>): string | undefined {
  const texts = mergeHunks(...versions).map((part) => (part.kind === 'clash' ? undefined : part.text));
  return texts.includes(undefined) ? undefined : texts.join('');
}

describe('the parts of two versions without a clash', () => {
  it.each([
    [
      'changes apart',
      'ONE\ntwo\nthree\nfour\nfive\n',
      'one\ntwo\nthree\nfour\nFIVE\n',
      'ONE\ntwo\nthree\nfour\nFIVE\n',
    ],
    [
      'an added and a removed line',
      'zero\none\ntwo\nthree\nfour\nfive\n',
      'one\ntwo\nthree\nfive\n',
      'zero\none\ntwo\nthree\nfive\n',
    ],
    [
      'the same change twice',
      'one\nTWO\nthree\nfour\nfive\n',
      'one\nTWO\nthree\nfour\nfive\n',
      'one\nTWO\nthree\nfour\nfive\n',
    ],
    ['an unchanged version', base, 'one\ntwo\n', 'one\ntwo\n'],
    [
      'the same line changed in two ways',
      'one\nA\nthree\nfour\nfive\n',
      'one\nB\nthree\nfour\nfive\n',
      undefined,
    ],
    ['adjacent lines', 'one\nA\nthree\nfour\nfive\n', 'one\ntwo\nB\nfour\nfive\n', undefined],
    ['two additions at one place', `${base}six\n`, `${base}sechs\n`, undefined],
    [
      'a missing last line break',
      'one\ntwo\nthree\nfour\nfive',
      'ONE\ntwo\nthree\nfour\nfive\n',
      'ONE\ntwo\nthree\nfour\nfive',
    ],
  ])('merges %s', (_, mine, theirs, merged) => {
    expect(mergeTexts({ base, mine, theirs })).toBe(merged);
  });

  it.each([
    ['adjacent parts', 'one\nA\nthree\n', 'one\ntwo\nB\n', 'one\nA\nB\n'],
    ['a part before a changed one', 'one\ntwo\nnew\nthree\n', 'one\ntwo\nB\n', 'one\ntwo\nnew\nB\n'],
    ['two added parts', 'one\ntwo\nA\nthree\n', 'one\ntwo\nB\nthree\n', undefined],
    ['a part within removed ones', 'one\ntwo\nA\nthree\n', 'ONE\n', undefined],
  ])('merges by parts %s', (_, mine, theirs, merged) => {
    // The third line begins a part.
    expect(mergeTexts({ base: 'one\ntwo\nthree\n', mine, theirs }, new Set([2]))).toBe(merged);
  });

  it('gives way where one version changes nothing', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n')).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, (old, changed) => {
        expect(mergeTexts({ base: old, mine: changed, theirs: old })).toBe(changed);
        expect(mergeTexts({ base: old, mine: old, theirs: changed })).toBe(changed);
      }),
    );
  });
});

describe('mergeHunks', () => {
  it('takes the changes of one side, and has a clash where both change a line', () => {
    const mine = 'one\nTWO\nthree\nfour\nfive\nsix\n';
    const theirs = 'ONE\nzwei\nthree\nfive\n';
    expect(mergeHunks({ base, mine, theirs })).toEqual([
      { kind: 'clash', before: 'one\ntwo\n', mine: 'one\nTWO\n', theirs: 'ONE\nzwei\n' },
      { kind: 'same', text: 'three\n' },
      { kind: 'theirs', before: 'four\n', text: '' },
      { kind: 'same', text: 'five\n' },
      { kind: 'mine', before: '', text: 'six\n' },
    ]);
  });

  it('has each side of any two versions as a choice', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n')).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, text, (old, mine, theirs) => {
        const parts = mergeHunks({ base: old, mine, theirs });
        const before = parts.map((part) => (part.kind === 'same' ? part.text : part.before));
        expect(before.join('')).toBe(old);
        const ofMine = parts.map((part) => {
          if (part.kind === 'clash') return part.mine;
          return part.kind === 'theirs' ? part.before : part.text;
        });
        expect(ofMine.join('')).toBe(mine);
      }),
    );
  });

  it('has a clash for each difference where the text before is not known', () => {
    const parts = differingHunks('a\nb\nc\n', 'a\nB\nc\nd\n');
    expect(parts).toEqual([
      { kind: 'same', text: 'a\n' },
      { kind: 'clash', before: '', mine: 'b\n', theirs: 'B\n' },
      { kind: 'same', text: 'c\n' },
      { kind: 'clash', before: '', mine: '', theirs: 'd\n' },
    ]);
  });
});
