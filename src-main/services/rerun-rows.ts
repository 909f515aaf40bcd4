// Picks, from a finished run's files, the rows that a rerun repeats. Byte for byte, with bounded memory.

type Lines = AsyncIterable<{ readonly firstRow: number; readonly bytes: Uint8Array }>;

const newline = 0x0a;

/** The input rows whose output line is empty or missing: those that failed and those never reached. */
export async function* rowsWithoutOutput(rows: Lines, outputs: Lines): AsyncIterable<Uint8Array> {
  const outputLines = eachLine(outputs);
  try {
    for await (const row of eachLine(rows)) {
      const output = await outputLines.next();
      if (output.done || output.value.length === 0) yield withNewline(row);
    }
  } finally {
    // The files behind it are closed even when the rows end first.
    await outputLines.return(undefined);
  }
}

async function* eachLine(chunks: Lines): AsyncGenerator<Uint8Array, undefined> {
  for await (const { bytes } of chunks) {
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      yield bytes.subarray(start, end);
      start = end + 1;
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
