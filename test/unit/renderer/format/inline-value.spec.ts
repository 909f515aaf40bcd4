import { expect, it } from 'vitest';
import { previewValue } from '../../../../src-main/domain/rows/preview-row.ts';
import { inlineValue } from '../../../../src-renderer/format/inline-value.ts';
import type { JsonValue } from '../../../../src-main/base/json-value.ts';

it.each<[JsonValue, string]>([
  [{ host: 'a.example', 'no-name': [1, null, {}] }, '{ host: "a.example", "no-name": [1, null, {}] }'],
  [{ text: 'a, {b}: "c"' }, String.raw`{ text: "a, {b}: \"c\"" }`],
  ['two\nlines', String.raw`"two\nlines"`],
  [[], '[]'],
  [12.5, '12.5'],
  [null, 'null'],
])('a value stands in one line as code would write it: %j', (value, line) => {
  expect(inlineValue(previewValue(value))).toBe(line);
});

it('a value that was cut ends with an ellipsis', () => {
  expect(inlineValue(previewValue({ text: 'abcdefgh' }, 12))).toBe('{ text: "abc…');
  expect(inlineValue(previewValue('abcdefgh', 4))).toBe('"abcd…');
});
