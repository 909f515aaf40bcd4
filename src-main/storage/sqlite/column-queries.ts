// The columns of runs, and statistics of their values. Both read all rows of a run.
import type { Column } from '../../domain/query/column.ts';
import { fieldOf } from '../../domain/query/column.ts';
import { ColumnCollector, type ColumnStatistics } from '../../domain/query/column-statistics.ts';
import type { ReadingRows } from '../../domain/query/table-page.ts';
import type { BatchQueries } from './batch-queries.ts';
import { ContinuedQueries, type Steps } from './continued-queries.ts';
import { largeLine, LineCursor, parseLine, StepMeter, type Line } from './line-cursor.ts';

/** The answer, or how far the run has been read. */
type Progress<Answer> = ReadingRows | { readonly isReady: true; readonly answer: Answer };

/** Maximum columns that are found; more than any table shows. */
const maxColumns = 500;
/** Queries that are under way; those of statistics have about 16 bytes a row and column. */
const maxQueries = 4;

const groups = ['input', 'output'] as const;

export class ColumnQueries {
  readonly #batches: BatchQueries;
  readonly #columns = new ContinuedQueries<readonly Column[]>({ maxQueries });
  readonly #statistics = new ContinuedQueries<readonly ColumnStatistics[]>({ maxQueries });

  constructor(batches: BatchQueries) {
    this.#batches = batches;
  }

  /** Works for some milliseconds. Throws `run_not_found`, `data_unreadable`. */
  readColumns(runId: string): Progress<readonly Column[]> {
    const step = this.#columns.advanceOnce(runId, () => this.#collectColumns(runId));
    return step.isReady ? step : { ...step, rows: this.#rows(runId, 'input') + this.#rows(runId, 'output') };
  }

  /** Works for some milliseconds. Throws as `readColumns`. */
  readStatistics(runId: string, columns: readonly Column[]): Progress<readonly ColumnStatistics[]> {
    const key = JSON.stringify([runId, columns]);
    const step = this.#statistics.advanceOnce(key, () => this.#collectStatistics(runId, columns));
    if (step.isReady) return step;
    const read = groups.filter((of) => columns.some((column) => column.of === of));
    return { ...step, rows: read.reduce((sum, of) => sum + this.#rows(runId, of), 0) };
  }

  *#collectColumns(runId: string): Steps<readonly Column[]> {
    const found: Column[] = [];
    let rowsRead = 0;
    for (const of of groups) {
      const names = new Set<string>();
      rowsRead = yield* this.#readLines({ runId, of, rowsRead }, (line) => {
        const object = names.size < maxColumns ? parseLine(line) : undefined;
        if (object !== undefined) Object.keys(object).forEach((name) => names.add(name));
      });
      found.push(...[...names].map((name) => ({ of, name })));
    }
    return found.slice(0, maxColumns);
  }

  *#collectStatistics(runId: string, columns: readonly Column[]): Steps<readonly ColumnStatistics[]> {
    const all = columns.map((column) => new ColumnCollector(column));
    let rowsRead = 0;
    for (const of of groups) {
      const collectors = all.filter(({ column }) => column.of === of);
      if (collectors.length === 0) continue;
      rowsRead = yield* this.#readLines({ runId, of, rowsRead }, (line) => {
        const object = parseLine(line);
        for (const collector of collectors) {
          if (line === largeLine) collector.addLarge();
          else collector.add(fieldOf(object, collector.column.name));
        }
      });
    }
    return all.map((collector) => collector.result());
  }

  /** Reads the lines of a run in order, also those that it gets meanwhile. Returns the number of rows read so far. */
  *#readLines(
    { runId, of, rowsRead }: { readonly runId: string; readonly of: Column['of']; readonly rowsRead: number },
    collect: (line: Line) => void,
  ): Steps<number> {
    const cursor = LineCursor.over(this.#batches, runId, of);
    const meter = new StepMeter();
    let position = 0;
    for (let last = this.#rows(runId, of); position < last; last = this.#rows(runId, of))
      while (position < last) {
        position += 1;
        const line = cursor.lineAt(position);
        collect(line);
        if (meter.isDue(line)) yield rowsRead + position;
      }
    return rowsRead + position;
  }

  #rows(runId: string, of: Column['of']): number {
    const { lastRow, lastResult } = this.#batches.extent(runId);
    return of === 'input' ? lastRow : lastResult;
  }
}
