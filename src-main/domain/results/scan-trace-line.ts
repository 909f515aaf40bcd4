// What the text of a trace line says, apart from its schema: the threads that read the database go through many lines, and
// start without a schema library.
import type { JsonValue } from '../../base/json-value.ts';
import { previewValue, type ValuePreview } from '../rows/preview-row.ts';
import type { RowFailure } from '../run/row-failure.ts';
import { cellOf, type NodeCell, type StoredCell } from './node-cell.ts';
import { nodeEnds } from './trace-form.ts';

/** The cells of the row's nodes, by index in the plan; undefined for a line without them, and a damaged line. */
export function cellsOfLine(line: string): readonly NodeCell[] | undefined {
  // A quote inside a text is escaped, so this is found where it is a key.
  const end = line.indexOf(',"values":');
  const nodes = parsed(end < 0 ? line : `${line.slice(0, end)}}`)?.['nodes'];
  return Array.isArray(nodes) && nodes.every(isStoredCell) ? nodes.map(cellOf) : undefined;
}

/**
 * The beginnings of values that nodes gave, by index in the plan; a node that is absent gave none, or its value had no room.
 * Undefined: no values of the row are kept, or the line is damaged.
 */
export function valuesOfLine(line: string): ReadonlyMap<number, ValuePreview> | undefined {
  const { values, cut } = parsed(line) ?? {};
  // Of a cut value the trace has the beginning of its JSON.
  const previews = new Map<number, ValuePreview>([
    ...placedIn(values).map(([at, value]) => [at, previewValue(value)] as const),
    ...placedIn(cut).map(([at, text]) => [at, { ...previewValue(text), kind: 'object' }] as const),
  ]);
  return previews.size === 0 ? undefined : previews;
}

const placedIn = (list: unknown): readonly (readonly [number, JsonValue])[] =>
  Array.isArray(list)
    ? list.filter((entry): entry is [number, JsonValue] => Array.isArray(entry) && entry.length === 2)
    : [];

const isStoredCell = (cell: unknown): cell is StoredCell =>
  typeof cell === 'number' ||
  (Array.isArray(cell) && cell.length >= 3 && cell.every((part) => typeof part === 'number'));

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // what is known of the row without it is still shown
  }
}

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
  const json = parsed(end < 0 ? line : `${line.slice(0, end)}}`);
  return json && failureIn(json);
}

function failureIn(json: Partial<Readonly<Record<keyof RowFailure, unknown>>>): RowFailure | undefined {
  const { row, nodeId, message, attempts } = json;
  if (typeof nodeId !== 'string' || typeof message !== 'string') return undefined;
  return isCount(row) && isCount(attempts) ? { row, nodeId, message, attempts } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
