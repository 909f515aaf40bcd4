import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countInexactIntegers,
  isExactInteger,
  parseExactJson,
  quoteInexactIntegers,
} from '../../../../src-main/domain/rows/exact-json.ts';

describe('an integer literal', () => {
  it.each(['0', '-7', '9007199254740992', '9007199254740994', '812345678901234600'])(
    '%s stays a number, which JavaScript writes with the same digits',
    (literal) => {
      expect(parseExactJson(`[${literal}]`)).toEqual([Number(literal)]);
      expect(JSON.stringify(parseExactJson(`[${literal}]`))).toBe(`[${literal}]`);
    },
  );

  it.each([
    ['9007199254740993', 'the first integer that no double holds'],
    ['-812345678901234567', 'an id below zero'],
    ['12345678901234567890', 'an id of 20 digits'],
    ['812345678901234560', 'a double that JavaScript writes with other digits'],
    ['1000000000000000000000', 'a double that JavaScript writes with an exponent'],
  ])('%s becomes text: %s', (literal) => {
    expect(parseExactJson(`{"id":${literal}}`)).toEqual({ id: literal });
  });

  it('out of range stays one, so that its reader can refuse it', () => {
    expect(parseExactJson(`[${'9'.repeat(400)}]`)).toEqual([Infinity]);
  });
});

it('decimals and numbers with an exponent stay doubles', () => {
  const text = '[0.1,812345678901234567.0,8123456789012345678e1,1.7976931348623157e308]';
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
});

it('digits inside texts and names stay as they are', () => {
  const text = String.raw`{"812345678901234567":"812345678901234567","a":"\"812345678901234567","b\\":"\\"}`;
  expect(quoteInexactIntegers(text)).toBe(text);
});

it('text that is no JSON does not become JSON by quotes around its numbers', () => {
  expect(() => parseExactJson('{812345678901234567:1}')).toThrow(SyntaxError);
});

it('inexact integers are counted at any depth', () => {
  expect(countInexactIntegers('{"a":["9007199254740993",{"b":9007199254740993}]}')).toBe(1);
  expect(countInexactIntegers('{"a":"9007199254740993"}')).toBe(0);
});

/** JSON with integers of any size, as another program writes it. */
const withIntegers = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary' }),
    fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
    fc.constantFrom(true, null, '__proto__', '"', '\\'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .dictionary(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '9007199254740993')),
        tie('value'),
        {
          maxKeys: 4,
        },
      )
      .map((record) => ({ ...record })),
  ),
})).value;

function written(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[ ${value.map(written).join(' , ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${written(inner)}`)
    .join(',')} }`;
}

/** The value that a reader should have: texts of integers that no double holds. */
function expected(value: unknown): unknown {
  if (typeof value === 'bigint')
    return String(Number(value)) === String(value) ? Number(value) : String(value);
  if (typeof value === 'number') return JSON.parse(JSON.stringify(value));
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== 'object' || value === null) return value;
  return JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expected(inner)]))),
  );
}

it('any JSON keeps all its values, and every integer its digits', () => {
  fc.assert(
    fc.property(withIntegers, (value) => {
      expect(parseExactJson(written(value))).toEqual(expected(value));
    }),
    { numRuns: 2000 },
  );
});

it('JSON that JavaScript wrote is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.double({ noNaN: true, noDefaultInfinity: true }), (value, number) => {
      const text = JSON.stringify([value, number]);
      expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

it('integers below 16 digits are exact without a look', () => {
  expect(isExactInteger('999999999999999')).toBe(true);
  expect(isExactInteger('-999999999999999')).toBe(true);
});

it('an integer is found wherever it stands', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.integer({ min: 1, max: 40 }), fc.nat(40), (before, digits, after) => {
      const literal = '7'.repeat(digits);
      const json = `${' '.repeat(before)}${literal}${' '.repeat(after)}`;
      expect(countInexactIntegers(json)).toBe(isExactInteger(literal) ? 0 : 1);
    }),
  );
});
