import { expect, it } from 'vitest';
import { revertChange } from '../../../src-renderer/state/settings/revert-change.ts';

it('a change is reverted, also one of a setting that was unset', () => {
  expect(revertChange('off', { before: 'published', after: 'off' })).toBe('published');
  expect(revertChange('x-one', { before: undefined, after: 'x-one' })).toBeUndefined();
  expect(revertChange({ scale: 10 }, { before: 'published', after: { scale: 10 } })).toBe('published');
});

it('a setting that was changed again since stays', () => {
  expect(revertChange('x-two', { before: 'x-zero', after: 'x-one' })).toBe('x-two');
  expect(revertChange({ scale: 25 }, { before: { scale: 5 }, after: { scale: 10 } })).toEqual({ scale: 25 });
  expect(revertChange('off', { before: { scale: 5 }, after: { scale: 10 } })).toBe('off');
});

it('a change of a record reverts its own entries, and all others stay', () => {
  const before = { header: false, workflows: { a: 'slow=1ms', gone: 'slow=2ms' } };
  const after = { header: false, workflows: { a: 'slow=9ms', b: 'slow=3ms' } };
  const now = { header: true, workflows: { a: 'slow=9ms', b: 'slow=4ms', c: 'slow=5ms' } };
  expect(revertChange(now, { before, after })).toEqual({
    header: true,
    workflows: { a: 'slow=1ms', gone: 'slow=2ms', b: 'slow=4ms', c: 'slow=5ms' },
  });
});

it('an entry may have the name of a property that every object has', () => {
  const [before, after] = [{}, { constructor: 'slow=1ms' }];
  expect(revertChange({ ...after, toString: 'slow=2ms' }, { before, after })).toEqual({
    toString: 'slow=2ms',
  });
});
