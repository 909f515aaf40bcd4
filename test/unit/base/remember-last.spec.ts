import { expect, it } from 'vitest';
import { rememberLast } from '../../../src-main/base/remember-last.ts';

it('a function is called again only for another text', () => {
  const texts: string[] = [];
  const lengthOf = rememberLast((text) => {
    texts.push(text);
    return { length: text.length };
  });
  const first = lengthOf('a');
  expect(lengthOf('a')).toBe(first);
  expect(lengthOf('ab')).toEqual({ length: 2 });
  expect(lengthOf('a')).toEqual({ length: 1 });
  expect(texts).toEqual(['a', 'ab', 'a']);
});
