import { expect, it } from 'vitest';
import { withoutChange } from '../../../src-renderer/state/take-back.ts';

it('takes a change back, also one that put something where nothing was', () => {
  expect(withoutChange('off', { before: 'published', after: 'off' })).toBe('published');
  expect(withoutChange('x-one', { before: undefined, after: 'x-one' })).toBeUndefined();
  expect(withoutChange({ scale: 10 }, { before: 'published', after: { scale: 10 } })).toBe('published');
});

it('leaves what was changed again since', () => {
  expect(withoutChange('x-two', { before: 'x-zero', after: 'x-one' })).toBe('x-two');
  expect(withoutChange({ scale: 25 }, { before: { scale: 5 }, after: { scale: 10 } })).toEqual({ scale: 25 });
  expect(withoutChange('off', { before: { scale: 5 }, after: { scale: 10 } })).toBe('off');
});

it('takes back its own entries of a record, and leaves all others as they are now', () => {
  const before = { header: false, workflows: { a: 'slow=1ms', gone: 'slow=2ms' } };
  const after = { header: false, workflows: { a: 'slow=9ms', b: 'slow=3ms' } };
  const now = { header: true, workflows: { a: 'slow=9ms', b: 'slow=4ms', c: 'slow=5ms' } };
  expect(withoutChange(now, { before, after })).toEqual({
    header: true,
    workflows: { a: 'slow=1ms', gone: 'slow=2ms', b: 'slow=4ms', c: 'slow=5ms' },
  });
});

it('takes an entry for one of its own only, whatever it is called', () => {
  const [before, after] = [{}, { constructor: 'slow=1ms' }];
  expect(withoutChange({ ...after, toString: 'slow=2ms' }, { before, after })).toEqual({
    toString: 'slow=2ms',
  });
});
