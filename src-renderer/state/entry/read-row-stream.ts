// Reads rows that the server streams, one `[number,row]` per line, without blocking the page.
import type { JsonObject, NumberedRow } from '#contract';
import { createYieldToMain } from './yield-to-main.ts';
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

/** Reads one JSON value per line, without blocking the page. Throws if the stream breaks off. */
export async function readLines(
  stream: ReadableStream<Uint8Array>,
  take: (line: unknown) => void,
): Promise<void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const yieldToMain = createYieldToMain();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(JSON.parse(line));
      if (done) return;
      await yieldToMain();
    }
  } finally {
    await reader.cancel();
  }
}
