import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonObjects } from '../../../../src-main/domain/rows/json-objects.ts';

/** True if the text, with other lines around it, is one JSON object. */
function isObject(text: string): boolean {
  const before = Buffer.from('{"a":"b"}\n');
  const line = Buffer.from(text);
  const bytes = Buffer.concat([before, line, Buffer.from('\n{"c":[1]}\n')]);
  return new JsonObjects(bytes).endOf(before.length) === before.length + line.length;
}

/** The same by the engine's parser, for a text without space around it. */
function parses(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      text === text.trim() &&
      !text.includes('\n')
    );
  } catch {
    return false;
  }
}

const objects = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));

it('takes every JSON object', () => {
  fc.assert(
    fc.property(objects, (text) => {
      expect(isObject(text)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it('says what the parser says of an object with a piece of it changed', () => {
  const pieces = fc.constantFrom(
    '',
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    '-',
    '1e5',
    '.',
    'true',
    'nul',
    ' ',
    '\t',
    '{}',
  );
  fc.assert(
    fc.property(objects, fc.nat(), fc.nat(3), pieces, (text, at, length, piece) => {
      const start = at % (text.length + 1);
      const changed = text.slice(0, start) + piece + text.slice(start + length);
      expect(isObject(changed)).toBe(parses(changed));
    }),
    { numRuns: 5000 },
  );
});

it.each([
  '',
  '{',
  '}',
  '[]',
  '"x"',
  '1',
  'null',
  ' {}',
  '{} ',
  '{}{}',
  '{},{}',
  '{"a":1,}',
  '{"a":01}',
  '{"a":"x}',
  '{"a":[1}',
  '\ufeff{}',
])('takes no text that is not one object alone: %j', (text) => {
  expect(isObject(text)).toBe(false);
});

it('takes an object however deep it is', () => {
  const levels = 200_000;
  expect(isObject(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)).toBe(true);
  expect(isObject(`{"a":${'['.repeat(levels)}${']'.repeat(levels - 1)}}`)).toBe(false);
});
