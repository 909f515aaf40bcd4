// Lets the app repeat a call with a key that it does not have, because only hashes of keys are stored. A pass is 32
// random bytes, made in this process and valid for one call within ten seconds. The repeated call goes through the same
// checks and limits as a call with the key itself.
// INVARIANT: a pass grants only what its key grants now; the pass of a revoked key grants nothing.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';

const tokenLifeMs = 10_000;

/** A call that is repeated. */
export type ReplayToken = {
  /** Id of the key that the call is repeated for; undefined: the original call had no key. */
  readonly keyId: string | undefined;
  readonly replayOf: number;
  /** Tells the number that the repeated call got. */
  reportNumber(number: number): void;
};

export type IssuedReplayToken = {
  readonly text: string;
  /** The repeated call's number, once it was answered and noted. */
  readonly number: Promise<number>;
  /** Afterwards it is worth nothing. */
  end(): void;
};

type TokenEntry = { readonly token: ReplayToken; readonly due: number; isUsed: boolean };

export class ReplayTokens {
  readonly #clock: Clock;
  readonly #entries = new Map<string, TokenEntry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue({ keyId, replayOf }: Pick<ReplayToken, 'keyId' | 'replayOf'>): IssuedReplayToken {
    const text = randomBytes(32).toString('hex');
    const number = deferred<number>();
    const token = { keyId, replayOf, reportNumber: number.resolve };
    this.#entries.set(text, { token, due: this.#clock.monotonic() + tokenLifeMs, isUsed: false });
    return { text, number: number.promise, end: () => void this.#entries.delete(text) };
  }

  /** The pass, for the one call that it opens; undefined for anything else that is presented. */
  redeem(presented: unknown): ReplayToken | undefined {
    const entry = typeof presented === 'string' ? this.#entries.get(presented) : undefined;
    if (entry === undefined || entry.isUsed || this.#clock.monotonic() >= entry.due) return undefined;
    entry.isUsed = true;
    return entry.token;
  }

  /** The pass that a call came with, redeemed or not, for the record of that call. */
  find(presented: unknown): ReplayToken | undefined {
    return typeof presented === 'string' ? this.#entries.get(presented)?.token : undefined;
  }
}
