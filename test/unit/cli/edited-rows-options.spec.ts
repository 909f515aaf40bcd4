import { describe, expect, it } from 'vitest';
import { editedRows, numbersOf } from '../../../src-main/cli/commands/move-runs-command.ts';

describe('a list of row numbers', () => {
  it.each([
    ['3', [3]],
    ['3,7-9', [3, 7, 8, 9]],
    [' 1 , 2 ', [1, 2]],
  ])('%j is %j', (text, numbers) => {
    expect(numbersOf(text)).toEqual(numbers);
  });

  it.each(['', 'a', '9-7', '1,,2', '1-999999', '-3'])('%j is none', (text) => {
    expect(() => numbersOf(text)).toThrow('such as 3,7-9');
  });

  it('says nothing without rows', async () => {
    const unasked = () => Promise.reject(new Error('the run is not looked up'));
    await expect(editedRows({ numbers: '3' }, unasked)).rejects.toThrow('--rows FILE');
    await expect(editedRows({ delimiter: ';' }, unasked)).rejects.toThrow(
      '--delimiter says how a file is read',
    );
    expect(await editedRows({}, unasked)).toBeUndefined();
  });
});
