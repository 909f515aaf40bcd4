// The failures among the traces of a run.
import { dataUnreadable } from '../../domain/errors.ts';
import { rowFailureSchema, type RowFailure } from '../../domain/run/row-failure.ts';
import { kindOfLine } from '../../domain/run/row-trace.ts';
import type { TraceFile } from './read-traces.ts';
import { wholeLines } from './whole-lines.ts';

const chunkBytes = 256 * 1024;

/** In row order. Throws `data_unreadable`, naming `label`. */
export async function* readFailuresIn(
  { file, from, to }: TraceFile,
  label: string,
): AsyncGenerator<RowFailure> {
  for await (const bytes of wholeLines(file, { from, to, chunkBytes })) {
    for (const line of Buffer.from(bytes).toString().split('\n').filter(Boolean))
      if (kindOfLine(line) !== 'row') yield parseFailure(line, label);
  }
}

function parseFailure(line: string, label: string): RowFailure {
  try {
    return rowFailureSchema.parse(JSON.parse(line));
  } catch (error) {
    throw dataUnreadable(`${label}: a line is damaged`, error);
  }
}
