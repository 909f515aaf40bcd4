// Rows arrive in two ways: in a trigger's body (bytes) and in a JSON file of rows (text). Both readers must treat the
// same rows alike.
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import { JsonRows } from '../../../src-main/domain/rows/files/json-rows.ts';
import { RowSplitter } from '../../../src-main/http/row-splitter.ts';

/** As the command line decodes a file. */
function strictUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_input', 'not UTF-8', { cause });
  }
}

/** The rows as values in JSON; undefined when they are refused. */
type Reader = (body: Buffer) => string | undefined;

const outcome = (read: () => string[]): string | undefined => {
  try {
    return JSON.stringify(read().map((line) => JSON.parse(line) as unknown));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
};

const body: Reader = (bytes) =>
  outcome(() => {
    const splitter = new RowSplitter({ maxRows: 1000, maxRowBytes: 1_000_000 });
    const lines = Buffer.from(splitter.push(bytes)).toString();
    splitter.end();
    return lines.split('\n').filter(Boolean);
  });

const file: Reader = (bytes) =>
  outcome(() => {
    const rows = new JsonRows();
    return [...rows.push(strictUtf8(bytes)), ...rows.end()];
  });

const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const rowsOf = (row: string): string => `{"rows":[${row}]}`;

describe.each([
  ['the body of a trigger', body],
  ['a file of rows', file],
])('%s', (_, read) => {
  it.each([
    ['numbers of every spelling', rowsOf('{"a":[0,-0,1.50,1e5,-2E+308,12e-5]}'.replace('308', '300'))],
    ['a number too small for a double', rowsOf('{"a":1e-400}')],
    ['escapes', rowsOf('{"a":"\\u00e9\\n\\/\\\\\\"\\ud83d\\ude00"}')],
    ['half of a pair', rowsOf('{"a":"\\ud800"}')],
    ['a doubled name in a row', rowsOf('{"a":1,"a":2}')],
    ['the name __proto__', rowsOf('{"__proto__":{"x":1}}')],
    ['rows spelt in escapes', '{"\\u0072ows":[{"a":1}]}'],
    ['other members before and after', '{"x":{"rows":[1]},"rows":[{"a":1}],"y":[null]}'],
    ['blanks and line breaks between', '\r\n{ "rows"\t: [ {\n"a" : 1 } , {} ] }\n'],
    ['no rows', '{"rows":[]}'],
    ['rows as deep as allowed', rowsOf(nested(98))],
  ])('takes %s', (_name, text) => {
    const { rows } = JSON.parse(text) as { rows: unknown };
    expect(read(Buffer.from(text))).toBe(JSON.stringify(rows));
  });

  it.each([
    ['a number too large for a double', rowsOf('{"a":1e400}')],
    ['the same below zero, deep inside', rowsOf('{"a":[{"b":-1e400}]}')],
    ['rows deeper than allowed', rowsOf(nested(99))],
    ['rows given twice', '{"rows":[],"rows":[]}'],
    ['rows given twice, once in escapes', '{"rows":[],"\\u0072ows":[]}'],
    ['a byte order mark in the middle', '{"rows":\ufeff[]}'],
    ['a comma after the last row', '{"rows":[{},]}'],
    ['a comma after the last member', '{"rows":[],}'],
    ['a comma after the last field', rowsOf('{"a":1,}')],
    ['NaN', rowsOf('{"a":NaN}')],
    ['Infinity', rowsOf('{"a":-Infinity}')],
    ['undefined', rowsOf('{"a":undefined}')],
    ['a leading zero', rowsOf('{"a":01}')],
    ['a leading plus', rowsOf('{"a":+1}')],
    ['a bare point', rowsOf('{"a":1.}')],
    ['a number in base 16', rowsOf('{"a":0x1}')],
    ['an unknown escape', rowsOf('{"a":"\\x41"}')],
    ['an escape cut short', rowsOf('{"a":"\\u12"}')],
    ['a line break in a string', rowsOf('{"a":"x\ny"}')],
    ['a NUL in a string', rowsOf('{"a":"\0"}')],
    ['a NUL at the end', '{"rows":[]}\0'],
    ['single quotes', rowsOf("{'a':1}")],
    ['a name without quotes', rowsOf('{a:1}')],
    ['a comment', '{"rows":[/* none */]}'],
    ['two values', '{"rows":[]}{"rows":[]}'],
    ['rows that are no list', '{"rows":{}}'],
    ['a row that is a list', rowsOf('[]')],
    ['a row that is null', rowsOf('null')],
    ['no rows member', '{"row":[]}'],
    ['a no-break space between', '{"rows":\u00a0[]}'],
    ['half a text', '{"rows":[{"a":1}'],
    ['nothing', ''],
  ])('refuses %s', (_name, text) => {
    expect(read(Buffer.from(text))).toBeUndefined();
  });

  it('takes a byte order mark at the very start for none', () => {
    expect(read(Buffer.from('\ufeff{"rows":[{"a":1}]}'))).toBe('[{"a":1}]');
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half of a pair as bytes', [0xed, 0xa0, 0x80]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
    ['a character cut short', [0xe2, 0x82]],
  ])('refuses %s in a string', (_name, bytes) => {
    const text = [Buffer.from('{"rows":[{"a":"'), Buffer.from(bytes), Buffer.from('"}]}')];
    expect(read(Buffer.concat(text))).toBeUndefined();
  });
});
