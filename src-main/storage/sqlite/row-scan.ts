// Finds the rows of a selection. Memory: four bytes a row of the selection, and while it is sorted or grouped, that of
// `SelectedOrder` and eight bytes more.
import type { JsonValue } from '../../base/json-value.ts';
import { fieldOf, type Column } from '../../domain/query/column.ts';
import { testOf, largeObject } from '../../domain/query/row-test.ts';
import type { RowSelection, SortColumn } from '../../domain/query/row-selection.ts';
import { SelectedOrder } from '../../domain/query/selected-order.ts';
import type { RowGroup } from '../../domain/query/table-page.ts';
import { previewValue } from '../../domain/rows/preview-row.ts';
import { rowStates, type RowState } from '../../domain/run/row-state.ts';
import type { Steps } from './queries/continued-queries.ts';
import { StepMeter } from './line-cursor.ts';
import type { RowCursor } from './row-cursor.ts';
import type { NodeIds, TableRows } from './queries/table-rows.ts';

/** The rows of a selection as far as the run has been read. */
export type OrderedRows = {
  /** In the order of the selection. */
  readonly positions: Uint32Array;
  /** Position up to which rows were looked at. */
  readonly there: number;
  /** Rows that cannot be looked into: they are too large, or have no trace. */
  readonly leftOut: number;
  readonly groups?: readonly RowGroup[];
};

/** Maximum groups that are described. */
const maxGroups = 1_000;

/** The rows that fulfil the conditions, by position. */
export class RowScan implements OrderedRows {
  readonly #table: TableRows;
  readonly #nodeIds: NodeIds | undefined;
  readonly #test: ReturnType<typeof testOf>;
  /** Rows of a chain that no attempt has run are unfinished, too. */
  readonly #takesUnfinished: boolean;
  #positions = new Uint32Array(1_024);
  #length = 0;
  there = 0;
  leftOut = 0;

  /** @param nodeIds of each run of the table; needed for conditions on nodes */
  constructor(table: TableRows, { conditions }: RowSelection, nodeIds?: NodeIds) {
    this.#table = table;
    this.#nodeIds = nodeIds;
    this.#test = testOf(conditions);
    this.#takesUnfinished = conditions.some(
      (condition) => condition.of === 'state' && condition.states.includes('unfinished'),
    );
  }

  get positions(): Uint32Array {
    return this.#positions.subarray(0, this.#length);
  }

  /**
   * Looks at the next rows up to a position. Throws `data_unreadable`.
   * @param onSelected called for each row that fulfils the conditions
   */
  *read(last: number, onSelected?: (row: RowCursor) => void): Steps<void> {
    const readRow = this.#table.rowReader(this.#nodeIds);
    const meter = new StepMeter();
    while (this.there < last) {
      const row = readRow(this.there + 1);
      const isSelected = row.hasResult || this.#takesUnfinished ? this.#test(row) : false;
      if (isSelected === undefined) this.leftOut += 1;
      if (isSelected === true) {
        this.#push(this.there + 1);
        onSelected?.(row);
      }
      this.there += 1;
      if (meter.isDueAfter(row.charactersRead)) yield this.there;
    }
  }

  #push(position: number): void {
    if (this.#length === this.#positions.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#positions);
      this.#positions = larger;
    }
    this.#positions[this.#length] = position;
    this.#length += 1;
  }
}

/** Reads a run up to a position, then brings the rows into the selection's order. Throws `data_unreadable`. */
export function* selectInOrder(
  table: TableRows,
  { last, nodeIds, ...selection }: RowSelection & { readonly last: number; readonly nodeIds?: NodeIds },
): Steps<OrderedRows> {
  const { sort, groupBy } = selection;
  const scan = new RowScan(table, selection, nodeIds);
  const collected = new SelectedOrder(selection);
  yield* scan.read(last, (row) =>
    collected.add(sort && sortedValue(row, sort.column), groupBy && valueIn(row, groupBy)),
  );
  const { there, leftOut, positions: found } = scan;
  const ordering = collected.order(maxGroups);
  let step = ordering.next();
  for (; step.done !== true; step = ordering.next()) yield there;
  const { indexes, groups } = step.value;
  const positions = indexes.map((index) => found[index]!);
  if (groupBy === undefined) return { positions, there, leftOut };
  const readRow = table.rowReader();
  const described: RowGroup[] = [];
  for (const { start, end, hasValue } of groups) {
    const row = readRow(positions[start]!);
    const value = hasValue ? valueIn(row, groupBy) : undefined;
    described.push({
      ...(value === undefined ? {} : { value: previewValue(value) }),
      rows: end - start,
      from: start + 1,
    });
    yield there;
  }
  return { positions, there, leftOut, groups: described };
}

function sortedValue(row: RowCursor, column: SortColumn): JsonValue | undefined {
  if (column === 'took') return row.ms;
  return column === 'state' ? rankOf(row.state) : valueIn(row, column);
}

/** A row that is too large to be looked into counts as one without the value. */
function valueIn(row: RowCursor, { of, name }: Column): JsonValue | undefined {
  const object = row.objectOf(of);
  return object === largeObject ? undefined : fieldOf(object, name);
}

const rankOf = (state: RowState['state'] | undefined): number | undefined =>
  state === undefined ? undefined : rowStates.indexOf(state);
