// Filtered, sorted and grouped rows of runs, a page at a time. The positions of the last few selections stay in memory, so that a
// page reads its own rows only.
import { LruMap } from '../../../base/lru-map.ts';
import type { RowSelection } from '../../../domain/query/row-selection.ts';
import type {
  LocatedRow,
  ReadProgress,
  SelectedNumbers,
  SelectedRow,
  StoredLocateRequest,
  StoredOverviewRequest,
  StoredTableRequest,
  TableOverview,
  TablePage,
} from '../../../domain/query/table-page.ts';
import type { BatchReads } from '../batch-queries.ts';
import { ContinuedQueries, stepFor } from './continued-queries.ts';
import { RowScan, selectInOrder, type OrderedRows } from '../row-scan.ts';
import { mergedRows, RowsOfRun, type MergedTable, type NodeIds, type TableRows } from './table-rows.ts';
import { readTableRows } from './shown-rows.ts';
import { TableIndex } from './table-index.ts';

/** The answer, or how far the run has been read. */
type Progress<Answer> = ReadProgress | ({ readonly isReady: true } & Answer);

/** The positions of a page. */
type PagePositions = OrderedRows & { readonly table: TableRows; readonly total: number };
/** A table with the position up to which conditions look at its rows. */
type OpenTable = { readonly table: TableRows; readonly last: number };

type SelectionRequest = Pick<StoredTableRequest, 'selection' | 'asOf' | 'nodeIds'>;

const maxSelections = 8;
const maxMerged = 4;
const maxBytes = 64_000_000;
const bytesOf = ({ positions }: OrderedRows): number => positions.byteLength;

export class RowSelections {
  readonly #batches: BatchReads;
  /** By runs, and their rows and results. */
  readonly #merged = new ContinuedQueries<MergedTable>({
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
  /** By table. */
  readonly #indexes = new LruMap<string, TableIndex>({
    maxEntries: maxSelections,
    maxSize: maxBytes,
    sizeOf: ({ bytes }) => bytes,
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
  readTable(runIds: readonly string[], request: StoredTableRequest): TablePage {
    const selected = this.#page(runIds, request);
    if (!selected.isReady) return selected;
    const { table, positions, ...page } = selected;
    const key = JSON.stringify([runIds, request]);
    // Rows of a running run change.
    const step = this.#pages.advanceOnce(key, () => readTableRows(table, positions, request));
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
  selectNumbers(runIds: readonly string[], request: StoredTableRequest): SelectedNumbers {
    const selected = this.#page(runIds, request);
    if (!selected.isReady) return selected;
    const { table, positions, there } = selected;
    this.#started.delete(selectionKey(runIds, request));
    const readRow = table.rowReader();
    return { isReady: true, numbers: positions.map((position) => readRow(position).number), there };
  }

  /** Works for some milliseconds on the selection, or answers with all its rows at once. Throws as `readTable`. */
  readOverview(runIds: readonly string[], request: StoredOverviewRequest): TableOverview {
    const indexed = this.#indexed(runIds, request);
    return indexed.isReady ? indexed.index.overview(indexed.order, request.pieces) : indexed;
  }

  /** Works for some milliseconds on the selection, or answers with the place of a row in it. Throws as `readTable`. */
  locateRow(runIds: readonly string[], request: StoredLocateRequest): LocatedRow {
    const indexed = this.#indexed(runIds, request);
    return indexed.isReady ? indexed.index.locate(indexed.order, request.target) : indexed;
  }

  #indexed(
    runIds: readonly string[],
    request: SelectionRequest & Pick<StoredOverviewRequest, 'hasSkipped'>,
  ): Progress<{ readonly index: TableIndex; readonly order: OrderedRows | undefined }> {
    const selected = this.#selected(runIds, request);
    if (!selected.isReady) return selected;
    const { table, order } = selected;
    const index = this.#indexes.get(table.key) ?? new TableIndex(table);
    const step = stepFor(index.read(request.hasSkipped));
    this.#indexes.set(table.key, index);
    if (step.done !== true) return { isReady: false, rowsRead: step.value, rows: table.lastResult };
    this.#started.delete(selectionKey(runIds, request));
    return { isReady: true, index, order };
  }

