import { expect, it } from 'vitest';
import { Outstanding } from '../../../src-main/executor/run/outstanding.ts';
import type { Seat } from '../../../src-main/executor/run/seat.ts';

// Seats serve as names here; nothing of them is used.
const [one, other] = [{}, {}] as [Seat, Seat];

function three(): { outstanding: Outstanding; off: string[]; forget: () => void } {
  const off: string[] = [];
  const outstanding = new Outstanding();
  const forget = outstanding.add(one, 1, () => off.push('one 1'));
  outstanding.add(one, 2, () => off.push('one 2'));
  outstanding.add(other, 1, () => off.push('other 1'));
  return { outstanding, off, forget };
}

it('calls off what a portion waits for, and nothing else', () => {
  const { outstanding, off } = three();
  outstanding.drop(one, 1);
  outstanding.drop(one, 1);
  expect(off).toEqual(['one 1']);
});

it('calls off everything of a worker that is lost', () => {
  const { outstanding, off } = three();
  outstanding.dropSeat(one);
  expect(off).toEqual(['one 1', 'one 2']);
});

it('leaves alone what has ended by itself', () => {
  const { outstanding, off, forget } = three();
  forget();
  outstanding.clear();
  expect(off).toEqual(['one 2', 'other 1']);
});
