// Rows as they are sent, made piece by piece while the page goes on answering.
import type { JsonObject } from '#contract';
import { createBreather } from './breather.ts';

/** Characters of one piece. */
const pieceLength = 1_000_000;

/** `{"rows":[…]}`, or with the numbers that the rows go by before them. */
export async function rowsBody(rows: Iterable<JsonObject>, numbers?: readonly number[]): Promise<Blob> {
  const parts: Blob[] = [];
  const breathe = createBreather();
  let piece = numbers === undefined ? '{"rows":[' : `{"numbers":[${numbers.join(',')}],"rows":[`;
  let separator = '';
  for (const row of rows) {
    piece += separator + JSON.stringify(row);
    separator = ',';
    if (piece.length < pieceLength) continue;
    parts.push(new Blob([piece]));
    piece = '';
    await breathe();
  }
  return new Blob([...parts, `${piece}]}`]);
}

/** The numbers that rows go by in the run that they come from; undefined unless each has one and they rise. */
export function runNumbers(
  rows: readonly { readonly origin?: number | undefined }[],
): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const { origin } of rows) {
    if (origin === undefined || origin <= (numbers.at(-1) ?? 0)) return undefined;
    numbers.push(origin);
  }
  return numbers;
}
