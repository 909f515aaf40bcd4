import { describe, expect, it } from 'vitest';
import { RowSplitter, type SplitLimits } from '../../../src-main/http/row-splitter.ts';

const roomy: SplitLimits = { maxRows: 1000, maxRowBytes: 1_000_000 };

/** The rows as lines, from a body that arrives in pieces of `size` bytes. */
function split(body: string | Buffer, size = 7, limits = roomy): string[] {
  const bytes = Buffer.from(body);
  const splitter = new RowSplitter(limits);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size)
    parts.push(Buffer.from(splitter.push(bytes.subarray(at, at + size))));
  const rows = splitter.end();
  const lines = Buffer.concat(parts).toString('utf8').split('\n');
  expect(lines.pop()).toBe('');
  expect(lines).toHaveLength(rows);
  return lines;
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('the rows of a body', () => {
  it('leave as one line each, byte for byte', () => {
    const body = '{"rows":[{"a":1},{"b":[true,null,"x"]},{}]}';
    expect(split(body)).toEqual(['{"a":1}', '{"b":[true,null,"x"]}', '{}']);
    expect(split(body, 1)).toEqual(split(body, 1000));
  });

  it('may be none', () => {
    expect(split('{"rows":[]}')).toEqual([]);
    expect(split(' { "rows" : [ ] } \r\n')).toEqual([]);
  });

  it('keep everything but line breaks between tokens, which become spaces', () => {
    expect(split('{"rows":[{\r\n"a" :\t1.50e+2,\n"b": "\\r\\n"}]}')).toEqual([
      '{  "a" :\t1.50e+2, "b": "\\r\\n"}',
    ]);
  });

  it.each([
    '{"__proto__":{"x":1},"constructor":1,"":2}',
    '{"a":1,"a":2}',
    '{"a":"\\ud800"}',
    '{"a":"\u2028\u2029</script>\u202e👩‍👩‍👧"}',
    '{"é":1,"e\u0301":2}',
    '{"a":"\\u0000\u007f"}',
    '{"a":-0,"b":1e-400,"c":1E5,"d":0.1,"e":-1.5e+300}',
  ])('keep %s as it is', (row) => {
    for (const size of [1, 2, 3, 100]) expect(split(`{"rows":[${row}]}`, size)).toEqual([row]);
  });

  it('have integers that no double holds as text, wherever the body is cut', () => {
    const sent = '{"a":[812345678901234567,-812345678901234567 , 9007199254740992],"b":9007199254740993.0}';
    const next = '{"c":12345678901234567890}';
    const rows = [
      '{"a":["812345678901234567","-812345678901234567" , 9007199254740992],"b":9007199254740993.0}',
      '{"c":"12345678901234567890"}',
    ];
    for (let size = 1; size < 130; size += 1)
      for (const between of [',', ' , ', ',\n'])
        expect(split(`{"rows":[${sent}${between}${next}]}`, size)).toEqual(rows);
  });

  it('are found wherever they stand, however their name is spelt', () => {
    expect(split('{"a":{"rows":[1]},"b":[{"rows":2}],"rows":[{"c":1}],"d":1e999}')).toEqual(['{"c":1}']);
    expect(split('{"\\u0072ow\\u0073":[{"a":1}]}', 1)).toEqual(['{"a":1}']);
    expect(split(`{"${'long name '.repeat(20)}":0,"rows":[{}]}`, 3)).toEqual(['{}']);
  });

  it('may follow one byte order mark', () => {
    expect(split('\ufeff{"rows":[{}]}', 1)).toEqual(['{}']);
  });
});

