// Filtered, sorted and grouped rows of runs, a page at a time. The positions of the last few selections stay in memory, so that a
// page reads its own rows only.
import { LruMap } from '../../../base/lru-map.ts';
import type { RowSelection } from '../../../domain/query/row-selection.ts';
import type {
  ReadProgress,
  SelectedNumbers,
  SelectedRow,
  TablePage,
  TableRequest,
} from '../../../domain/query/table-page.ts';
import type { BatchReads } from '../batch-queries.ts';
import { ContinuedQueries, stepFor, type Steps } from './continued-queries.ts';
import { RowScan, selectInOrder, type OrderedRows } from '../row-scan.ts';
import { MergedRows, RowsOfRun, type TableRows } from './table-rows.ts';
import { isUnreadable } from '../../../domain/store-errors.ts';
import { largeObject, type TestedObject } from '../../../domain/query/row-test.ts';
import { beginning, previewRow, type FieldPreview } from '../../../domain/rows/preview-row.ts';
import type { RowCursor } from '../row-cursor.ts';

/** The answer, or how far the run has been read. */
type Progress<Answer> = ReadProgress | ({ readonly isReady: true } & Answer);

/** The positions of a page. */
type PagePositions = OrderedRows & { readonly table: TableRows; readonly total: number };
/** A table with the position up to which conditions look at its rows. */
type OpenTable = { readonly table: TableRows; readonly last: number };

const maxSelections = 8;
const maxMerged = 4;
const maxBytes = 64_000_000;
const bytesOf = ({ positions }: OrderedRows): number => positions.byteLength;

export class RowSelections {
  readonly #batches: BatchReads;
  /** By runs, and their rows and results. */
  readonly #merged = new ContinuedQueries<MergedRows>({
    maxQueries: maxMerged,
    maxBytes,
    bytesOf: ({ bytes }) => bytes,
  });
  /** By table and conditions. */
  readonly #scans = new LruMap<string, RowScan>({
    maxEntries: maxSelections,
    maxSize: maxBytes,
    sizeOf: bytesOf,
  });
  /** By table, selection and number of rows. */
  readonly #ordered = new ContinuedQueries<OrderedRows>({ maxQueries: maxSelections, maxBytes, bytesOf });
  /** Results that a selection looks at, by runs and selection, where the client leaves that to the store. */
  readonly #started = new LruMap<string, number>({ maxEntries: maxSelections });
  /** Pages that are being read. */
  readonly #pages = new ContinuedQueries<readonly SelectedRow[]>({ maxQueries: maxSelections });

  constructor(batches: BatchReads) {
    this.#batches = batches;
  }

  /**
   * Works for some milliseconds on the selection, or reads a page of it. Throws `run_not_found`, `data_unreadable`.
   * @param runIds oldest first; of several runs each row once, with its newest answer
   */
  readTable(runIds: readonly string[], request: TableRequest): TablePage {
    const selected = this.#page(runIds, request);
    if (!selected.isReady) return selected;
    const { table, positions, ...page } = selected;
    const key = JSON.stringify([runIds, request]);
    // Rows of a running run change.
    const step = this.#pages.advanceOnce(key, () => readTableRows(table, positions));
    if (!step.isReady) return { isReady: false, rowsRead: page.there, rows: page.there };
    this.#started.delete(selectionKey(runIds, request));
    return {
      ...page,
      rows: step.answer,
      next: request.from + step.answer.length,
      ...(runIds.length === 1 ? {} : { merged: { rows: table.lastRow, runIds } }),
    };
  }

  /** Works for some milliseconds on the selection, or answers with numbers of its rows. Throws as `readTable`. */
  selectNumbers(runIds: readonly string[], request: TableRequest): SelectedNumbers {
    const selected = this.#page(runIds, request);
    if (!selected.isReady) return selected;
    const { table, positions, there } = selected;
    this.#started.delete(selectionKey(runIds, request));
    const readRow = table.rowReader();
    return { isReady: true, numbers: positions.map((position) => readRow(position).number), there };
  }

  #page(runIds: readonly string[], request: TableRequest): Progress<PagePositions> {
    const { selection, from, count } = request;
    const opened = this.#open(runIds, request);
    if (!opened.isReady) return opened;
    const { table } = opened;
    if (isAllRows(selection)) return pageOfAllRows(table, request);
    const selected = this.#select(opened, selection);
    if (!selected.isReady) return selected;
    const { positions, there, ...summary } = selected;
    return {
      ...summary,
      table,
      there: table.resultsUpTo(there),
      total: positions.length,
      positions: positions.subarray(from - 1, from - 1 + count),
    };
  }

  /** While runs go on, a selection is finished as it was started, or as of an earlier answer. */
  #open(runIds: readonly string[], request: TableRequest): Progress<OpenTable> {
    const tables = runIds.map((runId) => new RowsOfRun(this.#batches, runId));
    const results = tables.reduce((sum, { lastResult }) => sum + lastResult, 0);
    if (tables.length === 1 && tables[0] !== undefined) {
      const [table] = tables;
      const last = isOrdered(request.selection)
        ? Math.min(this.#asOf(runIds, request, results), results)
        : results;
      return { isReady: true, table, last };
    }
    const rows = tables.reduce((sum, { lastRow }) => sum + lastRow, 0);
    const key = JSON.stringify([runIds, rows, this.#asOf(runIds, request, results)]);
    const step = this.#merged.advance(key, () => MergedRows.read(this.#batches, runIds));
    return step.isReady
      ? { isReady: true, table: step.answer, last: step.answer.lastResult }
      : { ...step, rows };
  }

  #asOf(runIds: readonly string[], request: TableRequest, results: number): number {
    if (request.asOf !== undefined) return request.asOf;
    const key = selectionKey(runIds, request);
    const started = this.#started.get(key) ?? results;
    this.#started.set(key, started);
    return started;
  }

  #select({ table, last }: OpenTable, selection: RowSelection): Progress<OrderedRows> {
    return isOrdered(selection) ? this.#order(table, selection, last) : this.#filter(table, selection, last);
  }

  /** The results that a run got since the last call are read, too. */
  #filter(table: TableRows, selection: RowSelection, last: number): Progress<OrderedRows> {
    const key = JSON.stringify([table.key, selection]);
    const scan = this.#scans.get(key) ?? new RowScan(table, selection);
    const step = stepFor(scan.read(last));
    this.#scans.set(key, scan);
    if (step.done !== true) return { isReady: false, rowsRead: step.value, rows: last };
    const { positions, there, leftOut } = scan;
    return { isReady: true, positions, there, leftOut };
  }

  #order(table: TableRows, selection: RowSelection, last: number): Progress<OrderedRows> {
    const key = JSON.stringify([table.key, selection, last]);
    const step = this.#ordered.advance(key, () => selectInOrder(table, { ...selection, last }));
    return step.isReady
      ? { isReady: true, ...step.answer }
      : { isReady: false, rowsRead: step.rowsRead, rows: last };
  }
}

