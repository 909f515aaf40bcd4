// The order of an export's rows. The rows are read as often as is needed to bring them into order, some megabytes of them at a
// time. Memory: those megabytes, and about 25 bytes a row.
import { runInPieces } from '../../base/event-loop-yield.ts';
import type { JsonValue } from '../../base/json-value.ts';
import { fieldOf, type Column } from '../../domain/query/column.ts';
import type { RowSelection, SortColumn } from '../../domain/query/row-selection.ts';
import { SelectedOrder } from '../../domain/query/selected-order.ts';
import { NumberList } from '../../domain/query/value-counts.ts';
import type { ExportRow } from '../../domain/rows/export/export-columns.ts';
import { rowStates } from '../../domain/run/row-state.ts';
import type { ResultRow } from './latest-rows.ts';

/** Maximum bytes of rows that are in memory at a time. */
const maxChunkBytes = 64_000_000;

export class ExportOrder {
  readonly #selection: Pick<RowSelection, 'sort' | 'groupBy'>;
  readonly #order: SelectedOrder;
  readonly #sizes = new NumberList();
  readonly #maxBytes: number;

  constructor({ sort, groupBy }: Pick<RowSelection, 'sort' | 'groupBy'>, maxBytes = maxChunkBytes) {
    this.#selection = { sort, groupBy };
    this.#order = new SelectedOrder({ conditions: [], sort, groupBy });
    this.#maxBytes = maxBytes;
  }

  add(row: ExportRow, bytes: number): void {
    const { sort, groupBy } = this.#selection;
    this.#order.add(sort && sortedValue(row, sort.column), groupBy && valueIn(row, groupBy));
    this.#sizes.push(bytes);
  }

  /** The rows that were added, in order. @param read reads them again, in the order in which they were added */
  async *arrange(read: () => AsyncGenerator<ResultRow>): AsyncGenerator<ResultRow> {
    const { indexes } = await runInPieces(this.#order.order(0));
    const ranks = new Uint32Array(indexes.length);
    for (const [rank, index] of indexes.entries()) ranks[index] = rank;
    for (let start = 0; start < indexes.length;) {
      const end = this.#chunkEnd(indexes, start);
      const chunk: ResultRow[] = [];
      let [index, missing] = [0, end - start];
      for await (const row of read()) {
        const rank = ranks[index] ?? end;
        index += 1;
        if (rank < start || rank >= end) continue;
        chunk[rank - start] = copyOf(row);
        missing -= 1;
        if (missing === 0) break;
      }
      yield* chunk;
      start = end;
    }
  }

  #chunkEnd(indexes: Uint32Array, start: number): number {
    let bytes = 0;
    let end = start;
    while (end < indexes.length && (end === start || bytes < this.#maxBytes)) {
      bytes += this.#sizes.at(indexes[end]!);
      end += 1;
    }
    return end;
  }
}

function sortedValue(row: ExportRow, column: SortColumn): JsonValue | undefined {
  if (column === 'took') return row.ms;
  return column === 'state' ? rowStates.indexOf(stateOf(row)) : valueIn(row, column);
}

const stateOf = ({ output }: ExportRow): 'done' | 'failed' => (output === undefined ? 'failed' : 'done');

const valueIn = (row: ExportRow, { of, name }: Column): JsonValue | undefined => fieldOf(row[of], name);

/** A row without the memory of its batch. */
const copyOf = ({ input, output, ...row }: ResultRow): ResultRow => ({
  ...row,
  output: new Uint8Array(output),
  ...(input === undefined ? {} : { input: new Uint8Array(input) }),
});
