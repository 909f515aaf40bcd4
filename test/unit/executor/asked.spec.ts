import { expect, it } from 'vitest';
import { Asked } from '../../../src-main/executor/worker/asked.ts';

it('gives an answer to who asked for it', async () => {
  const asked = new Asked<string>();
  const [one, other] = [asked.add(1), asked.add(1)];
  expect(asked.answer(other.id, 'b')).toBe(true);
  expect(asked.answer(one.id, 'a')).toBe(true);
  expect([await one.answer, await other.answer, asked.size]).toEqual(['a', 'b', 0]);
});

it('drops what one portion asked for, and knows nobody for an answer that comes after that', async () => {
  const asked = new Asked<string>();
  const [first, second, other] = [asked.add(1), asked.add(1), asked.add(2)];
  const ends = Promise.allSettled([first.answer, second.answer]);
  expect(asked.drop(1, () => new Error('gone'))).toBe(2);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(asked.answer(first.id, 'late')).toBe(false);
  expect([asked.answer(other.id, 'c'), await other.answer]).toEqual([true, 'c']);
});
