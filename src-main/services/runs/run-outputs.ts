import { countLines, newline } from '../../domain/rows/line-bytes.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { Run } from '../../domain/run/run.ts';
import type { RunReading } from '../ports.ts';

/** The committed outputs of a run. Throws `data_unreadable` at once for a completed run without a line for each row. */
export const readOutputsOf = (
  store: Pick<RunReading, 'readOutputs'>,
  { runId, status, rows }: Run,
): AsyncIterable<RowLines> => store.readOutputs(runId, status === 'completed' ? rows : undefined);

/** The lines of the first rows: what is committed later is left out, so that each reading gives the same lines. */
export async function* firstLines(chunks: AsyncIterable<RowLines>, rows: number): AsyncGenerator<RowLines> {
  let left = rows;
  for await (const chunk of chunks) {
    const lines = countLines(chunk.bytes);
    if (lines >= left) {
      yield { ...chunk, bytes: linesBefore(chunk.bytes, left) };
      return;
    }
    left -= lines;
    yield chunk;
  }
}

function linesBefore(bytes: Uint8Array, lines: number): Uint8Array {
  let end = 0;
  for (let left = lines; left > 0; left -= 1) end = bytes.indexOf(newline, end) + 1;
  return bytes.subarray(0, end);
}
