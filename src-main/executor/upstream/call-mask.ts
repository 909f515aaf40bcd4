import type { SecretMask } from './secret-mask.ts';

/** Hides all that one call sends to prove who makes it: a secret, and what is made of it on the way. */
export class CallMask {
  readonly #masks = new Set<SecretMask>();

  hide(mask: SecretMask): void {
    this.#masks.add(mask);
  }

  text(text: string): string {
    return [...this.#masks].reduce((masked, mask) => mask.text(masked), text);
  }

  header(text: string): string {
    return [...this.#masks].reduce((masked, mask) => mask.header(masked), text);
  }

  /** The same bytes if there is nothing to hide. */
  bytes(input: Uint8Array): Uint8Array {
    return [...this.#masks].reduce((masked, mask) => mask.bytes(masked), input);
  }
}
