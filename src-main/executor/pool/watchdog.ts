// Tells a worker that hangs from one that is busy: workers give signs of life between pieces of author code.
//
// Silence is counted in short ticks, each followed by a full turn of the event loop, rather than read off the clock:
// after a suspended laptop or a stalled main process the clock has jumped, and the worker's messages are still to
// be read. Killing too late by a tick is better than killing a healthy worker. Where the system tells, only silence
// that the worker spent computing counts: on a busy machine it may wait for a core longer than it may compute.
import type { CancelTimer, Clock } from '../../base/clock.ts';

export type WatchdogDeps = {
  readonly clock: Clock;
  /** Resolves when messages that have arrived have been read. */
  readonly nextTurn: () => Promise<void>;
  /** Computing time of the worker so far, in ms; undefined where the system does not tell. */
  readonly cpuMs: () => number | undefined;
  readonly onSilent: () => void;
};

const ticks = 20;
/** Silence of so many times what is allowed is too long even for a worker that gets no core, or is stopped. */
const maxSilenceFactor = 20;

export class Watchdog {
  readonly #deps: WatchdogDeps;
  #silentTicks = 0;
  #tickMs = 0;
  /** The worker's computing time at the first tick after it was heard. */
  #cpuAtSilence: number | undefined;
  #cancel: CancelTimer | undefined;
  /** Changes with each start and stop, so that a tick of an earlier watch ends itself. */
  #watchId = 0;

  constructor(deps: WatchdogDeps) {
    this.#deps = deps;
  }

  /** From now on, silence of `allowedMs` (to one tick more) calls `onSilent`, once. */
  start(allowedMs: number): void {
    this.stop();
    this.#tickMs = allowedMs / ticks;
    this.recordLife();
    this.#arm(this.#watchId);
  }

  recordLife(): void {
    this.#silentTicks = 0;
    this.#cpuAtSilence = undefined;
  }

  stop(): void {
    this.#watchId += 1;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(watchId: number): void {
    this.#cancel = this.#deps.clock.setTimer(this.#tickMs, () => void this.#tick(watchId));
  }

  async #tick(watchId: number): Promise<void> {
    await this.#deps.nextTurn();
    if (watchId !== this.#watchId) return;
    this.#silentTicks += 1;
    if (!this.#isTooLong()) return this.#arm(watchId);
    this.stop();
    this.#deps.onSilent();
  }

  #isTooLong(): boolean {
    const cpuMs = this.#deps.cpuMs();
    this.#cpuAtSilence ??= cpuMs;
    if (this.#silentTicks <= ticks) return false;
    if (cpuMs === undefined || this.#cpuAtSilence === undefined) return true;
    const computedMs = cpuMs - this.#cpuAtSilence;
    // The first tick of the silence was not seen.
    return computedMs >= this.#tickMs * (ticks - 1) || this.#silentTicks > maxSilenceFactor * ticks;
  }
}
