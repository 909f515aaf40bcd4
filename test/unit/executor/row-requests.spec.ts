import { expect, it } from 'vitest';
import { RowRequests } from '../../../src-main/executor/run/answer-call.ts';
import type { WorkerSlot } from '../../../src-main/executor/run/worker-slot.ts';

// Slots serve as names here; nothing of them is used.
const [one, other] = [{}, {}] as [WorkerSlot, WorkerSlot];

function three(): { outstanding: RowRequests; off: string[]; forget: () => void } {
  const off: string[] = [];
  const outstanding = new RowRequests();
  const forget = outstanding.addRequest(one, 1, () => off.push('one 1'));
  outstanding.addRequest(one, 2, () => off.push('one 2'));
  outstanding.addRequest(other, 1, () => off.push('other 1'));
  return { outstanding, off, forget };
}

it('calls off what a batch waits for, and nothing else', () => {
  const { outstanding, off } = three();
  outstanding.cancelBatch(one, 1);
  outstanding.cancelBatch(one, 1);
  expect(off).toEqual(['one 1']);
});

it('calls off everything of a worker that is lost', () => {
  const { outstanding, off } = three();
  outstanding.cancelSlot(one);
  expect(off).toEqual(['one 1', 'one 2']);
});

it('a request that has ended is not cancelled', () => {
  const { outstanding, off, forget } = three();
  forget();
  outstanding.cancelAll();
  expect(off).toEqual(['one 2', 'other 1']);
});
