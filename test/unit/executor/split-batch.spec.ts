import { expect, it } from 'vitest';
import { splitBatch } from '../../../src-main/executor/split-batch.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const text = (part: Uint8Array | undefined) => Buffer.from(part ?? []).toString();

it('cuts a batch after a row, with the numbers and the reused values of its rows', () => {
  const batch = {
    firstRow: 5,
    rows: 3,
    bytes: bytes('{"n":1}\n{"n":2}\n{"n":3}\n'),
    numbers: [7, 9, 12],
    reusedValues: bytes('{"a":1}\n\n{"a":3}\n'),
    id: 4,
  };
  const [first, rest] = splitBatch(batch, 2);
  expect(first).toMatchObject({ firstRow: 5, rows: 2, numbers: [7, 9], id: 4 });
  expect(rest).toMatchObject({ firstRow: 7, rows: 1, numbers: [12], id: 4 });
  expect([text(first.bytes), text(rest.bytes)]).toEqual(['{"n":1}\n{"n":2}\n', '{"n":3}\n']);
  expect([text(first.reusedValues), text(rest.reusedValues)]).toEqual(['{"a":1}\n\n', '{"a":3}\n']);
});

it('leaves out what a batch does not have', () => {
  const [first, rest] = splitBatch({ firstRow: 1, rows: 2, bytes: bytes('1\n2\n') }, 1);
  expect([first, rest]).toEqual([
    { firstRow: 1, rows: 1, bytes: bytes('1\n') },
    { firstRow: 2, rows: 1, bytes: bytes('2\n') },
  ]);
});
