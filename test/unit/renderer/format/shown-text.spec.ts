import { describe, expect, it } from 'vitest';
import { visibleSegments } from '../../../../src-renderer/format/shown-text.ts';

const words = (text: string): string =>
  visibleSegments(text)
    .map((part) => (part.isMark ? `[${part.text}]` : part.text))
    .join('');

describe('a text of others', () => {
  it.each([
    ['a turn of direction', 'user\u202Eadmin', 'user[U+202E]admin'],
    ['isolates', '\u2066x\u2069', '[U+2066]x[U+2069]'],
    ['marks of direction', 'a\u200Eb\u200Fc\u061Cd', 'a[U+200E]b[U+200F]c[U+061C]d'],
    ['a space without width', 'pay\u200Bpal\u2060x\uFEFF', 'pay[U+200B]pal[U+2060]x[U+FEFF]'],
    ['a soft hyphen and a filler', 'a\u00ADb\u3164', 'a[U+00AD]b[U+3164]'],
    ['tags', 'a\u{E0041}', 'a[U+E0041]'],
    ['controls', 'a\u0000b\u001Bc\u0085', 'a[U+0000]b[U+001B]c[U+0085]'],
    ['joiners between plain letters', 'a\u200Db\u200Cc', 'a[U+200D]b[U+200C]c'],
    ['a selector behind a plain letter', 'a\uFE0Fb', 'a[U+FE0F]b'],
    ['a second selector behind a sign', 'é\u{E0101}\u{E0102}', 'é\u{E0101}[U+E0102]'],
    ['selectors behind one that is named', 'a\uFE0F\uFE0E', 'a[U+FE0F][U+FE0E]'],
  ])('names what cannot be seen of it: %s', (_, text, shown) => {
    expect(words(text)).toBe(shown);
  });

  it.each([
    'plain',
    'محمد بن موسى',
    '李白',
    'می\u200Cخواهم',
    '👩\u200D🚀',
    '❤\uFE0F',
    '🏳\uFE0F\u200D🌈',
    'a\tb',
  ])('is left alone where nothing is hidden: %s', (text) => {
    expect(visibleSegments(text)).toEqual([{ text }]);
  });

  it('of nothing has no parts', () => {
    expect(visibleSegments('')).toEqual([]);
  });
});
