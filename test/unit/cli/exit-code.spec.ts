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
  });

  it('has its stack and its causes where they are asked for', () => {
    const error = new AppError('store_degraded', 'outer', { cause: new Error('inner') });
    expect(describeError(error, true)).toMatch(
      /^error: AppError: outer\n\s+at [^]+\ncaused by: Error: inner\n\s+at /,
    );
  });
});
