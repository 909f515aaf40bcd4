// Rows as JSON text, as the page and the server send them to each other, written and read without blocking the page.
import { count, membersInOrder, namesInOrder, type JsonObject } from '#contract';
import { createYieldToMain } from './yield-to-main.ts';

/** Maximum rows that a page holds to edit. */
export const maxSheetRows = 100_000;
/** Characters of one piece of a body. */
const pieceLength = 1_000_000;

/** The body of a request: `{"rows":[…]}`, or `{"numbers":[…],"rows":[…]}` for rows of a rerun. */
export async function rowsBody(rows: Iterable<JsonObject>, numbers?: readonly number[]): Promise<Blob> {
  const parts: Blob[] = [];
  const yieldToMain = createYieldToMain();
  let piece = numbers === undefined ? '{"rows":[' : `{"numbers":[${numbers.join(',')}],"rows":[`;
  let separator = '';
  for (const row of rows) {
    piece += `${separator}{${membersInOrder(row, namesInOrder(row))}}`;
    separator = ',';
    if (piece.length < pieceLength) continue;
    parts.push(new Blob([piece]));
    piece = '';
    await yieldToMain();
  }
  return new Blob([...parts, `${piece}]}`]);
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

export type StreamedRows = { readonly rows: readonly JsonObject[]; readonly numbers: readonly number[] };

/** Reads one `[number,row]` per line. Throws if there are more than `maxRows`, or if the stream breaks off. */
export async function readRowStream(
  stream: ReadableStream<Uint8Array>,
  maxRows: number,
): Promise<StreamedRows> {
  const rows: JsonObject[] = [];
  const numbers: number[] = [];
  await readLines(stream, (line) => {
    const [number, row] = line as readonly [number: number, row: JsonObject];
    if (numbers.push(number) > maxRows) throw tooManyRows(maxRows);
    rows.push(row);
  });
  return { rows, numbers };
}

const tooManyRows = (maxRows: number): Error =>
  new Error(
    `There are more than ${count(maxRows)} rows, the maximum for this page. Run larger files with "rowbench run", or send them to the API.`,
  );
