// Lets the app repeat a call with a key that it does not have, because only hashes of keys are stored. A pass is 32
// random bytes, made in this process and valid for one call within ten seconds. The repeated call goes through the same
// checks and limits as a call with the key itself.
// INVARIANT: a pass grants only what its key grants now; the pass of a revoked key grants nothing.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { deferred } from '../base/deferred.ts';

const passLifeMs = 10_000;

/** A call that is repeated. */
export type ReplayPass = {
  /** Id of the key that the call is repeated for; undefined: the original call had no key. */
  readonly keyId: string | undefined;
  readonly replayOf: number;
  /** Tells the number that the repeated call got. */
  noted(number: number): void;
};

export type IssuedPass = {
  readonly text: string;
  /** The repeated call's number, once it was answered and noted. */
  readonly number: Promise<number>;
  /** Afterwards it is worth nothing. */
  end(): void;
};

type Held = { readonly pass: ReplayPass; readonly due: number; isUsed: boolean };

export class ReplayPasses {
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue({ keyId, replayOf }: Pick<ReplayPass, 'keyId' | 'replayOf'>): IssuedPass {
    const text = randomBytes(32).toString('hex');
    const number = deferred<number>();
    const pass = { keyId, replayOf, noted: number.resolve };
    this.#held.set(text, { pass, due: this.#clock.monotonic() + passLifeMs, isUsed: false });
    return { text, number: number.promise, end: () => void this.#held.delete(text) };
  }

  /** The pass, for the one call that it opens; undefined for anything else that is presented. */
  redeem(presented: unknown): ReplayPass | undefined {
    const held = typeof presented === 'string' ? this.#held.get(presented) : undefined;
    if (held === undefined || held.isUsed || this.#clock.monotonic() >= held.due) return undefined;
    held.isUsed = true;
    return held.pass;
  }

  /** The pass that a call came with, redeemed or not, for the record of that call. */
  of(presented: unknown): ReplayPass | undefined {
    return typeof presented === 'string' ? this.#held.get(presented)?.pass : undefined;
  }
}
