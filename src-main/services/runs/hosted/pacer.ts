// Keeps the calls to hosted services within a share of the published limits: `LimitService` the other way round, which
// waits where that one refuses. Who calls: HostedRun, before each call.
// INVARIANT: at no time does a service count more calls in a minute than the share allows. A call counts from its start
// until a minute after its answer, since the service counts it somewhere between.
import type { Clock } from '../../../base/clock.ts';
import { sleep } from '../../../base/sleep.ts';
import type { HostedMeter, StoredConnection } from '../../../domain/hosted/hosted-connection.ts';
import {
  publishedLimits,
  resourceLimits,
  type LimitName,
  type Operation,
} from '../../../domain/limits/published-limits.ts';
import { SlidingMinute } from '../../../domain/limits/sliding-minute.ts';

/** How long a share is halved after an answer of 429, in ms: others use the key too. */
const halvedMs = 600_000;

type HostedCall = {
  readonly connection: Pick<StoredConnection, 'name' | 'sharePercent'>;
  readonly operation: Operation;
  /** Id of the workflow (trigger) or run. */
  readonly resourceId: string;
};

export class HostedPacer {
  readonly #clock: Clock;
  readonly #minutes = new Map<string, SlidingMinute>();
  /** Until when the share of a connection is halved, and its calls of an operation wait, in monotonic ms. */
  readonly #halvedUntil = new Map<string, number>();
  readonly #notBefore = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes a call once it is within the limits. After a 429, the operation waits, and the share is halved for a while. */
  async run<Answer>(call: HostedCall, signal: AbortSignal, make: () => Promise<Answer>): Promise<Answer> {
    const release = await this.#acquire(call, signal);
    const answer = await make().finally(release);
    const { waitMs } = (answer ?? {}) as { readonly waitMs?: number };
    if (waitMs !== undefined) {
      this.#notBefore.set(keyOf(call, call.operation), this.#now() + waitMs);
      this.#halvedUntil.set(call.connection.name, this.#now() + halvedMs);
    }
    return answer;
  }

  /** Counts the call. The caller calls the result once it is answered. */
  async #acquire(call: HostedCall, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#now();
      const windows = this.#windowsOf(call);
      const delayMs = (this.#notBefore.get(keyOf(call, call.operation)) ?? 0) - now;
      const waitMs = Math.max(delayMs, ...windows.map(({ minute, limit }) => minute.waitFor(limit, now)));
      if (waitMs > 0) {
        await sleep(this.#clock, waitMs, signal);
        continue;
      }
      for (const { minute } of windows) minute.charge(now);
      return () => {
        for (const { minute } of windows) {
          minute.refund(now);
          minute.charge(this.#now());
        }
      };
    }
  }

  /** True if the service has answered 429 within the last ten minutes. */
  isHalved(connection: string): boolean {
    return (this.#halvedUntil.get(connection) ?? 0) > this.#now();
  }

  /** How far the limits of the connection's key are used up. */
  metersOf(connection: HostedCall['connection']): readonly HostedMeter[] {
    return (['trigger', 'status', 'output'] as const).map((limit) => ({
      limit,
      used: this.#minute(`${connection.name} ${limit}`).count(this.#now()),
      of: this.#allowed(connection, limit),
    }));
  }

  #windowsOf(call: HostedCall): readonly { readonly minute: SlidingMinute; readonly limit: number }[] {
    const { connection, operation, resourceId } = call;
    const ofResource = resourceLimits[operation];
    const own = {
      minute: this.#minute(keyOf(call, operation)),
      limit: this.#allowed(connection, operation),
    };
    if (ofResource === undefined) return [own];
    const minute = this.#minute(`${connection.name} ${ofResource} ${resourceId}`);
    return [own, { minute, limit: this.#allowed(connection, ofResource) }];
  }

  /** Calls a minute. The whole limit of a run is used, since no other client asks for it. */
  #allowed({ name, sharePercent }: HostedCall['connection'], limit: LimitName): number {
    if (limit === 'status-per-run') return publishedLimits[limit];
    const share = this.isHalved(name) ? sharePercent / 2 : sharePercent;
    return Math.max(1, Math.floor((publishedLimits[limit] * share) / 100));
  }

  #minute(name: string): SlidingMinute {
    const known = this.#minutes.get(name);
    if (known !== undefined) return known;
    const now = this.#now();
    for (const [other, minute] of this.#minutes) if (minute.isEmpty(now)) this.#minutes.delete(other);
    const minute = new SlidingMinute();
    this.#minutes.set(name, minute);
    return minute;
  }

  #now(): number {
    return Math.floor(this.#clock.monotonic());
  }
}

const keyOf = ({ connection }: HostedCall, operation: Operation): string => `${connection.name} ${operation}`;