describe('a body is refused, with rows named,', () => {
  it.each([
    ['', 'it is empty'],
    [' \n', 'it is empty'],
    ['[]', 'it is not a JSON object'],
    ['"x"', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    ['\ufeff\ufeff{"rows":[]}', 'it is not a JSON object'],
    ['{}', '"rows" is missing'],
    ['{"row":[]}', '"rows" is missing'],
    ['{"nodes":{}}', 'it has "nodes" but no "rows"'],
    ['{"rows":{}}', '"rows" is not an array'],
    ['{"rows":null}', '"rows" is not an array'],
    ['{"rows":[1]}', 'rows[0] is not an object (row 1)'],
    ['{"rows":[{},{},"x"]}', 'rows[2] is not an object (row 3)'],
    ['{"rows":[null]}', 'rows[0] is not an object (row 1)'],
    ['{"rows":[[]]}', 'rows[0] is not an object (row 1)'],
    ['{"rows":[],"rows":[]}', '"rows" is there twice'],
    ['{"rows":[],"r\\u006fws":[]}', '"rows" is there twice'],
    ['{"rows":[]}{"rows":[]}', 'there is more after its end'],
    ['{"rows":[]}\0', 'there is more after its end'],
    ['{"rows":[{}', 'its JSON ends too early'],
    ['{"rows":[{"a":1e400}]}', 'a number in rows[0] is too large (row 1)'],
    ['{"rows":[{},{"a":[-1e+309]}]}', 'a number in rows[1] is too large (row 2)'],
    [`{"rows":[{"a":${'9'.repeat(309)}}]}`, 'a number in rows[0] is too large (row 1)'],
    ['{"rows":[{"a":NaN}]}', 'it is not JSON: "N" at byte 15 is out of place'],
    ['{"rows":[{},]}', 'it is not JSON: "]" at byte 13 is out of place'],
    ['{"rows":[{"a":1,}]}', 'it is not JSON: "}" at byte 17 is out of place'],
    ['{"rows":[{"a":"\n"}]}', 'it is not JSON: 0x0a at byte 16 is out of place'],
    ['{"rows":[{"a":[1}]}', 'it is not JSON: "}" at byte 17 is out of place'],
    ['{"rows":[{"a":{]}]}', 'it is not JSON: "]" at byte 16 is out of place'],
    ['{"rows":[]/* no */}', 'it is not JSON: "/" at byte 11 is out of place'],
  ])('%j: %s', (body, problem) => {
    for (const size of [1, 5, 1000]) {
      expect(() => split(body, size)).toThrow(
        `Invalid request body: ${problem}. Expected a JSON object with a "rows" array of objects`,
      );
    }
  });

  it.each([
    ['a stray byte', [0xff, 0xfe]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a cut-off character', [0xe2, 0x82]],
    ['a character above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ])('%s is not UTF-8', (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"rows":[{"a":"'), Buffer.from(bytes), Buffer.from('"}]}')]);
    for (const size of [1, 2, 1000]) expect(() => split(body, size)).toThrow('it is not valid UTF-8');
  });
});

// Long texts are looked at four bytes at a time, wherever in memory they begin.
describe('every byte in a long text', () => {
  const bytes = Array.from({ length: 128 }, (_, byte) => byte);

  it.each([0, 1, 2, 3])('means what it means to JSON.parse, with %d bytes before the body', (before) => {
    for (const byte of bytes) {
      for (let offset = 8; offset < 17; offset += 1) {
        const text = `${'a'.repeat(offset)}${String.fromCharCode(byte)}${'~'.repeat(24 - offset)}`;
        const body = Buffer.from(`${' '.repeat(before)}{"rows":[{"a":"${text}"}]}`).subarray(before);
        expect([byte, offset, isTaken(() => split(body, 1000))]).toEqual([
          byte,
          offset,
          isTaken(() => JSON.parse(body.toString())),
        ]);
      }
    }
  });

  const isTaken = (read: () => unknown): boolean => {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  };
});

describe('limits', () => {
  it('let the largest double pass, however long it is written', () => {
    const rows = [
      `{"a":${Number.MAX_VALUE}}`,
      `{"a":0.${'0'.repeat(400)}1e400}`,
      `{"a":1.${'1'.repeat(400)}}`,
    ];
    for (const row of rows) expect(split(`{"rows":[${row}]}`)).toEqual([row]);
  });

  it('let 100 levels pass, the body itself being the first, and refuse 101', () => {
    const row = `{"a":${nested(97)}}`;
    expect(split(`{"rows":[${row}]}`)).toEqual([row]);
    expect(() => split(`{"rows":[{"a":${nested(98)}}]}`)).toThrow('it is nested deeper than 100 levels');
    expect(() => split(`{"a":${'['.repeat(5_000_000)}`, 65_536)).toThrow(
      'it is nested deeper than 100 levels',
    );
  });

  it('refuse one row more than allowed', () => {
    const limits = { ...roomy, maxRows: 2 };
    expect(split('{"rows":[{},{}]}', 7, limits)).toHaveLength(2);
    expect(() => split('{"rows":[{},{},{}]}', 7, limits)).toThrow(
      expect.objectContaining({
        code: 'body_too_large',
        message: 'Request body too large: it has more than 2 rows',
      }),
    );
  });

  it('refuse a row of one byte more than allowed', () => {
    const limits = { ...roomy, maxRowBytes: 10 };
    expect(split('{"rows":[{"a":"12"}]}', 3, limits)).toEqual(['{"a":"12"}']);
    expect(() => split('{"rows":[{"a":"123"}]}', 3, limits)).toThrow(
      expect.objectContaining({
        code: 'body_too_large',
        message: 'Request body too large: row 1 has more than 10 bytes',
      }),
    );
  });

  it('count each row from its own beginning', () => {
    const limits = { ...roomy, maxRowBytes: 10 };
    expect(split('{"rows":[{"a":"12"},{"a":"12"},{"a":"12"}]}', 4, limits)).toHaveLength(3);
  });
});
