import { describe, expect, it } from 'vitest';
import { rowId } from '../../../src-main/domain/run/row-id.ts';
import { entriesOf } from '../../../src-main/http/public-api/stream-output.ts';

const runId = '0197a0c2-0000-7000-8000-0123456789ab';
const id = (row: number): string => rowId(runId, row);

const entries = (firstRow: number, text: string, isFirst: boolean): string =>
  Buffer.concat([...entriesOf(runId, { firstRow, bytes: Buffer.from(text) }, isFirst)]).toString();

describe('entries of an output', () => {
  it('are the lines under their row ids, byte for byte', () => {
    expect(entries(1, '{"a":1}\n{"ü": "x" }\n', true)).toBe(`"${id(1)}":{"a":1},"${id(2)}":{"ü": "x" }`);
  });

  it('go on with a comma after what was written before', () => {
    expect(entries(8, '{}\n', false)).toBe(`,"${id(8)}":{}`);
  });

  it('leave out rows without output, and still count them', () => {
    expect(entries(1, '\n{}\n\n{}\n', true)).toBe(`"${id(2)}":{},"${id(4)}":{}`);
    expect(entries(1, '\n\n', true)).toBe('');
  });

  it('go by the numbers that the rows have kept', () => {
    const bytes = Buffer.from('{}\n\n{}\n');
    const pieces = [...entriesOf(runId, { firstRow: 1, bytes, numbers: [3, 8, 70_000] }, true)];
    expect(Buffer.concat(pieces).toString()).toBe(`"${id(3)}":{},"${id(70_000)}":{}`);
  });

  it('come in pieces of at most 64 KB, wherever these end', () => {
    const lines = Array.from({ length: 300 }, (_, n) => `{"a":"${'é'.repeat(n * 7)}"}`);
    const large = `{"a":"${'x'.repeat(1_000_000)}"}`;
    const bytes = Buffer.from([...lines, large, ...lines].map((line) => `${line}\n`).join(''));
    const pieces = [...entriesOf(runId, { firstRow: 1, bytes }, true)];
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(64 * 1024);
    expect(Buffer.concat(pieces).toString()).toBe(
      [...lines, large, ...lines].map((line, index) => `"${id(index + 1)}":${line}`).join(','),
    );
  });

  it('have room for the longest row number', () => {
    const firstRow = 9_007_199_254_740_980;
    expect(entries(firstRow, '1\n2\n', false)).toBe(`,"${id(firstRow)}":1,"${id(firstRow + 1)}":2`);
  });
});
