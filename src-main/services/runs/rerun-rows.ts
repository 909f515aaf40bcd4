// Picks the rows that a rerun repeats from a finished run's stored rows, byte for byte and with bounded memory. Each
// row keeps its number.
import { rowNumberAt, type RowLines } from '../../domain/run/row-numbers.ts';
import { eachLine, newline } from '../../domain/rows/line-bytes.ts';

type Lines = AsyncIterable<RowLines>;

/** The input rows whose output line is empty or missing: those that failed and those never reached. */
export async function* rowsWithoutOutput(rows: Lines, outputs: Lines): AsyncIterable<RowLines> {
  let picked = 0;
  const outputLines = numberedLines(outputs);
  try {
    for await (const row of numberedLines(rows)) {
      const output = await outputLines.next();
      if (!output.done && output.value.line.length > 0) continue;
      picked += 1;
      yield { firstRow: picked, bytes: withNewline(row.line), numbers: [row.number] };
    }
  } finally {
    // The reading of outputs ends even when the rows end first.
    await outputLines.return(undefined);
  }
}

type Line = { readonly number: number; readonly line: Uint8Array };

/** Each row's line with its number, without the newline. */
export async function* numberedLines(chunks: Lines): AsyncGenerator<Line, undefined> {
  for await (const chunk of chunks) {
    let index = 0;
    for (const line of eachLine(chunk.bytes)) {
      yield { number: rowNumberAt(chunk, index), line };
      index += 1;
    }
  }
  return undefined;
}

function withNewline(line: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(line.length + 1);
  bytes.set(line);
  bytes[line.length] = newline;
  return bytes;
}
