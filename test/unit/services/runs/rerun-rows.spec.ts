import { expect, it } from 'vitest';
import type { RowLines } from '../../../../src-main/domain/run/row-numbers.ts';
import { rowsWithoutOutput } from '../../../../src-main/services/runs/rerun-rows.ts';

async function* chunks(...texts: string[]) {
  let firstRow = 1;
  for (const text of texts) {
    yield { firstRow, bytes: Buffer.from(text) };
    firstRow += text.split('\n').length - 1;
  }
}

async function picked(rows: string[], outputs: string[]): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of rowsWithoutOutput(chunks(...rows), chunks(...outputs))) parts.push(bytes);
  return Buffer.concat(parts).toString();
}

it('picks rows whose output line is empty and rows never reached', async () => {
  expect(await picked(['{"a":1}\n{"a":2}\n', '{"a":3}\n{"a":4}\n'], ['{"o":1}\n\n{"o":3}\n'])).toBe(
    '{"a":2}\n{"a":4}\n',
  );
});

async function numbersPicked(rows: RowLines[], outputs: string[]): Promise<unknown> {
  const numbers: unknown[] = [];
  async function* source() {
    yield* rows;
  }
  for await (const piece of rowsWithoutOutput(source(), chunks(...outputs))) numbers.push(piece.numbers);
  return numbers;
}

it('gives each picked row its position as its number', async () => {
  const rows = [
    { firstRow: 1, bytes: Buffer.from('{}\n{}\n') },
    { firstRow: 3, bytes: Buffer.from('{}\n{}\n') },
  ];
  expect(await numbersPicked(rows, ['{}\n\n{}\n'])).toEqual([[2], [4]]);
});

it('leaves each picked row the number that it has', async () => {
  const rows = [
    { firstRow: 1, bytes: Buffer.from('{}\n{}\n'), numbers: [4, 9] },
    { firstRow: 3, bytes: Buffer.from('{}\n'), numbers: [70_000] },
  ];
  expect(await numbersPicked(rows, ['{}\n\n'])).toEqual([[9], [70_000]]);
});

it('picks nothing when every row has its output', async () => {
  expect(await picked(['{"a":1}\n'], ['{}\n'])).toBe('');
});

it('picks everything when nothing was put out', async () => {
  expect(await picked(['{"a":1}\n', '{"a":2}\n'], [])).toBe('{"a":1}\n{"a":2}\n');
});

it('lets go of the outputs when the rows end first', async () => {
  let isOpen = true;
  async function* outputs() {
    try {
      yield { firstRow: 1, bytes: Buffer.from('{}\n{}\n') };
    } finally {
      isOpen = false;
    }
  }
  for await (const piece of rowsWithoutOutput(chunks('{"a":1}\n'), outputs())) expect(piece).toBeUndefined();
  expect(isOpen).toBe(false);
});
