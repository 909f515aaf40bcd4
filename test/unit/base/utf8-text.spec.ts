import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import { utf8Fault, utf8Text } from '../../../src-main/base/utf8-text.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

function faultOf(bytes: Uint8Array): unknown {
  try {
    return utf8Text(bytes, 'a.yaml');
  } catch (error) {
    return error instanceof AppError ? [error.message, error.detail.textFault] : error;
  }
}

describe('bytes of a text file', () => {
  it.each(['', 'a', 'é🎈\n', '\ufeffa: 1\r\n', 'a \ufffd b', '\u0000', 'a\u0000b'])(
    'that hold %j are this text',
    (text) => {
      expect(utf8Text(Buffer.from(text), 'a.yaml')).toBe(text);
    },
  );

  it.each([
    [latin1('caf\xe9'), 1, 4],
    [latin1('a: 1\nb: caf\xe9\nc: \xe9\n'), 2, 7],
    [Buffer.concat([Buffer.from('\ufeffé🎈\ufffd\r\n\ufffdx'), latin1('\xff')]), 2, 3],
    [Buffer.from([0x61, 0x0a, 0xc3]), 2, 1],
    [Buffer.from([0xed, 0xa0, 0x80]), 1, 1],
  ])('that are not UTF-8 are refused with their place: %s', (bytes, line, column) => {
    expect(faultOf(bytes)).toEqual([
      `a.yaml is not UTF-8 text in line ${line}, column ${column}: save it as UTF-8`,
      { line, column, problem: 'This is not UTF-8 text: save the file as UTF-8' },
    ]);
  });

  it.each([
    ['with a mark', Buffer.from('\ufeffrowbench: 1', 'utf16le')],
    ['with a mark, big endian', Buffer.from('\ufeffrowbench: 1', 'utf16le').swap16()],
    ['without a mark', Buffer.from('rowbench: 1', 'utf16le')],
    ['without a mark, big endian', Buffer.from('rowbench: 1', 'utf16le').swap16()],
  ])('of UTF-16 %s are refused by this name', (_, bytes) => {
    expect(faultOf(bytes)).toEqual([
      'a.yaml is UTF-16 text: save it as UTF-8',
      { line: 1, column: 1, problem: 'The file is UTF-16 text: save it as UTF-8' },
    ]);
  });

  it('are looked through in time that grows with their length alone', () => {
    const bytes = Buffer.concat([Buffer.from('\ufffd\n'.repeat(1_000_000)), latin1('\xe9')]);
    expect(utf8Fault(bytes)).toEqual({ line: 1_000_001, column: 1 });
  });
});
