import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTexts } from '../../../../../src-main/domain/authoring/create/merge-texts.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';

describe('mergeTexts', () => {
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