  #page(runIds: readonly string[], request: StoredTableRequest): Progress<PagePositions> {
    const { from, count } = request;
    const selected = this.#selected(runIds, request);
    if (!selected.isReady) return selected;
    const { table, order } = selected;
    if (order === undefined) return pageOfAllRows(table, request);
    const { positions, there, ...summary } = order;
    return {
      ...summary,
      isReady: true,
      table,
      there: table.resultsUpTo(there),
      total: positions.length,
      positions: positions.subarray(from - 1, from - 1 + count),
    };
  }

  /** The rows of a selection in its order; `order` is undefined for all rows by position. */
  #selected(
    runIds: readonly string[],
    request: SelectionRequest,
  ): Progress<{ readonly table: TableRows; readonly order: OrderedRows | undefined }> {
    const { selection, nodeIds } = request;
    const opened = this.#open(runIds, request);
    if (!opened.isReady) return opened;
    const { table } = opened;
    if (isAllRows(selection)) return { isReady: true, table, order: undefined };
    const selected = isOrdered(selection)
      ? this.#order(opened, selection, nodeIds)
      : this.#filter(opened, selection, nodeIds);
    return selected.isReady ? { isReady: true, table, order: selected } : selected;
  }

  /** While runs go on, a selection is finished as it was started, or as of an earlier answer. */
  #open(runIds: readonly string[], request: SelectionRequest): Progress<OpenTable> {
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
    const step = this.#merged.advance(key, () => mergedRows(this.#batches, runIds));
    return step.isReady
      ? { isReady: true, table: step.answer, last: step.answer.lastResult }
      : { ...step, rows };
  }

  #asOf(runIds: readonly string[], request: SelectionRequest, results: number): number {
    if (request.asOf !== undefined) return request.asOf;
    const key = selectionKey(runIds, request);
    const started = this.#started.get(key) ?? results;
    this.#started.set(key, started);
    return started;
  }

  /** The results that a run got since the last call are read, too. */
  #filter({ table, last }: OpenTable, selection: RowSelection, nodeIds?: NodeIds): Progress<OrderedRows> {
    const key = JSON.stringify([table.key, selection]);
    const scan = this.#scans.get(key) ?? new RowScan(table, selection, nodeIds);
    const step = stepFor(scan.read(last));
    this.#scans.set(key, scan);
    if (step.done !== true) return { isReady: false, rowsRead: step.value, rows: last };
    const { positions, there, leftOut } = scan;
    return { isReady: true, positions, there, leftOut };
  }

  #order({ table, last }: OpenTable, selection: RowSelection, nodeIds?: NodeIds): Progress<OrderedRows> {
    const key = JSON.stringify([table.key, selection, last]);
    const options = { ...selection, last, ...(nodeIds && { nodeIds }) };
    const step = this.#ordered.advance(key, () => selectInOrder(table, options));
    return step.isReady
      ? { isReady: true, ...step.answer }
      : { isReady: false, rowsRead: step.rowsRead, rows: last };
  }
}

/** Also the rows that have not run yet. */
function pageOfAllRows(
  table: TableRows,
  { from, count }: Pick<StoredTableRequest, 'from' | 'count'>,
): { readonly isReady: true } & PagePositions {
  const { lastRow } = table;
  const length = Math.max(0, Math.min(count, lastRow - from + 1));
  const positions = Uint32Array.from({ length }, (_, index) => from + index);
  const there = table.resultsUpTo(table.lastResult);
  return { isReady: true, table, total: lastRow, there, leftOut: 0, positions };
}

const selectionKey = (
  runIds: readonly string[],
  { selection }: Pick<StoredTableRequest, 'selection'>,
): string => JSON.stringify([runIds, selection]);

const isOrdered = ({ sort, groupBy }: RowSelection): boolean => sort !== undefined || groupBy !== undefined;

const isAllRows = (selection: RowSelection): boolean =>
  selection.conditions.length === 0 && !isOrdered(selection);
