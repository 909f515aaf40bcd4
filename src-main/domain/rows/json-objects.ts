// Finds the ends of JSON objects in lines of bytes, without building them: the outputs of a run are megabytes, and what an
// author's code made is not to be rebuilt outside its worker. Who calls: executor/run/check-claims.ts.
import { actions, firstAction, jsonTable, states } from './json-table.ts';
import { newline } from './line-bytes.ts';

const opening = 0x7b;
const minusSign = 0x2d;
const zeroDigit = 0x30;
/** Kinds of containers. */
const isList = 1;
const isObject = 0;

/**
 * The same table for objects on one line, where nothing but commas and brackets needs a decision: a number begins and ends
 * without one.
 */
const objectTable = jsonTable.map((next, index) => {
  const byte = index & 0xff;
  if (byte === newline) return actions.error;
  if (next === actions.startNumber)
    return byte === minusSign ? states.minus : byte === zeroDigit ? states.zero : states.integer;
  return next === actions.endNumber ? (jsonTable[(states.after << 8) | byte] as number) : next;
});

export class JsonObjects {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Kinds of the containers that are open around the innermost one. */
  readonly #kinds: number[] = [];
  #kind = isObject;

  /** @param bytes valid UTF-8, which is for the caller to see to */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /**
   * The offset behind the JSON object (RFC 8259) that begins at `from` and has no newline in it; -1 when none does. Nesting takes
   * no stack.
   */
  endOf(from: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    if (bytes[from] !== opening) return -1;
    this.#kinds.length = 0;
    this.#kind = isObject;
    const { text, key, end } = states;
    let state = states.firstKey;
    for (let at = from + 1; at < bytes.length; at += 1) {
      if (state === text || state === key) {
        at = endOfPlainText(bytes, view, at);
        if (at === bytes.length) return -1;
      }
      state = objectTable[(state << 8) | (bytes[at] as number)] as number;
      if (state < firstAction) continue;
      state = this.#act(state);
      if (state === end) return at + 1;
      if (state === actions.error) return -1;
    }
    return -1;
  }

  /** The next state: `end` when the outermost object is closed. Or `error`, for what cannot stand there. */
  #act(action: number): number {
    switch (action) {
      case actions.comma:
        return this.#kind === isObject ? states.nextKey : states.value;
      case actions.openArray:
        return this.#open(isList, states.firstItem);
      case actions.closeArray:
        return this.#close(isList);
      case actions.openObject:
        return this.#open(isObject, states.firstKey);
      case actions.closeObject:
        return this.#close(isObject);
      default:
        return actions.error;
    }
  }

  #open(kind: number, next: number): number {
    this.#kinds.push(this.#kind);
    this.#kind = kind;
    return next;
  }

  #close(kind: number): number {
    if (this.#kind !== kind) return actions.error;
    const outer = this.#kinds.pop();
    if (outer === undefined) return states.end;
    this.#kind = outer;
    return states.after;
  }
}

// Skips what is inside a JSON text eight bytes at a time, which most bytes of rows and outputs are.

/**
 * The offset of the first byte, at or after `at`, that ends a text or key, escapes, or must not be in one; the length of the
 * chunk when there is none.
 * @param view over the same bytes as the chunk
 */
export function endOfPlainText(chunk: Uint8Array, view: DataView, at: number): number {
  const last = chunk.length - 8;
  let end = at;
  for (; end <= last; end += 8) {
    const marks = marksIn(view.getInt32(end, true));
    if (marks !== 0) return end + firstMark(marks);
    const next = marksIn(view.getInt32(end + 4, true));
    if (next !== 0) return end + 4 + firstMark(next);
  }
  while (end < chunk.length && plainInText[chunk[end] as number] === 1) end += 1;
  return end;
}

/**
 * The highest bit of each of the four bytes that is a quote, a backslash or a control character; above the first of them
 * others may be marked too. Flipping the second bit puts the quote right behind the control characters; a byte below n, or
 * none, is found by subtracting from all four at once, where only a byte that is found borrows from the next.
 */
function marksIn(word: number): number {
  const flipped = word ^ 0x02020202;
  const slashes = word ^ 0x5c5c5c5c;
  return (((flipped - 0x21212121) & ~flipped) | ((slashes - 0x01010101) & ~slashes)) & 0x80808080;
}

/** Which of the four bytes, from 0, has the lowest mark. */
const firstMark = (marks: number): number => (31 - Math.clz32(marks & -marks)) >> 3;

const plainInText = Uint8Array.from({ length: 256 }, (_, byte) =>
  jsonTable[(states.text << 8) | byte] === states.text ? 1 : 0,
);
