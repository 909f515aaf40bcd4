import { describe, expect, it, vi } from 'vitest';
import { Watchdog } from '../../../src-main/executor/pool/watchdog.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

/** Lets every chain of settled promises run. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function watched(options: { cpuMs?: () => number | undefined; nextTurn?: () => Promise<void> } = {}) {
  const clock = new FakeClock();
  const onSilent = vi.fn();
  const { cpuMs = () => undefined, nextTurn = () => Promise.resolve() } = options;
  const watchdog = new Watchdog({ clock, nextTurn, cpuMs, onSilent });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      clock.advance(10);
      await turn();
    }
  };
  return { clock, watchdog, onSilent, pass };
}

describe('Watchdog', () => {
  it('tells of silence once, after the time allowed and at most a tick more', async () => {
    const { watchdog, onSilent, pass } = watched();
    watchdog.start(1000);
    await pass(1000);
    expect(onSilent).not.toHaveBeenCalled();
    await pass(60);
    expect(onSilent).toHaveBeenCalledTimes(1);
    await pass(3000);
    expect(onSilent).toHaveBeenCalledTimes(1);
  });

  it('begins anew with each sign of life', async () => {
    const { watchdog, onSilent, pass } = watched();
    watchdog.start(1000);
    await pass(900);
    watchdog.recordLife();
    await pass(900);
    expect(onSilent).not.toHaveBeenCalled();
  });

  it('is quiet after stop', async () => {
    const { watchdog, onSilent, pass, clock } = watched();
    watchdog.start(1000);
    watchdog.stop();
    await pass(3000);
    expect(onSilent).not.toHaveBeenCalled();
    expect(clock.pending).toBe(0);
  });

  it('does not take a jump of the clock for silence', async () => {
    const { watchdog, onSilent, clock } = watched();
    watchdog.start(1000);
    clock.advance(3_600_000);
    await turn();
    expect(onSilent).not.toHaveBeenCalled();
  });

  it('hears a message that had arrived before the tick was looked at', async () => {
    const parts: { heard: () => void } = { heard: () => undefined };
    // What a full turn of the event loop does: it reads what is there.
    const { watchdog, onSilent, pass } = watched({ nextTurn: async () => parts.heard() });
    parts.heard = () => watchdog.recordLife();
    watchdog.start(1000);
    await pass(5000);
    expect(onSilent).not.toHaveBeenCalled();
  });

  it('waits for a worker that gets a tenth of a core until it has computed for as long as it may', async () => {
    let cpuMs = 700;
    const { watchdog, onSilent, pass } = watched({ cpuMs: () => cpuMs });
    watchdog.start(1000);
    for (let tenth = 0; tenth < 90; tenth += 1) {
      cpuMs += 10;
      await pass(100);
    }
    expect(onSilent).not.toHaveBeenCalled();
    cpuMs += 100;
    await pass(100);
    expect(onSilent).toHaveBeenCalledTimes(1);
  });

  it('loses patience with a worker that computes nothing at all', async () => {
    const { watchdog, onSilent, pass } = watched({ cpuMs: () => 0 });
    watchdog.start(1000);
    await pass(19_000);
    expect(onSilent).not.toHaveBeenCalled();
    await pass(2000);
    expect(onSilent).toHaveBeenCalledTimes(1);
  });
});
