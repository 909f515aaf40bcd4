// Turns a trigger's body, as its bytes arrive, into one line of JSON a row, without parsing a row or holding a body.
// Who calls: receive-rows.ts. It accepts exactly the bodies that JSON.parse after strict UTF-8 decoding would read as
// an object with one `rows` array of objects, within the limits. Numbers of rows must also fit a double (1e400 would
// silently become null later); an integer that no double holds leaves as text, with its digits.
import { bodyTooLarge, invalidBody } from '../domain/request-errors.ts';
import { isExactInteger, minInexactDigits } from '../domain/rows/exact-json.ts';
import { actions, firstAction, jsonTable, nameOfState, states } from '../domain/rows/json-table.ts';
import { endOfPlainText } from '../domain/rows/json-objects.ts';
import { RowLineCutter } from './row-lines.ts';
import { Utf8Check } from './utf8-check.ts';

export type SplitLimits = {
  readonly maxRows: number;
  /** Bytes of one row. */
  readonly maxRowBytes: number;
};

/** Containers open at once: the body's object is 1, the rows array 2, a row 3, and an array in a row's field 4. */
const maxDepth = 100;

/** `"rows"` with every letter as `\uXXXX` has this many bytes between its quotes; nothing longer can be it. */
const longestSpelling = 30;
/** The largest double has 309 digits; no shorter number without an exponent can be too large. */
const digitsThatMayOverflow = 309;
const objectKind = 1;
const arrayKind = 2;

export class RowSplitter {
  readonly #limits: SplitLimits;
  readonly #utf8 = new Utf8Check();
  readonly #containers = new Uint8Array(maxDepth + 1);
  #state = states.beginning;
  #depth = 0;
  #rows = 0;
  #hasRows = false;
  #hasNodes = false;
  /** Body bytes before this chunk. */
  #offset = 0;

  #chunk: Buffer = Buffer.alloc(0);
  readonly #lines = new RowLineCutter();

  #isInRow = false;
  /** Bytes of the current row in earlier chunks. */
  #rowBytes = 0;

  /** A number or a member's name that may matter: what earlier chunks held of it, and where it goes on in this one. */
  #tokenHead = '';
  #tokenFrom = -1;

  constructor(limits: SplitLimits) {
    this.#limits = limits;
  }

