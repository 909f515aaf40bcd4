import { describe, expect, it } from 'vitest';
import { rowId } from '../../../src-main/domain/run/row-numbers.ts';
import { OutputEntries } from '../../../src-main/http/public-api/stream-output.ts';

const runId = '0197a0c2-0000-7000-8000-0123456789ab';
const id = (row: number): string => rowId(runId, row);

/** Entries of an output that arrives in consecutive pieces. */
function entries(firstRow: number, ...pieces: readonly string[]): string {
  const writer = new OutputEntries(runId);
  let row = firstRow;
  const made = pieces.flatMap((text) => {
    const shown = [...writer.of({ firstRow: row, bytes: Buffer.from(text, 'latin1') })];
    row += text.split('\n').length - 1;
    return shown;
  });
  return Buffer.concat(made).toString('latin1');
}

describe('entries of an output', () => {
  it('are the lines under their row ids, byte for byte', () => {
    expect(entries(1, '{"a":1}\n{"ü": "x" }\n')).toBe(`"${id(1)}":{"a":1},"${id(2)}":{"ü": "x" }`);
  });

  it('go on with a comma after what was written before', () => {
    expect(entries(8, '{}\n', '[]\n')).toBe(`"${id(8)}":{},"${id(9)}":[]`);
  });

  it('are the same wherever the lines were cut into pieces', () => {
    const text = '{"a":1}\n\n{"b":22}\n{}\n';
    const whole = entries(5, text);
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (let next = cut; next <= text.length; next += 1) {
        expect(entries(5, text.slice(0, cut), text.slice(cut, next), text.slice(next))).toBe(whole);
      }
    }
  });

  it('leave out rows without output, and still count them', () => {
    expect(entries(1, '\n{}\n\n{}\n')).toBe(`"${id(2)}":{},"${id(4)}":{}`);
    expect(entries(1, '\n\n')).toBe('');
  });

  it('go by the numbers that the rows have kept', () => {
    const bytes = Buffer.from('{}\n\n{}\n');
    const pieces = [...new OutputEntries(runId).of({ firstRow: 1, bytes, numbers: [3, 8, 70_000] })];
    expect(Buffer.concat(pieces).toString()).toBe(`"${id(3)}":{},"${id(70_000)}":{}`);
  });

  it('come in pieces of at most 64 KB, wherever these end', () => {
    const lines = Array.from({ length: 300 }, (_, n) => `{"a":"${'é'.repeat(n * 7)}"}`);
    const large = `{"a":"${'x'.repeat(1_000_000)}"}`;
    const bytes = Buffer.from([...lines, large, ...lines].map((line) => `${line}\n`).join(''));
    const pieces = [...new OutputEntries(runId).of({ firstRow: 1, bytes })];
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(64 * 1024);
    expect(Buffer.concat(pieces).toString()).toBe(
      [...lines, large, ...lines].map((line, index) => `"${id(index + 1)}":${line}`).join(','),
    );
  });

  it('count on over every number of digits', () => {
    for (const last of [9, 19, 999, 9_999, 999_999, 9_999_999]) {
      expect(entries(last, '1\n2\n3\n')).toBe(`"${id(last)}":1,"${id(last + 1)}":2,"${id(last + 2)}":3`);
    }
  });

  it('have room for the longest row number', () => {
    const firstRow = 9_007_199_254_740_980;
    expect(entries(firstRow, '1\n2\n')).toBe(`"${id(firstRow)}":1,"${id(firstRow + 1)}":2`);
  });
});
