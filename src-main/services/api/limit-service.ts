// Applies the public API's rate limits. Who calls: the public API, twice per call: once the key is known (`open`), and
// once the workflow or run is known to exist (`useResource`).
// INVARIANT: a refused call is not charged; a call for an unknown workflow or run allocates no memory for that id.
import type { LimitUse } from '../../domain/api-log/logged-call.ts';
import { rateLimited } from '../../domain/request-errors.ts';
import {
  callsPerMinute,
  limitsLabel,
  resourceLimits,
  type LimitName,
  type Operation,
} from '../../domain/limits/published-limits.ts';
import { retryAfterSeconds, type SlidingMinute } from '../../domain/limits/sliding-minute.ts';
import type { LimitMode } from '../../domain/settings.ts';
import type { LimitSubject, LimitWindows } from './limit-windows.ts';

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
export type LimitMeter = LimitUse &
  Pick<LimitSubject, 'subjectId'> & {
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

type Charge = LimitUse & { readonly subject: LimitSubject; readonly at: number };

const unlimitedCall: OpenCall = { async useResource() {}, async refund() {}, charged: [] };

export class LimitService {
  readonly #windows: LimitWindows;
  readonly #mode: () => LimitMode;

  constructor(deps: { readonly windows: LimitWindows; readonly mode: () => LimitMode }) {
    this.#windows = deps.windows;
    this.#mode = deps.mode;
  }

  /** Label of the limits in answers: undefined as published, else `off` or `10x`. */
  get label(): string | undefined {
    return limitsLabel(this.#mode());
  }

  /** Charges the key's limit for the operation, unless it is used up: one step. Throws `rate_limited`. */
  async open(call: CallTarget): Promise<OpenCall> {
    if (this.#mode() === 'off') return unlimitedCall;
    const charged: Charge[] = [
      await this.#windows.change(subjectsOf(call), ([own, shared], now) => {
        this.#assertKeyMay(call, { own, shared, now });
        return this.#charge(keyLimit(call), own, now);
      }),
    ];
    const refund = async (): Promise<void> => {
      for (const { subject, at } of charged.splice(0))
        await this.#windows.change([subject], ([minute]) => minute?.refund(at));
    };
    return {
      get charged() {
        return charged.map(({ limit, used, of }) => ({ limit, used, of }));
      },
      useResource: async () => {
        const subject = resourceLimit(call);
        if (subject === undefined) return;
        try {
          charged.push(
            await this.#windows.change([subject], ([minute], now) => {
              this.#assertMay(subject.limit, minute, now);
              return this.#charge(subject, minute, now);
            }),
          );
        } catch (error) {
          await refund();
          throw error;
        }
      },
      refund,
    };
  }

  /**
   * Throws the `rate_limited` that the call would be refused with now, and charges nothing.
   * @param which `key`: the key's limit alone, before it is known that the workflow or run exists
   */
  async check(call: CallTarget, which: 'key' | 'all'): Promise<void> {
    if (this.#mode() === 'off') return;
    await this.#windows.read(subjectsOf(call), ([own, shared], now) => {
      this.#assertKeyMay(call, { own, shared, now });
      const subject = resourceLimit(call);
      if (which === 'all' && subject !== undefined) this.#assertMay(subject.limit, shared, now);
    });
  }

  /** Every limit that a call was charged to within the last minute, the one charged last first. */
  async meters(): Promise<readonly LimitMeter[]> {
    const mode = this.#mode();
    const { now, counted } = await this.#windows.list();
    return counted.flatMap(({ limit, subjectId, minute }) => {
      const of = callsPerMinute(limit, mode);
      const used = minute.count(now);
      if (of === undefined || used === 0) return [];
      const { first, all } = minute.expiry(now);
      return [{ limit, subjectId, used, of, nextFreeMs: first, allFreeMs: all }];
    });
  }

  #assertKeyMay(
    call: CallTarget,
    { own, shared, now }: { own: SlidingMinute | undefined; shared: SlidingMinute | undefined; now: number },
  ): void {
    const ownWait = this.#wait(call.operation, own, now);
    if (ownWait === 0) return;
    // The call must pass both limits, so the longer wait is the true one.
    const limit = resourceLimits[call.operation];
    const wait = Math.max(ownWait, limit === undefined ? 0 : this.#wait(limit, shared, now));
    throw rateLimited(retryAfterSeconds(wait), call.operation);
  }

  #assertMay(limit: LimitName, minute: SlidingMinute | undefined, now: number): void {
    const wait = this.#wait(limit, minute, now);
    if (wait > 0) throw rateLimited(retryAfterSeconds(wait), limit);
  }

  /** How long the limit is used up still, in ms. */
  #wait(limit: LimitName, minute: SlidingMinute | undefined, now: number): number {
    const allowed = callsPerMinute(limit, this.#mode());
    return allowed === undefined ? 0 : (minute?.waitFor(allowed, now) ?? 0);
  }

  #charge(subject: LimitSubject, minute: SlidingMinute | undefined, now: number): Charge {
    const { limit } = subject;
    minute?.charge(now);
    const used = minute?.count(now) ?? 0;
    return { subject, at: now, limit, used, of: callsPerMinute(limit, this.#mode()) ?? used };
  }
}

const keyLimit = ({ operation, keyId }: CallTarget): LimitSubject => ({
  limit: operation,
  subjectId: keyId,
});

function resourceLimit({ operation, resourceId }: CallTarget): LimitSubject | undefined {
  const limit = resourceLimits[operation];
  return limit && { limit, subjectId: resourceId };
}

/** That of the key first. */
const subjectsOf = (call: CallTarget): readonly LimitSubject[] => {
  const shared = resourceLimit(call);
  return shared === undefined ? [keyLimit(call)] : [keyLimit(call), shared];
};
