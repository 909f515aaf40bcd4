// Creates the body of a request with rows, in pieces, without blocking the page.
import type { JsonObject } from '#contract';
import { createYieldToMain } from './yield-to-main.ts';

/** Characters of one piece. */
const pieceLength = 1_000_000;

/** `{"rows":[…]}`, or `{"numbers":[…],"rows":[…]}` for rows of a rerun. */
export async function rowsBody(rows: Iterable<JsonObject>, numbers?: readonly number[]): Promise<Blob> {
  const parts: Blob[] = [];
  const yieldToMain = createYieldToMain();
  let piece = numbers === undefined ? '{"rows":[' : `{"numbers":[${numbers.join(',')}],"rows":[`;
  let separator = '';
  for (const row of rows) {
    piece += separator + JSON.stringify(row);
    separator = ',';
    if (piece.length < pieceLength) continue;
    parts.push(new Blob([piece]));
    piece = '';
    await yieldToMain();
  }
  return new Blob([...parts, `${piece}]}`]);
}
