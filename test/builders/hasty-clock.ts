import type { Clock } from '../../src-main/base/clock.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';

/** The machine's clock at a multiple of its speed: waits are shorter by the factor, and all times agree. */
export function hastyClock(factor: number): Clock {
  const [wall, monotonic] = [systemClock.now(), systemClock.monotonic()];
  const passed = (): number => (systemClock.monotonic() - monotonic) * factor;
  return {
    now: () => Math.floor(wall + passed()),
    monotonic: () => monotonic + passed(),
    setTimer: (ms, fire) => systemClock.setTimer(ms / factor, fire),
  };
}
