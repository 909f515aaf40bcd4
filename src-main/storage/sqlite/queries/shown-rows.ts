// Rows of a table as a page shows them: the beginning of each value, and how nodes ended.
import { isUnreadable } from '../../../domain/store-errors.ts';
import { largeObject, type TestedObject } from '../../../domain/query/row-test.ts';
import type { LaterAttempts, SelectedRow, StoredTableRequest } from '../../../domain/query/table-page.ts';
import { cellView, type NodeCell, type NodeCellView } from '../../../domain/results/node-cell.ts';
import { beginning, previewRow, type FieldPreview } from '../../../domain/rows/preview-row.ts';
import type { RowState } from '../../../domain/run/row-state.ts';
import type { RowCursor } from '../row-cursor.ts';
import type { Steps } from './continued-queries.ts';
import type { TableRows } from './table-rows.ts';

/** Characters of one answer, all values together, and bytes that are read for it. */
const maxCharacters = 250_000;
const maxPageBytes = 8_000_000;
/** Rows that are read in the order in which they are stored, so that a batch of them is read once. */
const rowsAtOnce = 50;
/** A message may be as long as a page. */
const maxMessageLength = 1_000;

/** The rows at those positions; fewer where they are large. Each of them may be in another batch. */
export function* readTableRows(
  table: TableRows,
  positions: Uint32Array,
  request: StoredTableRequest,
): Steps<readonly SelectedRow[]> {
  const readRowAt = table.rowReader(request.nodeIds);
  const rows: SelectedRow[] = [];
  let [characters, bytes] = [0, 0];
  for (let from = 0; from < positions.length; from += rowsAtOnce) {
    const some = positions.subarray(from, from + rowsAtOnce);
    const found = new Map<number, SelectedRow>();
    for (const position of some.toSorted()) {
      found.set(position, shownRow(readRowAt(position), request, table.laterAttempts(position)));
      yield 0;
    }
    for (const position of some) {
      const row = found.get(position)!;
      characters += charactersOf(row);
      bytes += row.bytes;
      if (rows.length > 0 && (characters > maxCharacters || bytes > maxPageBytes)) return rows;
      rows.push(row);
    }
  }
  return rows;
}

function shownRow(
  cursor: RowCursor,
  request: StoredTableRequest,
  later: LaterAttempts | undefined,
): SelectedRow {
  const input = cursor.objectOf('input');
  const output = cursor.objectOf('output');
  return {
    position: cursor.position,
    row: cursor.number,
    ...(cursor.attempt === undefined ? {} : { runId: cursor.runId, attempt: cursor.attempt }),
    ...later,
    input: fieldsOf(input),
    output: fieldsOf(output),
    ...resultOf(cursor, request, output !== undefined),
    bytes: lineBytes(cursor.lineOf('input')) + lineBytes(cursor.lineOf('output')),
    ...(input === largeObject || output === largeObject ? { isLarge: true } : {}),
  };
}

type RowResult = Pick<SelectedRow, 'state' | 'ms' | 'retries' | 'failure' | 'problem' | 'cells' | 'values'>;

/** The row's result. If it cannot be read, the rest of the row is shown nevertheless. */
function resultOf(cursor: RowCursor, request: StoredTableRequest, hasOutput: boolean): RowResult {
  let result: RowState | undefined;
  try {
    result = cursor.result;
    if (result === undefined) return {};
    const { state, retries, durationMicros } = result;
    return {
      state,
      ms: durationMicros / 1000,
      ...(retries > 0 ? { retries } : {}),
      ...failureOf(cursor),
      ...tracedOf(cursor, request),
    };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    // A row with an output is done.
    const known = result?.state ?? (hasOutput ? 'done' : undefined);
    return { ...(known === undefined ? {} : { state: known }), problem: error.message };
  }
}

function failureOf({ failure }: RowCursor): Pick<SelectedRow, 'failure'> {
  if (failure === undefined) return {};
  return { failure: { nodeId: failure.nodeId, message: beginning(failure.message, maxMessageLength) } };
}

function tracedOf(
  cursor: RowCursor,
  { nodes, values: hasValues }: StoredTableRequest,
): Pick<SelectedRow, 'cells' | 'values'> {
  if (nodes === undefined) return {};
  const { cells } = cursor;
  const indexes = nodes.map((nodeId) => cursor.nodeIds.indexOf(nodeId));
  const values = hasValues === true ? cursor.values : undefined;
  return {
    cells: indexes.map((index) => shownCell(cells, index)),
    ...(values && { values: indexes.map((index) => values.get(index) ?? null) }),
  };
}

/** @param index -1 for a node that the run of the row does not have */
function shownCell(cells: readonly NodeCell[] | undefined, index: number): NodeCellView | null {
  const cell = index < 0 ? ({ end: 'not reached', attempts: 0 } as const) : cells?.[index];
  return cell === undefined ? null : cellView(cell);
}

const fieldsOf = (object: TestedObject): readonly FieldPreview[] =>
  object === undefined || object === largeObject ? [] : previewRow(object).fields;

const lineBytes = (line: string | undefined): number => (line === undefined ? 0 : Buffer.byteLength(line));

const charactersOf = ({ input, output, failure, values = [] }: SelectedRow): number =>
  [...input, ...output].reduce((sum, { name, text }) => sum + 50 + name.length + text.length, 50) +
  values.reduce((sum, value) => sum + 30 + (value?.text.length ?? 0), 0) +
  (failure?.message.length ?? 0);
