// A service may echo a secret in its answer. The mask hides each of its spellings before a row, trace or file gets it.
import type { Secret } from '../../domain/secrets/secret.ts';
import { encodingsOf, spellingsOf, type ByteRange, type Spellings } from './spellings.ts';

type MaskOptions = {
  /** Kind of the value, for the label that replaces it. */
  readonly kind?: string;
  /** As for `spellingsOf`. `symbols` is made in a fraction of the time, for values that change from call to call. */
  readonly escaped?: 'all' | 'symbols';
};

export class SecretMask {
  readonly #label: Buffer;
  readonly #value: string;
  readonly #forms: readonly Spellings[];

  constructor({ name, value }: Pick<Secret, 'name' | 'value'>, options: MaskOptions = {}) {
    const { kind = 'secret', escaped = 'all' } = options;
    this.#label = Buffer.from(`[${kind} ${name}]`);
    this.#value = value;
    this.#forms = formsOf(value, escaped);
  }

  /** True if the mask hides this secret, so that it can be reused: making a mask takes longer than using it. */
  isOf(secret: Pick<Secret, 'value'>): boolean {
    return this.#value === secret.value;
  }

  text(text: string): string {
    return Buffer.from(this.bytes(Buffer.from(text, 'utf8'))).toString('utf8');
  }

  /** A header's name or value as it was read: one character for each byte, whatever encoding the service meant. */
  header(text: string): string {
    return Buffer.from(this.bytes(Buffer.from(text, 'latin1'))).toString('latin1');
  }

  /** The bytes with all secrets masked; the same bytes if there is nothing to hide. */
  bytes(input: Uint8Array): Uint8Array {
    const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    const text = bytes.toString('latin1');
    const found = this.#forms.flatMap((form) => [...form.find(text)]);
    return found.length === 0 ? input : this.#without(bytes, found);
  }

  #without(bytes: Buffer, found: readonly ByteRange[]): Buffer {
    const pieces: Buffer[] = [];
    let end = 0;
    for (const { from, to } of found.toSorted((a, b) => a.from - b.from)) {
      // Overlapping matches get one label.
      if (from >= end) pieces.push(bytes.subarray(end, from), this.#label);
      end = Math.max(end, to);
    }
    return Buffer.concat([...pieces, bytes.subarray(end)]);
  }
}

function formsOf(value: string, escaped: 'all' | 'symbols'): readonly Spellings[] {
  const encoded = encodingsOf(value);
  const hexes = encoded.map((bytes) => bytes.toString('hex'));
  // OAuth 2 encodes a client's secret as in a form before it encodes both in base64.
  const form = Buffer.from(formText(value));
  const turned = [
    ...hexes,
    ...hexes.map((hex) => hex.toUpperCase()),
    ...[...encoded, form].flatMap(base64Forms),
  ];
  return [spellingsOf(value, escaped), ...[...new Set(turned)].map((text) => spellingsOf(text, 'symbols'))];
}

/** The text as it stands in a form. */
export const formText = (text: string): string => String(new URLSearchParams([['', text]])).slice(1);

/**
 * The base64 forms of a value. Base64 writes three bytes as four characters, so the form depends on the number of bytes
 * before the value, such as `user:`. Each form is cut to the part that its surroundings cannot change.
 */
function base64Forms(value: Buffer): readonly string[] {
  const whole = value.toString('base64');
  const inside = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), value]);
    const start = before === 0 ? 0 : before + 1;
    return bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6));
  });
  const forms = [whole, ...inside];
  return [
    ...forms,
    ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')),
  ];
}

/** Hides all that one call sends to prove who makes it: a secret, and what is made of it on the way. */
export class CallMask {
  /** In the order in which they are applied. */
  #masks: readonly SecretMask[] = [];

  hide(mask: SecretMask): void {
    this.#masks = [...this.#masks, mask];
  }

  /** Hides a value that other hidden values are a part of. */
  hideFirst(mask: SecretMask): void {
    this.#masks = [mask, ...this.#masks];
  }

  text(text: string): string {
    return this.#masks.reduce((masked, mask) => mask.text(masked), text);
  }

  header(text: string): string {
    return this.#masks.reduce((masked, mask) => mask.header(masked), text);
  }

  /** The same bytes if there is nothing to hide. */
  bytes(input: Uint8Array): Uint8Array {
    return this.#masks.reduce((masked, mask) => mask.bytes(masked), input);
  }
}
