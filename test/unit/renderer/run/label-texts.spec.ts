import { expect, it } from 'vitest';
import { changesTo, labelTextsOf, tagsProblem } from '../../../../src-renderer/state/run/label-texts.ts';

const before = labelTextsOf({ name: 'Old', note: 'Why', tags: ['a', 'b c'] });

it('the form of labels shows absent ones as empty texts', () => {
  expect(before).toEqual({ name: 'Old', note: 'Why', tags: 'a, b c' });
  expect(labelTextsOf()).toEqual({ name: '', note: '', tags: '' });
});

it.each([
  [{}, {}],
  [{ name: ' New ' }, { name: 'New' }],
  [{ name: '', note: ' Why\n' }, { name: '' }],
  [{ tags: ' b c,, a,b c ,' }, { tags: ['b c', 'a'] }],
  [{ tags: ' ' }, { tags: [] }],
])('the form of labels sends only the changes of %j', (typed, changes) => {
  expect(changesTo(before, { ...before, ...typed })).toEqual(changes);
});

it('the form of labels refuses too many and too long tags', () => {
  const tags = (count: number): string => Array.from({ length: count }, (_, n) => `t${n}`).join();
  expect(tagsProblem(tags(20))).toBeUndefined();
  expect(tagsProblem(tags(21))).toBe('A run can have up to 20 tags.');
  expect(tagsProblem('a'.repeat(50))).toBeUndefined();
  expect(tagsProblem(`b,${'a'.repeat(51)}`)).toBe(
    'A tag can have up to 50 characters: aaaaaaaaaaaaaaaaaaaa…',
  );
});
