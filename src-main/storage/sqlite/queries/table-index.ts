// All rows of a table at once: how each ended and how long it took. Memory: 5 bytes a row.
import { firstAtLeast } from '../../../domain/query/value-counts.ts';
import type { LocatedRow, LocateRequest, TableOverview } from '../../../domain/query/table-page.ts';
import { rowFilters, type RowFilter, type RowState } from '../../../domain/run/row-state.ts';
import { RowIndex } from '../../../domain/run/row-index.ts';
import type { OrderedRows } from '../row-scan.ts';
import type { Steps } from './continued-queries.ts';
import type { TableRows } from './table-rows.ts';

/** Rows between two steps. */
const rowsAtOnce = 2_000;

/** Rows of a selection in their order; undefined: all rows by position. */
type Order = Pick<OrderedRows, 'positions'> | undefined;

export class TableIndex {
  readonly #table: TableRows;
  readonly #index = new RowIndex();

  constructor(table: TableRows) {
    this.#table = table;
  }

  /** Memory, about. */
  get bytes(): number {
    return 5 * this.#index.rows;
  }

  /** Reads the rows that have ended since the last call. Throws `data_unreadable`. */
  *read(hasSkipped: boolean): Steps<void> {
    const last = this.#table.lastResult;
    const readRow = this.#table.rowReader();
    while (this.#index.rows < last) {
      const first = this.#index.rows + 1;
      const end = Math.min(last + 1, first + rowsAtOnce);
      const states: (RowState | undefined)[] = [];
      const skipped: number[] = [];
      for (let position = first; position < end; position += 1) {
        const row = readRow(position);
        states.push(row.result);
        if (hasSkipped && row.hasSkippedNode) skipped.push(position);
      }
      this.#index.add(states);
      for (const position of skipped) this.#index.markSkipped(position);
      yield this.#index.rows;
    }
  }

  /** @param pieces maximum pieces of the strip */
  overview(order: Order, pieces: number): Extract<TableOverview, { readonly isReady: true }> {
    const { slowMs } = this.#index;
    const total = order?.positions.length ?? this.#table.lastRow;
    const rowsPerPiece = Math.max(1, Math.ceil(total / pieces));
    const counts = rowFilters.map((only) => [only, this.#index.positions(only).length] as const);
    return {
      isReady: true,
      counts: {
        ...(Object.fromEntries(counts) as Record<RowFilter, number>),
        unfinished: this.#index.unfinished,
      },
      slowMs: slowMs ?? null,
      total,
      rowsPerPiece,
      pieces: this.#index
        .minimap(total, rowsPerPiece, order?.positions)
        .map(({ failed, slow, rows, meanMicros }) => [failed, slow, rows, Math.round(meanMicros) / 1000]),
    };
  }

  locate(order: Order, target: LocateRequest['target']): Extract<LocatedRow, { readonly isReady: true }> {
    const index = 'row' in target ? this.#indexOf(order, target.row) : this.#nextFailed(order, target);
    return { isReady: true, index: index ?? null };
  }

  /** @returns from 1 */
  #indexOf(order: Order, number: number): number | undefined {
    const position = this.#positionOf(number);
    if (position === undefined || order === undefined) return position;
    const found = order.positions.indexOf(position);
    return found < 0 ? undefined : found + 1;
  }

  /** Numbers of rows rise with their positions. */
  #positionOf(number: number): number | undefined {
    const readRow = this.#table.rowReader();
    const numbers = { length: this.#table.lastRow, at: (index: number) => readRow(index + 1).number };
    const index = firstAtLeast(numbers, number);
    return index < numbers.length && numbers.at(index) === number ? index + 1 : undefined;
  }

  #nextFailed(
    order: Order,
    { failedFrom, step }: Extract<LocateRequest['target'], { readonly failedFrom: number }>,
  ): number | undefined {
    const total = order?.positions.length ?? this.#index.rows;
    for (let index = failedFrom + step; index >= 1 && index <= total; index += step) {
      const position = order === undefined ? index : order.positions[index - 1]!;
      if (this.#index.state(position).state === 'failed') return index;
    }
    return undefined;
  }
}
