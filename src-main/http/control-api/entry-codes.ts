// Lets a browser in: a link carries a code in its fragment, which no server and no log sees. The page exchanges the
// code once for the control token. Only a process that can read the data folder can have a link made.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

/** Long enough to find the terminal's line and click it, short enough that an old line opens nothing. */
export const entryCodeLifeMs = 10 * 60_000;
/** Links that wait to be used; the oldest goes when there are more. */
export const maxEntryCodes = 16;

type Outstanding = { readonly digest: Buffer; readonly due: number };

export class EntryCodes {
  readonly #clock: Clock;
  #outstanding: readonly Outstanding[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A fresh code, 43 characters that a URL can carry. */
  create(): string {
    const code = randomBytes(32).toString('base64url');
    const due = this.#clock.monotonic() + entryCodeLifeMs;
    this.#outstanding = [...this.#live(), { digest: sha256(code), due }].slice(-maxEntryCodes);
    return code;
  }

  /** True once for each code, within its life. Takes the same time whatever was presented. */
  redeem(presented: string): boolean {
    const digest = sha256(presented);
    const live = this.#live();
    // Each is compared, as long as it takes: how far a comparison came must not tell anything.
    const isFound = live.map((code) => timingSafeEqual(code.digest, digest));
    this.#outstanding = live.filter((_, index) => isFound[index] !== true);
    return isFound.includes(true);
  }

  #live(): readonly Outstanding[] {
    const now = this.#clock.monotonic();
    return this.#outstanding.filter(({ due }) => now < due);
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
