import { describe, expect, it } from 'vitest';
import { PauseGate } from '../../../src-main/executor/worker/pause-gate.ts';

function watched(): { pauseGate: PauseGate; paused: number[] } {
  const paused: number[] = [];
  return { pauseGate: new PauseGate((nth) => paused.push(nth)), paused };
}

describe('a pause', () => {
  it('is held at once when nothing is under way', () => {
    const { pauseGate, paused } = watched();
    pauseGate.pause(1);
    expect(paused).toEqual([1]);
    expect(pauseGate.isBlocked).toBe(true);
  });

  it('is held only after the last call to the outside has ended', () => {
    const { pauseGate, paused } = watched();
    pauseGate.startCall();
    pauseGate.startCall();
    pauseGate.pause(1);
    pauseGate.endCall();
    expect(paused).toEqual([]);
    pauseGate.endCall();
    expect(paused).toEqual([1]);
  });

  it('waits for code at work and for calls, whichever ends last', () => {
    const { pauseGate, paused } = watched();
    pauseGate.lock();
    pauseGate.startCall();
    pauseGate.pause(4);
    pauseGate.endCall();
    expect(paused).toEqual([]);
    pauseGate.unlock();
    expect(paused).toEqual([4]);
  });

  it('that was taken back is not reported when the last call ends', () => {
    const { pauseGate, paused } = watched();
    pauseGate.startCall();
    pauseGate.pause(1);
    pauseGate.resume();
    pauseGate.endCall();
    expect(paused).toEqual([]);
  });
});

it('a call under way keeps no other row from going on', () => {
  const { pauseGate } = watched();
  pauseGate.startCall();
  expect(pauseGate.isBlocked).toBe(false);
});
