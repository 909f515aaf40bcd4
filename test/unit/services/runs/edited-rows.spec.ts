import { describe, expect, it } from 'vitest';
import type { EditedRows } from '../../../../src-main/domain/run/row-numbers.ts';
import { readEditedRows } from '../../../../src-main/services/runs/edited-rows.ts';

async function read(edited: EditedRows): Promise<{ text: string; numbers: readonly number[] | undefined }> {
  let text = '';
  let numbers: readonly number[] | undefined;
  for await (const piece of readEditedRows(edited)) {
    text += Buffer.from(piece.bytes).toString();
    numbers = piece.numbers;
  }
  return { text, numbers };
}

describe('edited rows', () => {
  it('are taken as they are written, blank lines left out', async () => {
    const { text } = await read({ lines: '{"__proto__": {"a":1}}\n\n{"b":2}' });
    expect(text).toBe('{"__proto__": {"a":1}}\n{"b":2}\n');
  });

  it.each(['[1]', '{"a":1', '7'])('cannot be %j', (lines) => {
    expect(() => readEditedRows({ lines })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  it('go by the numbers given', async () => {
    expect((await read({ lines: '{}\n{}', numbers: [3, 9] })).numbers).toEqual([3, 9]);
  });

  it.each([
    [[3], '1 numbers were given for 2 rows'],
    [[3, 3], '3 comes after 3'],
    [[9, 3], '3 comes after 9'],
  ])('refuse the numbers %j', (numbers, problem) => {
    expect(() => readEditedRows({ lines: '{}\n{}', numbers })).toThrow(problem);
  });
});
