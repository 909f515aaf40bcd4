import { describe, expect, it } from 'vitest';
import { Holds } from '../../../src-main/executor/worker/holds.ts';

function watched(): { holds: Holds; held: number[] } {
  const held: number[] = [];
  return { holds: new Holds((nth) => held.push(nth)), held };
}

describe('a pause', () => {
  it('is held at once when nothing is under way', () => {
    const { holds, held } = watched();
    holds.pause(1);
    expect(held).toEqual([1]);
    expect(holds.any).toBe(true);
  });

  it('is held only after the last call to the outside has ended', () => {
    const { holds, held } = watched();
    holds.startCall();
    holds.startCall();
    holds.pause(1);
    holds.endCall();
    expect(held).toEqual([]);
    holds.endCall();
    expect(held).toEqual([1]);
  });

  it('waits for code at work and for calls, whichever ends last', () => {
    const { holds, held } = watched();
    holds.takeTurn();
    holds.startCall();
    holds.pause(4);
    holds.endCall();
    expect(held).toEqual([]);
    holds.endTurn();
    expect(held).toEqual([4]);
  });

  it('that was taken back is not reported when the last call ends', () => {
    const { holds, held } = watched();
    holds.startCall();
    holds.pause(1);
    holds.resume();
    holds.endCall();
    expect(held).toEqual([]);
  });
});

it('a call under way keeps no other row from going on', () => {
  const { holds } = watched();
  holds.startCall();
  expect(holds.any).toBe(false);
});