/** Also the rows that have not run yet. */
function pageOfAllRows(
  table: TableRows,
  { from, count }: TableRequest,
): { readonly isReady: true } & PagePositions {
  const { lastRow } = table;
  const length = Math.max(0, Math.min(count, lastRow - from + 1));
  const positions = Uint32Array.from({ length }, (_, index) => from + index);
  const there = table.resultsUpTo(table.lastResult);
  return { isReady: true, table, total: lastRow, there, leftOut: 0, positions };
}

const selectionKey = (runIds: readonly string[], { selection }: Pick<TableRequest, 'selection'>): string =>
  JSON.stringify([runIds, selection]);

const isOrdered = ({ sort, groupBy }: RowSelection): boolean => sort !== undefined || groupBy !== undefined;

const isAllRows = (selection: RowSelection): boolean =>
  selection.conditions.length === 0 && !isOrdered(selection);

// Rows of a table as a page shows them: the beginning of each value.

/** Characters of one answer, all values together, and bytes that are read for it. */
const maxCharacters = 250_000;
const maxPageBytes = 8_000_000;
/** Rows that are read in the order in which they are stored, so that a batch of them is read once. */
const rowsAtOnce = 50;
/** A message may be as long as a page. */
const maxMessageLength = 1_000;

/** The rows at those positions; fewer where they are large. Each of them may be in another batch. */
function* readTableRows(table: TableRows, positions: Uint32Array): Steps<readonly SelectedRow[]> {
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
      if (rows.length > 0 && (characters > maxCharacters || bytes > maxPageBytes)) return rows;
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
    bytes: lineBytes(cursor.lineOf('input')) + lineBytes(cursor.lineOf('output')),
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

const lineBytes = (line: string | undefined): number => (line === undefined ? 0 : Buffer.byteLength(line));

const charactersOf = ({ input, output, failure }: SelectedRow): number =>
  [...input, ...output].reduce((sum, { name, text }) => sum + 50 + name.length + text.length, 50) +
  (failure?.message.length ?? 0);
