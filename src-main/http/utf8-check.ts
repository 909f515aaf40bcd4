import { isUtf8 } from 'node:buffer';

/** True if bytes that come in pieces are UTF-8: strictly, so no overlong forms and no encoded surrogates. */
export class Utf8Check {
  /** The beginning of a character that the last piece cut off: at most three bytes. */
  #cutOff: Buffer = Buffer.alloc(0);

  /** False as soon as a piece cannot be part of UTF-8 text. */
  push(piece: Buffer): boolean {
    const rest = this.#cutOff.length === 0 ? piece : this.#finishCharacter(piece);
    if (rest === undefined) return false;
    const whole = rest.length - lengthOfCutOff(rest);
    if (whole < rest.length) this.#cutOff = Buffer.concat([this.#cutOff, rest.subarray(whole)]);
    return isUtf8(rest.subarray(0, whole));
  }

  /** False when the text ended inside a character. */
  end(): boolean {
    return this.#cutOff.length === 0;
  }

  /** Completes the cut-off character; the bytes after it, or undefined when it is none. */
  #finishCharacter(piece: Buffer): Buffer | undefined {
    const missing = lengthOfCharacter(this.#cutOff[0]) - this.#cutOff.length;
    const character = Buffer.concat([this.#cutOff, piece.subarray(0, missing)]);
    if (piece.length < missing) {
      this.#cutOff = character;
      return piece.subarray(piece.length);
    }
    this.#cutOff = Buffer.alloc(0);
    return isUtf8(character) ? piece.subarray(missing) : undefined;
  }
}

/** Bytes of a character, by its first one. */
function lengthOfCharacter(first = 0): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

/** How many bytes at the end begin a character that is longer than what is there. */
function lengthOfCutOff(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOfCharacter(byte) > back ? back : 0;
  }
  return 0;
}
