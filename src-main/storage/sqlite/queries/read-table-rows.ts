// Rows of a table as a page shows them: the beginning of each value.
import { isUnreadable } from '../../../domain/store-errors.ts';
import { largeObject, type TestedObject } from '../../../domain/query/row-test.ts';
import type { SelectedRow } from '../../../domain/query/table-page.ts';
import { beginning, previewRow, type FieldPreview } from '../../../domain/rows/preview-row.ts';
import type { Steps } from './continued-queries.ts';
import type { RowCursor } from '../row-cursor.ts';
import type { TableRows } from './table-rows.ts';

/** Characters of one answer, all values together, and bytes that are read for it. */
const maxCharacters = 250_000;
const maxBytes = 8_000_000;
/** Rows that are read in the order in which they are stored, so that a batch of them is read once. */
const rowsAtOnce = 50;
/** A message may be as long as a page. */
const maxMessageLength = 1_000;

/** The rows at those positions; fewer where they are large. Each of them may be in another batch. */
export function* readTableRows(table: TableRows, positions: Uint32Array): Steps<readonly SelectedRow[]> {
  const readRowAt = table.rowReader();
  const rows: SelectedRow[] = [];
  let [characters, bytes] = [0, 0];
  for (let from = 0; from < positions.length; from += rowsAtOnce) {
    const some = positions.subarray(from, from + rowsAtOnce);
    const found = new Map<number, SelectedRow>();
    for (const position of some.toSorted()) {
      found.set(position, shownRow(readRowAt(position)));
      yield 0;
    }
    for (const position of some) {
      const row = found.get(position)!;
      characters += charactersOf(row);
      bytes += row.bytes;
      if (rows.length > 0 && (characters > maxCharacters || bytes > maxBytes)) return rows;
      rows.push(row);
    }
  }
  return rows;
}

function shownRow(cursor: RowCursor): SelectedRow {
  const input = cursor.objectOf('input');
  const output = cursor.objectOf('output');
  return {
    position: cursor.position,
    row: cursor.number,
    ...(cursor.isMerged ? { runId: cursor.runId } : {}),
    input: fieldsOf(input),
    output: fieldsOf(output),
    ...resultOf(cursor, output !== undefined),
    bytes: bytesOf(cursor.lineOf('input')) + bytesOf(cursor.lineOf('output')),
    ...(input === largeObject || output === largeObject ? { isLarge: true } : {}),
  };
}

/** The row's state and failure. If they cannot be read, the rest of the row is shown nevertheless. */
function resultOf(cursor: RowCursor, hasOutput: boolean): Pick<SelectedRow, 'state' | 'failure' | 'problem'> {
  let state: SelectedRow['state'];
  try {
    state = cursor.state;
    const { failure } = cursor;
    return {
      ...(state === undefined ? {} : { state }),
      ...(failure && {
        failure: { nodeId: failure.nodeId, message: beginning(failure.message, maxMessageLength) },
      }),
    };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    // A row with an output is done.
    const known = state ?? (hasOutput ? 'done' : undefined);
    return { ...(known === undefined ? {} : { state: known }), problem: error.message };
  }
}

const fieldsOf = (object: TestedObject): readonly FieldPreview[] =>
  object === undefined || object === largeObject ? [] : previewRow(object).fields;

const bytesOf = (line: string | undefined): number => (line === undefined ? 0 : Buffer.byteLength(line));

const charactersOf = ({ input, output, failure }: SelectedRow): number =>
  [...input, ...output].reduce((sum, { name, text }) => sum + 50 + name.length + text.length, 50) +
  (failure?.message.length ?? 0);
