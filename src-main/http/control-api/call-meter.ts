// Bounds the values of a call's JSON while its body arrives. A body of some megabytes can hold millions of values, which
// would keep the main process busy for seconds once it is parsed and checked.
import { count } from '../../domain/format.ts';
import { callInputInvalid } from '../../domain/request-errors.ts';

/** Maximum values in a call, nested ones included: more than the row numbers that fit into one. */
const maxValues = 200_000;
/** Maximum levels of lists and objects in each other. A row has 98 at most. */
const maxDepth = 200;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

export class CallMeter {
  #isInText = false;
  #isEscaped = false;
  #depth = 0;
  #values = 1;

  /** Counts what the next bytes of the body hold. Throws `invalid_input` above a limit. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isInText) this.#addToText(byte);
      else if (byte === quote) this.#isInText = true;
      else if (byte === comma) this.#values += 1;
      else if (byte === openList || byte === openObject) this.#open();
      else if (byte === closeList || byte === closeObject) this.#depth -= 1;
    }
    if (this.#values > maxValues) throw callInputInvalid(`it has more than ${count(maxValues)} values`);
  }

  #addToText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isInText = false;
  }

  #open(): void {
    this.#values += 1;
    this.#depth += 1;
    if (this.#depth > maxDepth) throw callInputInvalid(`it is nested deeper than ${maxDepth} levels`);
  }
}
