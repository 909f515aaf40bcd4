// Reads rows that the server streams, one `[number,row]` per line, without blocking the page.
import type { JsonObject, NumberedRow } from '#contract';
import { readLines } from './read-lines.ts';
import { tooManyRows } from './read-rows-file.ts';

export type StreamedRows = { readonly rows: readonly JsonObject[]; readonly numbers: readonly number[] };

/** Throws if there are more than `maxRows`, or if the stream breaks off. */
export async function readRowStream(
  stream: ReadableStream<Uint8Array>,
  maxRows: number,
): Promise<StreamedRows> {
  const rows: JsonObject[] = [];
  const numbers: number[] = [];
  await readLines(stream, (line) => {
    const [number, row] = line as NumberedRow;
    if (numbers.push(number) > maxRows) throw tooManyRows(maxRows);
    rows.push(row as JsonObject);
  });
  return { rows, numbers };
}