  /** Rows that have begun so far. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * The rows' bytes in the next piece of the body, each row ended by a newline; the last may be cut off and goes on
   * in the next answer. The answer is good until the next call, and the chunk may be written over. Throws `invalid_body`
   * or `body_too_large`, after which the splitter is of no more use.
   */
  push(chunk: Buffer): Buffer {
    if (!this.#utf8.push(chunk)) throw invalidBody('it is not valid UTF-8');
    this.#chunk = chunk;
    this.#lines.begin(chunk);
    if (this.#tokenFrom >= 0) this.#tokenFrom = 0;
    this.#walk(chunk);
    if (this.#isInRow) this.#countRow(chunk.length);
    const lines = this.#lines.take(this.#cutIntegerAt());
    if (this.#tokenFrom >= 0) this.#keepToken(chunk);
    this.#offset += chunk.length;
    return lines;
  }

  /** The number of rows of the whole body. Throws `invalid_body` when the body is not complete. */
  end(): number {
    if (this.#state === states.beginning || this.#state === states.start) throw invalidBody('it is empty');
    if (!this.#utf8.end()) throw invalidBody('it is not valid UTF-8');
    if (this.#state !== states.end) throw invalidBody('its JSON ends too early');
    if (!this.#hasRows)
      throw invalidBody(this.#hasNodes ? 'it has "nodes" but no "rows"' : '"rows" is missing');
    return this.#rows;
  }

  #walk(chunk: Buffer): void {
    const table = jsonTable;
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    const { text, key } = states;
    let state = this.#state;
    for (let at = 0; at < chunk.length; at += 1) {
      // Most bytes are inside texts. There the next look-up need not wait for the last one's answer.
      if (state === text || state === key) at = endOfPlainText(chunk, view, at);
      if (at === chunk.length) break;
      const next = table[(state << 8) | (chunk[at] as number)] as number;
      state = next < firstAction ? next : this.#act(next, state, at);
    }
    this.#state = state;
  }

  /** Handles a byte whose next state the table alone does not give. Returns the next state. */
  #act(action: number, state: number, at: number): number {
    switch (action) {
      case actions.comma:
        return this.#afterComma();
      case actions.startNumber:
        return this.#startNumber(at);
      case actions.endNumber:
        return this.#endNumber(state, at);
      case actions.openObject:
        return this.#open(objectKind, states.firstKey);
      case actions.openArray:
        return this.#open(arrayKind, states.firstItem);
      case actions.closeObject:
        return this.#close(objectKind, at);
      case actions.closeArray:
        return this.#close(arrayKind, at);
      case actions.error:
        throw this.#problem(state, at);
      default:
        return this.#actOnBody(action, at);
    }
  }

  #actOnBody(action: number, at: number): number {
    switch (action) {
      case actions.openRow:
        return this.#openRow(at);
      case actions.openBody:
        return this.#open(objectKind, states.firstName);
      case actions.openRows:
        return this.#open(arrayKind, states.firstRow);
      case actions.closeRows:
        this.#depth -= 1;
        return states.after;
      case actions.openName:
        this.#tokenFrom = at + 1;
        return states.name;
      default:
        return this.#closeName(at);
    }
  }

  #open(kind: number, next: number): number {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw invalidBody(`it is nested deeper than ${maxDepth} levels`);
    this.#containers[this.#depth] = kind;
    return next;
  }

  #close(kind: number, at: number): number {
    if (this.#containers[this.#depth] !== kind) throw this.#problem(states.after, at);
    this.#depth -= 1;
    if (this.#depth === 0) return states.end;
    if (!this.#isInRow || this.#depth > 2) return states.after;
    this.#countRow(at + 1);
    this.#lines.closeRow(at + 1);
    this.#isInRow = false;
    return states.afterRow;
  }

  #openRow(at: number): number {
    if (this.#rows === this.#limits.maxRows)
      throw bodyTooLarge(`it has more than ${this.#limits.maxRows} rows`);
    this.#rows += 1;
    this.#isInRow = true;
    this.#rowBytes = 0;
    this.#lines.openRow(at);
    return this.#open(objectKind, states.firstKey);
  }

  /** The row, or what this chunk has of it, goes as far as that. */
  #countRow(end: number): void {
    this.#rowBytes += this.#lines.bytesOfRow(end);
    if (this.#rowBytes > this.#limits.maxRowBytes)
      throw bodyTooLarge(`row ${this.#rows} has more than ${this.#limits.maxRowBytes} bytes`);
  }

  #afterComma(): number {
    if (this.#depth === 1) return states.nextName;
    return this.#containers[this.#depth] === objectKind ? states.nextKey : states.value;
  }

  #startNumber(at: number): number {
    // Members beside `rows` are ignored, so it does not matter how large their numbers are.
    if (this.#isInRow) this.#tokenFrom = at;
    const byte = this.#chunk[at];
    if (byte === 0x2d) return states.minus;
    return byte === 0x30 ? states.zero : states.integer;
  }

  /** The byte that ends a number is not part of it: it is looked at again as what comes after a value. */
  #endNumber(state: number, at: number): number {
    if (this.#isInRow) {
      const length = this.#tokenHead.length + at - this.#tokenFrom;
      if (state === states.exponent || length >= digitsThatMayOverflow) this.#assertDouble(at);
      if (state === states.integer && length >= minInexactDigits) this.#keepDigits(at);
      this.#tokenHead = '';
      this.#tokenFrom = -1;
    }
    const next = jsonTable[(states.after << 8) | (this.#chunk[at] as number)] as number;
    return next < firstAction ? next : this.#act(next, states.after, at);
  }

  /** An integer, or a minus that begins one, that goes on in the next chunk; undefined if this one cuts none off. */
  #cutIntegerAt(): number | undefined {
    const isCut = this.#isInRow && (this.#state === states.integer || this.#state === states.minus);
    return isCut ? this.#tokenFrom : undefined;
  }

  #keepDigits(at: number): void {
    if (isExactInteger(this.#tokenUpTo(at))) return;
    this.#lines.quoteNumber(this.#tokenFrom, at, this.#tokenHead !== '');
  }

  #tokenUpTo(at: number): string {
    return this.#tokenHead + this.#chunk.toString('latin1', this.#tokenFrom, at);
  }

  #assertDouble(at: number): void {
    if (Number.isFinite(Number(this.#tokenUpTo(at)))) return;
    throw invalidBody(`a number in rows[${this.#rows - 1}] is too large (row ${this.#rows})`);
  }

  #closeName(at: number): number {
    const spelling = this.#tokenUpTo(at);
    this.#tokenHead = '';
    this.#tokenFrom = -1;
    const name = spelling.length > longestSpelling ? '' : (JSON.parse(`"${spelling}"`) as string);
    if (name === 'nodes') this.#hasNodes = true;
    if (name !== 'rows') return states.nameColon;
    if (this.#hasRows) throw invalidBody('"rows" is there twice');
    this.#hasRows = true;
    return states.rowsColon;
  }

  #keepToken(chunk: Buffer): void {
    // A name that is too long already needs no more of it; a number is as long as its row at most.
    if (!this.#isInRow && this.#tokenHead.length > longestSpelling) return;
    this.#tokenHead += chunk.toString('latin1', this.#tokenFrom);
  }

  #problem(state: number, at: number): Error {
    const byte = this.#chunk[at] ?? 0;
    switch (nameOfState(state)) {
      case 'beginning':
      case 'start':
        return invalidBody('it is not a JSON object');
      case 'rowsArray':
        return invalidBody('"rows" is not an array');
      case 'end':
        return invalidBody('there is more after its end');
      case 'firstRow':
      case 'nextRow':
        if (!beginsValue(byte)) break;
        return invalidBody(`rows[${this.#rows}] is not an object (row ${this.#rows + 1})`);
      default:
    }
    return invalidBody(
      `it is not JSON: ${nameOfByte(byte)} at byte ${this.#offset + at + 1} is out of place`,
    );
  }
}

const beginsValue = (byte: number): boolean => '"[-0123456789tfn'.includes(String.fromCharCode(byte));

/** Printable ASCII as itself; what a terminal or a log would not like, as a number. */
const nameOfByte = (byte: number): string =>
  byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `0x${byte.toString(16).padStart(2, '0')}`;
