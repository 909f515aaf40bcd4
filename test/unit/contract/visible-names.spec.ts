import { expect, it } from 'vitest';
import { rowSetName } from '../../../src-main/contract/index.ts';
import { parseInput } from '../../../src-main/contract/parse-input.ts';

it('a name that nobody can see is refused, of a key and of a row set', () => {
  const createKey = (name: string) => parseInput('key.create', { name, workflows: null });
  expect(() => createKey('\u200B\u3164')).toThrow('A name needs a letter or another sign that can be seen');
  expect(createKey('\u202Ea')).toEqual({ name: '\u202Ea', workflows: null });
  expect(rowSetName.safeParse('\u2060').success).toBe(false);
  expect(rowSetName.safeParse('عائشة').success).toBe(true);
});
