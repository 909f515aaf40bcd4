// Skips what is inside a JSON text eight bytes at a time, which most bytes of rows and outputs are. Who calls: those who walk
// `json-table.ts`.
import { jsonTable, states } from './json-table.ts';

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
