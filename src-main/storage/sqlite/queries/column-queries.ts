// The columns of runs, and statistics of their values. Both read all rows of a run.
import type { Column } from '../../../domain/query/column.ts';
import { fieldOf } from '../../../domain/query/column.ts';
import { ColumnCollector, type ColumnStatistics } from '../../../domain/query/column-statistics.ts';
import type { ReadProgress } from '../../../domain/query/table-page.ts';
import { namesInOrder } from '../../../domain/rows/name-order.ts';
import type { BatchReads } from '../batch-queries.ts';
import { ContinuedQueries, type Steps } from './continued-queries.ts';
import { largeLine, parseLine, StepMeter, type Line } from '../line-cursor.ts';
import { openTable, RowsOfRun, type TableRows } from './table-rows.ts';

/** The answer, or how far the run has been read. */
type Progress<Answer> = ReadProgress | { readonly isReady: true; readonly answer: Answer };

/** Maximum columns that are found; more than any table shows. */
const maxColumns = 500;
/** Queries that are under way; those of statistics have about 16 bytes a row and column. */
const maxQueries = 4;

const groups = ['input', 'output'] as const;

export class ColumnQueries {
  readonly #batches: BatchReads;
  readonly #columns = new ContinuedQueries<readonly Column[]>({ maxQueries });
  readonly #statistics = new ContinuedQueries<readonly ColumnStatistics[]>({ maxQueries });

  constructor(batches: BatchReads) {
    this.#batches = batches;
  }

  /** Works for some milliseconds. Throws `run_not_found`, `data_unreadable`. @param runIds as `openTable` */
  readColumns(runIds: readonly string[]): Progress<readonly Column[]> {
    const step = this.#columns.advanceOnce(JSON.stringify(runIds), () => this.#collectColumns(runIds));
    return step.isReady
      ? step
      : { ...step, rows: this.#rows(runIds, 'input') + this.#rows(runIds, 'output') };
  }

  /** Works for some milliseconds. Throws as `readColumns`. */
  readStatistics(
    runIds: readonly string[],
    columns: readonly Column[],
  ): Progress<readonly ColumnStatistics[]> {
    const key = JSON.stringify([runIds, columns]);
    const step = this.#statistics.advanceOnce(key, () => this.#collectStatistics(runIds, columns));
    if (step.isReady) return step;
    const read = groups.filter((of) => columns.some((column) => column.of === of));
    return { ...step, rows: read.reduce((sum, of) => sum + this.#rows(runIds, of), 0) };
  }

  *#collectColumns(runIds: readonly string[]): Steps<readonly Column[]> {
    const table = yield* openTable(this.#batches, runIds);
    const found: Column[] = [];
    let rowsRead = 0;
    for (const of of groups) {
      const names = new Set<string>();
      rowsRead = yield* readLines(table, { of, rowsRead }, (line) => {
        const object = names.size < maxColumns ? parseLine(line) : undefined;
        if (object !== undefined) namesInOrder(object).forEach((name) => names.add(name));
      });
      for (const name of names) found.push({ of, name });
    }
    return found.slice(0, maxColumns);
  }

  *#collectStatistics(
    runIds: readonly string[],
    columns: readonly Column[],
  ): Steps<readonly ColumnStatistics[]> {
    const table = yield* openTable(this.#batches, runIds);
    const all = columns.map((column) => new ColumnCollector(column));
    let rowsRead = 0;
    for (const of of groups) {
      const collectors = all.filter(({ column }) => column.of === of);
      if (collectors.length === 0) continue;
      rowsRead = yield* readLines(table, { of, rowsRead }, (line) => {
        const object = parseLine(line);
        for (const collector of collectors) {
          if (line === largeLine) collector.addLarge();
          else collector.add(fieldOf(object, collector.column.name));
        }
      });
    }
    return all.map((collector) => collector.result());
  }

  #rows(runIds: readonly string[], of: Column['of']): number {
    return runIds.reduce((sum, runId) => sum + lastOf(new RowsOfRun(this.#batches, runId), of), 0);
  }
}

const lastOf = (table: TableRows, of: Column['of']): number =>
  of === 'input' ? table.lastRow : table.lastResult;

/** Reads the lines of a table in order, also those that a run gets meanwhile. Returns the number of rows read so far. */
function* readLines(
  table: TableRows,
  { of, rowsRead }: { readonly of: Column['of']; readonly rowsRead: number },
  collect: (line: Line) => void,
): Steps<number> {
  const lineAt = table.lineReader(of);
  const meter = new StepMeter();
  let position = 0;
  for (let last = lastOf(table, of); position < last; last = lastOf(table, of))
    while (position < last) {
      position += 1;
      const line = lineAt(position);
      // A row of merged runs may have no result yet.
      if (line !== undefined) collect(line);
      if (meter.isDue(line)) yield rowsRead + position;
    }
  return rowsRead + position;
}
