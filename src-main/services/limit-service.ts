// Applies the public API's rate limits. Who calls: the public API, twice per call: once the key is known (`open`), and
// once the workflow or run is known to exist (`useResource`).
// INVARIANT: a refused call is not charged; a call for an unknown workflow or run allocates no memory for that id.
import type { Clock } from '../base/clock.ts';
import type { LimitUse } from '../domain/api-log/logged-call.ts';
import { rateLimited } from '../domain/request-errors.ts';
import {
  callsPerMinute,
  limitsLabel,
  resourceLimits,
  type LimitName,
  type Operation,
} from '../domain/limits/published-limits.ts';
import { SlidingMinute, retryAfterSeconds } from '../domain/limits/sliding-minute.ts';
import type { LimitMode } from '../domain/settings.ts';

/** A call that its key's limit let through. */
export type OpenCall = {
  /** Charges the addressed workflow or run. Throws `rate_limited`, and then the call is charged to nothing. */
  useResource(): Promise<void>;
  /** Takes back all that the call was charged, as if it had not been made. */
  refund(): Promise<void>;
  /** The limits that the call was charged to so far. */
  readonly charged: readonly LimitUse[];
};

/** How far a limit is used up. */
export type LimitMeter = LimitUse & {
  /** The key's id, or the id of the workflow or run. */
  readonly subjectId: string;
  /** Milliseconds until one of the calls no longer counts, and until none does. */
  readonly nextFreeMs: number;
  readonly allFreeMs: number;
};

/** Who calls what: the key's id and the id of the workflow (trigger) or run (status, output) that is addressed. */
export type CallTarget = {
  readonly operation: Operation;
  readonly keyId: string;
  readonly resourceId: string;
};

type Window = { readonly limit: LimitName; readonly subjectId: string; readonly minute: SlidingMinute };
type Charging = { readonly limit: LimitName; readonly name: string; readonly subjectId: string };
type Charge = LimitUse & { readonly name: string; readonly at: number };

const unlimitedCall: OpenCall = { async useResource() {}, async refund() {}, charged: [] };

export class LimitService {
  readonly #clock: Clock;
  readonly #mode: () => LimitMode;
  /** Least recently charged first, so that what has expired is found at the front. */
  readonly #windows = new Map<string, Window>();

  constructor(parts: { readonly clock: Clock; readonly mode: () => LimitMode }) {
    this.#clock = parts.clock;
    this.#mode = parts.mode;
  }

  /** Label of the limits in answers: undefined as published, else `off` or `10x`. */
  get label(): string | undefined {
    return limitsLabel(this.#mode());
  }

  /** Windows held in memory, for tests and meters. */
  get size(): number {
    return this.#windows.size;
  }

  /** Charges the key's limit for the operation, unless it is used up: one step. Throws `rate_limited`. */
  async open(call: CallTarget): Promise<OpenCall> {
    if (this.#mode() === 'off') return unlimitedCall;
    const now = this.#now();
    this.#dropExpired(now);
    this.#assertKeyMay(call, now);
    const charged: Charge[] = [];
    const refund = (): void =>
      charged.splice(0).forEach(({ name, at }) => this.#windows.get(name)?.minute.refund(at));
    charged.push(this.#charge(keyLimit(call), now));
    return {
      get charged() {
        return charged.map(({ limit, used, of }) => ({ limit, used, of }));
      },
      useResource: async () => {
        const shared = resourceLimit(call);
        if (shared === undefined) return;
        const later = this.#now();
        try {
          this.#assertMay(shared, later);
        } catch (error) {
          refund();
          throw error;
        }
        charged.push(this.#charge(shared, later));
      },
      refund: async () => refund(),
    };
  }

  /**
   * Throws the `rate_limited` that the call would be refused with now, and charges nothing.
   * @param which `key`: the key's limit alone, before it is known that the workflow or run exists
   */
  async check(call: CallTarget, which: 'key' | 'all'): Promise<void> {
    if (this.#mode() === 'off') return;
    const now = this.#now();
    this.#assertKeyMay(call, now);
    const shared = resourceLimit(call);
    if (which === 'all' && shared !== undefined) this.#assertMay(shared, now);
  }

  /** Every limit that a call was charged to within the last minute, the one charged last first. */
  meters(): readonly LimitMeter[] {
    const mode = this.#mode();
    const now = this.#now();
    this.#dropExpired(now);
    return [...this.#windows.values()].reverse().flatMap(({ limit, subjectId, minute }) => {
      const of = callsPerMinute(limit, mode);
      const used = minute.count(now);
      if (of === undefined || used === 0) return [];
      const { first, all } = minute.expiry(now);
      return [{ limit, subjectId, used, of, nextFreeMs: first, allFreeMs: all }];
    });
  }

  /** Whole milliseconds: what is whole adds up exactly, so the wait that is told is the wait that is enough. */
  #now(): number {
    return Math.floor(this.#clock.monotonic());
  }

  #assertKeyMay(call: CallTarget, now: number): void {
    const ownWait = this.#wait(keyLimit(call), now);
    if (ownWait === 0) return;
    // The call must pass both limits, so the longer wait is the true one.
    const shared = resourceLimit(call);
    const wait = Math.max(ownWait, shared === undefined ? 0 : this.#wait(shared, now));
    throw rateLimited(retryAfterSeconds(wait), call.operation);
  }

  #assertMay(charging: Charging, now: number): void {
    const wait = this.#wait(charging, now);
    if (wait > 0) throw rateLimited(retryAfterSeconds(wait), charging.limit);
  }

  /** How long the limit is used up still, in ms. */
  #wait({ limit, name }: Charging, now: number): number {
    const allowed = callsPerMinute(limit, this.#mode());
    return allowed === undefined ? 0 : (this.#windows.get(name)?.minute.waitFor(allowed, now) ?? 0);
  }

  #charge({ limit, name, subjectId }: Charging, now: number): Charge {
    const window = this.#windows.get(name) ?? { limit, subjectId, minute: new SlidingMinute() };
    window.minute.charge(now);
    this.#windows.delete(name);
    this.#windows.set(name, window);
    const used = window.minute.count(now);
    return { name, at: now, limit, used, of: callsPerMinute(limit, this.#mode()) ?? used };
  }

  #dropExpired(now: number): void {
    for (const [name, { minute }] of this.#windows) {
      if (!minute.isEmpty(now)) return;
      this.#windows.delete(name);
    }
  }
}

const keyLimit = ({ operation, keyId }: CallTarget): Charging => ({
  limit: operation,
  name: `${operation} ${keyId}`,
  subjectId: keyId,
});

function resourceLimit({ operation, resourceId }: CallTarget): Charging | undefined {
  const limit = resourceLimits[operation];
  return limit && { limit, name: `${limit} ${resourceId}`, subjectId: resourceId };
}
