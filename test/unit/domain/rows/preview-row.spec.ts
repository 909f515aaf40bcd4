import { expect, it } from 'vitest';
import { textFinder } from '../../../../src-main/domain/rows/find-text.ts';
import { beginning, previewRow } from '../../../../src-main/domain/rows/preview-row.ts';

it('a preview names each field with its kind and the beginning of its value', () => {
  const row = { a: 'x', b: 1.5, c: false, d: null, e: [1], f: { g: 2 } };
  expect(previewRow(row).fields.map(({ kind, text }) => [kind, text])).toEqual([
    ['text', 'x'],
    ['number', '1.5'],
    ['boolean', 'false'],
    ['null', 'null'],
    ['list', '[1]'],
    ['object', '{"g":2}'],
  ]);
});

it('a preview holds as many fields as anybody looks through, and says how many more there are', () => {
  const row = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n]));
  expect(previewRow(row)).toMatchObject({ fieldsLeftOut: 40 });
  expect(previewRow(JSON.parse('{"__proto__":1,"toString":2}') as { x: number }).fields).toHaveLength(2);
});

it('a beginning never ends inside a character', () => {
  expect(beginning('ab😀', 3)).toBe('ab');
  expect(beginning('ab😀', 4)).toBe('ab😀');
});

it.each([
  ['Größe', '{"a":"größe"}', true],
  ['größe', String.raw`{"a":"gr\u00f6\u00DFe"}`, true],
  ['a/b', String.raw`{"a":"a\/b"}`, true],
  ['say "hi"', String.raw`{"a":"say \"hi\""}`, true],
  ['b', '{"a":"c"}\n\n{"b":1}', true],
  ['x', '{"a":"c"}\n', false],
])('%s is found in %s: %s', (text, lines, isFound) => {
  expect(textFinder(text)(lines)).toBe(isFound);
});
