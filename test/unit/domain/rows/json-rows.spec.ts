import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonRows } from '../../../../src-main/domain/rows/files/json-rows.ts';
import { maxRowDepth } from '../../../../src-main/domain/rows/files/json-row.ts';

const read = (...pieces: string[]): string[] => {
  const reader = new JsonRows();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
};

/** The text in pieces of the given sizes, over and over. */
const cut = (text: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = [];
  for (let at = 0, n = 0; at < text.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};

const row = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const indent = fc.constantFrom(undefined, 2, '\t');

describe('rows of one JSON value', () => {
  it('come out of a list', () => {
    expect(read('[{"a":1}, {"b":[2,{}]}]')).toEqual(['{"a":1}', '{"b":[2,{}]}']);
  });

  it('come out of the rows member of an object, whatever stands beside it', () => {
    expect(read('{"note":{"rows":[1]},"rows":[{"a":1}],"x":[1,"]"]}')).toEqual(['{"a":1}']);
  });

  it('may be none', () => {
    expect([read('[]'), read(' { "rows" : [ ] } ')]).toEqual([[], []]);
  });

  it('are the same however the text is written and cut', () => {
    fc.assert(
      fc.property(fc.array(row), indent, sizes, fc.boolean(), (rows, space, pieces, inObject) => {
        const text = JSON.stringify(inObject ? { before: [null], rows, after: 1 } : rows, null, space);
        const lines = read(...cut(text, pieces));
        expect(lines.every((line) => !/[\r\n]/.test(line))).toBe(true);
        expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).toEqual(
          rows.map((each) => JSON.stringify(each)),
        );
      }),
    );
  });

  it('keep keys named __proto__, lone surrogates and number spelling', () => {
    const text = '{"__proto__":{"x":1},"s":"\\ud800","n":1.50}';
    expect(read(`[${text}]`)).toEqual([text]);
  });

  it('may be nested as deep as the HTTP interface allows, and no deeper', () => {
    const nested = (levels: number): string => `[{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}]`;
    expect(read(nested(maxRowDepth))).toHaveLength(1);
    expect(() => read(nested(maxRowDepth + 1))).toThrow('line 1, column 2: a row may be nested 98 levels');
  });
});

describe('a JSON rows file that is wrong', () => {
  it.each([
    ['', 'line 1, column 1: expected a list of objects'],
    ['{}', 'line 1, column 3: expected a list of objects, or an object with a "rows" list'],
    ['"x"', 'line 1, column 1: expected a list of objects'],
    ['{"rows":{}}', 'line 1, column 9: "rows" must be a list of objects'],
    ['{"rows":[],"rows":[]}', 'line 1, column 19: "rows" is there twice'],
    ['[{"a":1},3]', 'line 1, column 10: a row must be an object, not a number'],
    ['[{"a":1},\n [1]]', 'line 2, column 2: a row must be an object, not a list'],
    ['[null]', 'line 1, column 2: a row must be an object, not null'],
    ['[{"a":1},]', 'line 1, column 10: expected a value'],
    ['[{"a":1} {"b":2}]', 'line 1, column 10: expected "," or "]"'],
    ['[{"a":1}\n', 'line 2, column 1: the text ends too early'],
    ['[{"a":1},\n{"b":', 'line 2, column 1: the text ends too early'],
    ['[{"a":1}] x', 'line 1, column 11: unexpected text after the end'],
    ['[{"a":1},\n{"b":tru}]', 'line 2, column 6: expected a value, found "t"'],
    ["[{'a':1}]", 'line 1, column 3: expected a name in double quotes, found "\'"'],
    ['[{"a":"x\ny"}]', 'line 1, column 9: a control character or line break in a string'],
    ['[{"a":"\\x"}]', 'line 1, column 8: a bad escape in a string'],
    ['[{"a":1e400}]', 'line 1, column 2: a number is too large for a double'],
    ['[{"a":[1,2,]}]', 'line 1, column 12: expected a value, found "]"'],
    ['{"rows":[{}],}', 'line 1, column 14: expected a name in double quotes'],
    ['{"x":01,"rows":[]}', 'line 1, column 7: unexpected "1" after the end of the value'],
  ])('%s', (text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(...text)).toThrow(message);
  });

  it('is never accepted where JSON.parse refuses the text', () => {
    const damaged = fc
      .tuple(fc.array(row, { minLength: 1 }), fc.nat(), fc.constantFrom(',', '"', '}', ']', '', 'x', '\\'))
      .map(([rows, at, put]) => {
        const text = JSON.stringify(rows);
        return text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1);
      });
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(damaged, sizes, (text, pieces) => {
        fc.pre(!isJson(text));
        expect(() => read(...cut(text, pieces))).toThrow(/^line \d+, column \d+: /);
      }),
      { numRuns: 500 },
    );
  });
});
