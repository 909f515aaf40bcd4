// The beginning of a body whose rows keep the numbers that they had in another run: `{"numbers":[3,7],"rows":[…]}`. The
// numbers are taken off, and the rest is an ordinary body.
import { bodyTooLarge, invalidBody } from '../domain/request-errors.ts';

const opening = '{"numbers":[';
const plainOpening = '{"rows":[';
const openBrace = 0x7b;
const comma = 0x2c;
/** As long as the largest number with its comma. */
const longestNumber = 10;

export class RowNumbersHead {
  readonly #maxBytes: number;
  #buffered: Buffer = Buffer.alloc(0);
  #isOver = false;
  #numbers: readonly number[] | undefined;

  /** @param maxRows numbers at most */
  constructor(maxRows: number) {
    this.#maxBytes = opening.length + longestNumber * maxRows + 2;
  }

  /** Absent: the body began with its rows. */
  get numbers(): readonly number[] | undefined {
    return this.#numbers;
  }

  /** The part of a body without numbers that this piece gives; nothing while numbers are still arriving. Throws `invalid_body`. */
  push(chunk: Buffer): Buffer {
    if (this.#isOver) return chunk;
    this.#buffered = Buffer.concat([this.#buffered, chunk]);
    const start = this.#buffered.toString('latin1', 0, opening.length);
    if (!opening.startsWith(start)) return this.#passOn(start);
    const end = this.#buffered.indexOf(']');
    if (end < 0 || end + 1 === this.#buffered.length) return this.#wait();
    if (this.#buffered[end + 1] !== comma) throw misplacedNumbers();
    this.#numbers = numbersOf(this.#buffered.toString('latin1', opening.length, end));
    this.#isOver = true;
    const rest = this.#buffered.subarray(end + 1);
    rest[0] = openBrace;
    return rest;
  }

  /** To be called when the body has ended. Throws `invalid_body` for one that ended within its numbers. */
  end(): void {
    if (!this.#isOver) throw invalidBody('its JSON ends too early');
  }

  #wait(): Buffer {
    if (this.#buffered.length > this.#maxBytes)
      throw bodyTooLarge('it has more row numbers than a run has rows');
    return Buffer.alloc(0);
  }

  #passOn(start: string): Buffer {
    if (!plainOpening.startsWith(start.slice(0, plainOpening.length))) throw misplacedNumbers();
    if (start.length < plainOpening.length) return Buffer.alloc(0);
    this.#isOver = true;
    return this.#buffered;
  }
}

function numbersOf(text: string): readonly number[] {
  if (text === '') return [];
  if (!/^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/.test(text)) throw misplacedNumbers();
  return text.split(',').map(Number);
}

const misplacedNumbers = () =>
  invalidBody('a rerun begins with {"rows":[ or with {"numbers":[…], followed by "rows", without blanks');
