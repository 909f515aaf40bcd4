// Finds rows in a run's trace file. Its lines are in row order, so that the place of a row is found by halving; what
// is read does not grow with the file, nor what is held with anything but the longest line.
import { newline } from '../../domain/rows/line-bytes.ts';
import { rowOfLine } from '../../domain/run/row-trace.ts';
import { readBytes } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import { wholeLines } from './whole-lines.ts';

/** Bytes of it: where a line begins, and one ends. */
export type TraceFile = { readonly file: OpenFile; readonly from: number; readonly to: number };

/** What one look reads at least; halving ends there. */
const pieceBytes = 64 * 1024;
/** The number of a line's row is in its first bytes. */
const headBytes = 40;

/** The lines of rows from that one on, with their numbers. */
export async function* traceLinesFrom(
  trace: TraceFile,
  row: number,
): AsyncGenerator<{ readonly row: number; readonly line: string }> {
  const from = await placeBefore(trace, row);
  for await (const bytes of wholeLines(trace.file, { from, to: trace.to, chunkBytes: pieceBytes })) {
    for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
      const found = rowOfLine(line);
      if (found !== undefined && found >= row) yield { row: found, line };
    }
  }
}

/** The start of a line before which, or in a piece after which, the row's line begins. */
async function placeBefore(trace: TraceFile, row: number): Promise<number> {
  let low = trace.from;
  let high = trace.to;
  while (high - low > pieceBytes) {
    const middle = Math.floor((low + high) / 2);
    const found = await nextRowLine(trace, middle, high);
    if (found === undefined || found.row >= row) high = middle;
    else low = found.start;
  }
  return low;
}

/** The first row's line that begins after `from` and before `to`. */
async function nextRowLine(
  { file }: TraceFile,
  from: number,
  to: number,
): Promise<{ readonly start: number; readonly row: number } | undefined> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let position = from;
  while (position < to) {
    const bytes = buffer.subarray(0, await readBytes(file, buffer, position));
    if (bytes.length === 0) return undefined;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, end + 1)) {
      const start = position + end + 1;
      if (start >= to) return undefined;
      const row = rowOfLine(await headAt(file, start));
      if (row !== undefined) return { start, row };
    }
    position += bytes.length;
  }
  return undefined;
}

async function headAt(file: OpenFile, start: number): Promise<string> {
  const head = Buffer.allocUnsafe(headBytes);
  return head.toString('latin1', 0, await readBytes(file, head, start));
}
