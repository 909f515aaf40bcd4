import { expect, it } from 'vitest';
import { PendingRequests } from '../../../src-main/executor/worker/pending-requests.ts';

it('gives an answer to who asked for it', async () => {
  const asked = new PendingRequests<string>();
  const [one, other] = [asked.openRequest(1), asked.openRequest(1)];
  expect(asked.answer(other.id, 'b')).toBe(true);
  expect(asked.answer(one.id, 'a')).toBe(true);
  expect([await one.resolveRequest, await other.resolveRequest, asked.size]).toEqual(['a', 'b', 0]);
});

it('drops what one batch asked for, and knows nobody for an answer that comes after that', async () => {
  const asked = new PendingRequests<string>();
  const [first, second, other] = [asked.openRequest(1), asked.openRequest(1), asked.openRequest(2)];
  const ends = Promise.allSettled([first.resolveRequest, second.resolveRequest]);
  expect(asked.rejectBatch(1, () => new Error('gone'))).toBe(2);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(asked.answer(first.id, 'late')).toBe(false);
  expect([asked.answer(other.id, 'c'), await other.resolveRequest]).toEqual([true, 'c']);
});
