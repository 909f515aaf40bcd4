import { expect, it } from 'vitest';
import { PendingRequests } from '../../../src-main/executor/worker/main-channel.ts';

it('an answer reaches the request that it belongs to', async () => {
  const pending = new PendingRequests<string>();
  const [one, other] = [pending.openRequest(1), pending.openRequest(1)];
  expect(pending.answer(other.id, 'b')).toBe(true);
  expect(pending.answer(one.id, 'a')).toBe(true);
  expect([await one.resolveRequest, await other.resolveRequest, pending.size]).toEqual(['a', 'b', 0]);
});

it('requests of a batch are rejected, and a later answer finds no request', async () => {
  const pending = new PendingRequests<string>();
  const [first, second, other] = [pending.openRequest(1), pending.openRequest(1), pending.openRequest(2)];
  const ends = Promise.allSettled([first.resolveRequest, second.resolveRequest]);
  expect(pending.rejectBatch(1, () => new Error('gone'))).toBe(2);
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(pending.answer(first.id, 'late')).toBe(false);
  expect([pending.answer(other.id, 'c'), await other.resolveRequest]).toEqual([true, 'c']);
});
