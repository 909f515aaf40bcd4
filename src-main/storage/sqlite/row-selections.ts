// Filtered, sorted and grouped rows of runs, a page at a time. The positions of the last few selections stay in memory, so that a
// page reads its own rows only.
import { LruMap } from '../../base/lru-map.ts';
import type { RowSelection } from '../../domain/query/row-selection.ts';
import type {
  ReadingRows,
  SelectedPositions,
  SelectedRow,
  TablePage,
  TableRequest,
} from '../../domain/query/table-page.ts';
import type { BatchQueries } from './batch-queries.ts';
import { ContinuedQueries, stepFor } from './continued-queries.ts';
import { readTableRows } from './read-table-rows.ts';
import { RowScan, selectInOrder, type OrderedRows } from './row-scan.ts';

/** The answer, or how far the run has been read. */
type Progress<Answer> = ReadingRows | ({ readonly isReady: true } & Answer);

/** The positions of a page. */
type PagePositions = OrderedRows & { readonly total: number };

const maxSelections = 8;
const maxBytes = 64_000_000;
const bytesOf = ({ positions }: OrderedRows): number => positions.byteLength;

export class RowSelections {
  readonly #batches: BatchQueries;
  /** By run and conditions. */
  readonly #scans = new LruMap<string, RowScan>({
    maxEntries: maxSelections,
    maxSize: maxBytes,
    sizeOf: bytesOf,
  });
  /** By run, selection and number of rows. */
  readonly #ordered = new ContinuedQueries<OrderedRows>({ maxQueries: maxSelections, maxBytes, bytesOf });
  /** Rows that a selection is read up to, by run and selection, where the client leaves that to the store. */
  readonly #started = new LruMap<string, number>({ maxEntries: maxSelections });
  /** Pages that are being read. */
  readonly #pages = new ContinuedQueries<readonly SelectedRow[]>({ maxQueries: maxSelections });

  constructor(batches: BatchQueries) {
    this.#batches = batches;
  }

  /** Works for some milliseconds on the selection, or reads a page of it. Throws `run_not_found`, `data_unreadable`. */
  readTable(runId: string, request: TableRequest): TablePage {
    const selected = this.#page(runId, request);
    if (!selected.isReady) return selected;
    const { positions, ...page } = selected;
    const key = JSON.stringify([runId, request]);
    // Rows of a running run change.
    const step = this.#pages.advanceOnce(key, () => readTableRows(this.#batches, runId, positions));
    if (!step.isReady) return { isReady: false, rowsRead: page.there, rows: page.there };
    this.#started.delete(selectionKey(runId, request));
    return { ...page, rows: step.answer, next: request.from + step.answer.length };
  }

  /** Works for some milliseconds on the selection, or answers with positions of its rows. Throws as `readTable`. */
  selectPositions(runId: string, request: TableRequest): SelectedPositions {
    const selected = this.#page(runId, request);
    if (!selected.isReady) return selected;
    const { positions, there } = selected;
    this.#started.delete(selectionKey(runId, request));
    return { isReady: true, positions: positions.slice(), there };
  }

  #page(runId: string, request: TableRequest): Progress<PagePositions> {
    const { selection, from, count } = request;
    if (isAllRows(selection)) return this.#pageOfAllRows(runId, request);
    const selected = this.#select(runId, request);
    if (!selected.isReady) return selected;
    const { positions, ...summary } = selected;
    const start = from - 1;
    return { ...summary, total: positions.length, positions: positions.subarray(start, start + count) };
  }

  /** Also the rows that have not run yet. */
  #pageOfAllRows(runId: string, { from, count }: TableRequest): Progress<PagePositions> {
    const { lastRow, lastResult } = this.#batches.extent(runId);
    const length = Math.max(0, Math.min(count, lastRow - from + 1));
    const positions = Uint32Array.from({ length }, (_, index) => from + index);
    return { isReady: true, total: lastRow, there: lastResult, leftOut: 0, positions };
  }

  #select(runId: string, request: TableRequest): Progress<OrderedRows> {
    const { selection, asOf } = request;
    const { lastResult } = this.#batches.extent(runId);
    const isOrdered = selection.sort !== undefined || selection.groupBy !== undefined;
    if (!isOrdered) return this.#filter(runId, selection, lastResult);
    if (asOf !== undefined) return this.#order(runId, selection, Math.min(asOf, lastResult));
    // While the run goes on, a selection is finished as it was started.
    const key = selectionKey(runId, request);
    const last = this.#started.get(key) ?? lastResult;
    this.#started.set(key, last);
    return this.#order(runId, selection, last);
  }

  /** The results that a run got since the last call are read, too. */
  #filter(runId: string, selection: RowSelection, last: number): Progress<OrderedRows> {
    const key = selectionKey(runId, { selection });
    const scan = this.#scans.get(key) ?? new RowScan(this.#batches, runId, selection);
    const step = stepFor(scan.read(last));
    this.#scans.set(key, scan);
    if (step.done !== true) return { isReady: false, rowsRead: step.value, rows: last };
    const { positions, there, leftOut } = scan;
    return { isReady: true, positions, there, leftOut };
  }

  #order(runId: string, selection: RowSelection, last: number): Progress<OrderedRows> {
    const key = JSON.stringify([runId, selection, last]);
    const step = this.#ordered.advance(key, () =>
      selectInOrder(this.#batches, runId, { ...selection, last }),
    );
    return step.isReady
      ? { isReady: true, ...step.answer }
      : { isReady: false, rowsRead: step.rowsRead, rows: last };
  }
}

const selectionKey = (runId: string, { selection }: Pick<TableRequest, 'selection'>): string =>
  JSON.stringify([runId, selection]);

const isAllRows = ({ conditions, sort, groupBy }: RowSelection): boolean =>
  conditions.length === 0 && sort === undefined && groupBy === undefined;
