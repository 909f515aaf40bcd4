// Tells a hanging worker from a busy one: workers send heartbeats between pieces of author code.
//
// Silence is counted in short ticks, each followed by a full turn of the event loop, rather than read off the clock:
// after a suspended laptop or a stalled main process the clock has jumped, and the worker's messages are still
// unread. Killing a tick too late is better than killing a healthy worker. If the system reports computing time, only
// silence spent computing counts: on a busy machine a worker may wait for a core longer than it may compute.
import type { CancelTimer, Clock } from '../../base/clock.ts';

type WatchdogDeps = {
  readonly clock: Clock;
  /** Resolves when messages that have arrived have been read. */
  readonly nextTurn: () => Promise<void>;
  /** Computing time of the worker so far, in ms; undefined if the system does not report it. */
  readonly cpuMs: () => number | undefined;
  readonly onSilent: () => void;
};

const ticks = 20;
/** Silence this many times the allowed one is too long even for a worker that gets no core or is stopped. */
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

  /** Calls `onSilent` once after silence of `allowedMs`, or one tick later. */
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
    // The first tick of the silence was not measured.
    return computedMs >= this.#tickMs * (ticks - 1) || this.#silentTicks > maxSilenceFactor * ticks;
  }
}
