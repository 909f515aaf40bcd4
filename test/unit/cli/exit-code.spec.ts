import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import { describeError, UsageError } from '../../../src-main/cli/exit-code.ts';

describe('an error on the command line', () => {
  it('is one plain line without a stack', () => {
    expect(describeError(new AppError('invalid_input', 'first\n  second'), false)).toBe(
      'error: first second\n',
    );
    expect(describeError(new UsageError('wrong'), false)).toBe('error: wrong\n');
    expect(describeError('text', false)).toBe('error: text\n');
    expect(describeError(new Error('\u001b[31mred\u0007'), false)).toBe('error:  [31mred \n');
  });

  it.each([
    ['ENOENT', 'rows.csv: no such file'],
    ['EISDIR', 'rows.csv: is a folder, not a file'],
    ['EACCES', 'rows.csv: permission denied'],
  ])('names the file that %s is about', (code, words) => {
    const error = Object.assign(new Error(`${code}: raw`), { code, path: 'rows.csv' });
    expect(describeError(error, false)).toBe(`error: ${words}\n`);
  });

  it('has its stack and its causes where they are asked for', () => {
    const error = new AppError('store_degraded', 'outer', { cause: new Error('inner') });
    expect(describeError(error, true)).toMatch(
      /^error: AppError: outer\n\s+at [^]+\ncaused by: Error: inner\n\s+at /,
    );
  });
});
