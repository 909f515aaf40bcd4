// What the text of a trace line says, apart from its schema: the threads that read the database go through many lines, and
// start without a schema library.
import type { RowFailure } from '../run/row-failure.ts';
import { nodeEnds } from './trace-form.ts';

/** True if a node was skipped in the row; false for a line that is damaged, or without nodes. */
export function hasSkippedNode(line: string): boolean {
  const [, cells] = /,"nodes":\[((?:[^[\]]|\[[^[\]]*\])*)\]/.exec(line) ?? [];
  return cells?.includes(skippedCell) ?? false;
}

/** How the cell of a skipped node begins. */
const skippedCell = `[${nodeEnds.indexOf('skipped')},`;

/** The number of the row that a line belongs to; undefined for a line that is no row's. */
export function rowOfLine(line: string): number | undefined {
  const found = /^\{"row":(\d{1,15})[,}]/.exec(line);
  return found === null ? undefined : Number(found[1]);
}

/** Kind of a line of the trace file: of a failed row, or of another row; undefined for a damaged line. */
export function kindOfLine(line: string): 'failure' | 'row' | undefined {
  const [, key] = /^\{"row":\d{1,15},"(nodeId|nodes)":/.exec(line) ?? [];
  if (key === undefined) return undefined;
  return key === 'nodeId' ? 'failure' : 'row';
}

/** The failure at the beginning of a line; undefined for a row that did not fail, and a damaged line. */
export function failureOfLine(line: string): RowFailure | undefined {
  // A quote inside a text is escaped, so this is found where it is a key.
  const end = line.indexOf(',"nodes":');
  try {
    const json: unknown = JSON.parse(end < 0 ? line : `${line.slice(0, end)}}`);
    return failureIn(json as Partial<Record<keyof RowFailure, unknown>>);
  } catch {
    return undefined; // what is known of the row without it is still shown
  }
}

function failureIn(json: Partial<Record<keyof RowFailure, unknown>>): RowFailure | undefined {
  const { row, nodeId, message, attempts } = json;
  if (typeof nodeId !== 'string' || typeof message !== 'string') return undefined;
  return isCount(row) && isCount(attempts) ? { row, nodeId, message, attempts } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
