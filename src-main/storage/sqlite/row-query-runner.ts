// Questions over all rows of a run. Each is answered in steps of some milliseconds, so that other reads of the thread run in
// between.
import { invariant } from '../../base/invariant.ts';
import { fieldOf, type Column } from '../../domain/query/column.ts';
import { ColumnCollector, type ColumnStatistics } from '../../domain/query/column-statistics.ts';
import type { ComparisonPage, ComparisonRequest } from '../../domain/query/compare-runs.ts';
import type { BatchQueries } from './batch-queries.ts';
import { largeLine, LineCursor, parseLine, stepMs, StepMeter, type Line } from './line-cursor.ts';
import type { RunComparisons } from './run-comparisons.ts';

/** The answers by the kind of query. */
export type RowAnswers = {
  readonly columns: readonly Column[];
  readonly statistics: readonly ColumnStatistics[];
  readonly comparisonPage: ComparisonPage;
};

export type RunDataQuery =
  | { readonly kind: 'columns'; readonly runId: string }
  | { readonly kind: 'statistics'; readonly runId: string; readonly columns: readonly Column[] }
  | { readonly kind: 'comparisonPage'; readonly request: ComparisonRequest };

export type QueryStep = {
  /** Rows that have been read. */
  readonly rows: number;
  /** Absent: the query is not finished. */
  readonly answer?: RowAnswers[keyof RowAnswers];
};

/** A running query: it yields the number of rows read so far. */
type Steps<Answer> = Generator<number, Answer, undefined>;

/** Maximum columns that are found; more than any table shows. */
const maxColumns = 500;

export class RowQueryRunner {
  readonly #batches: BatchQueries;
  readonly #running = new Map<number, Steps<RowAnswers[keyof RowAnswers]>>();
  readonly #comparisons: RunComparisons;
  #lastId = 0;

  constructor(batches: BatchQueries, comparisons: RunComparisons) {
    this.#batches = batches;
    this.#comparisons = comparisons;
  }

  /** Starts a query and returns its number. Throws `run_not_found` in its first step. */
  beginQuery(query: RunDataQuery): number {
    const id = (this.#lastId += 1);
    this.#running.set(id, this.#steps(query));
    return id;
  }

  /** Works on a query for some milliseconds. After an answer or an error, the query is gone. Throws `data_unreadable`. */
  continueQuery(id: number): QueryStep {
    const steps = this.#running.get(id);
    invariant(steps !== undefined, 'a query is continued until it ends');
    const endMs = performance.now() + stepMs;
    try {
      for (;;) {
        const step = steps.next();
        if (step.done === true) {
          this.#running.delete(id);
          return { rows: 0, answer: step.value };
        }
        if (performance.now() >= endMs) return { rows: step.value };
      }
    } catch (error) {
      this.#running.delete(id);
      throw error;
    }
  }

  #steps(query: RunDataQuery): Steps<RowAnswers[keyof RowAnswers]> {
    switch (query.kind) {
      case 'columns':
        return this.#columns(query.runId);
      case 'statistics':
        return this.#statistics(query.runId, query.columns);
      case 'comparisonPage':
        return this.#comparisons.page(query.request);
    }
  }

  *#columns(runId: string): Steps<readonly Column[]> {
    const found: Column[] = [];
    for (const of of ['input', 'output'] as const) {
      const names = yield* this.#names(runId, of);
      found.push(...[...names].map((name) => ({ of, name })));
    }
    return found.slice(0, maxColumns);
  }

  *#names(runId: string, of: Column['of']): Steps<ReadonlySet<string>> {
    const names = new Set<string>();
    for (const { line, position, isStep } of this.#lines(runId, of)) {
      const object = names.size < maxColumns ? parseLine(line) : undefined;
      if (object !== undefined) Object.keys(object).forEach((name) => names.add(name));
      if (isStep) yield position;
    }
    return names;
  }

  *#statistics(runId: string, columns: readonly Column[]): Steps<readonly ColumnStatistics[]> {
    const collectors = columns.map((column) => new ColumnCollector(column));
    for (const of of ['input', 'output'] as const)
      yield* this.#collect(
        runId,
        of,
        collectors.filter(({ column }) => column.of === of),
      );
    return collectors.map((collector) => collector.result());
  }

  *#collect(runId: string, of: Column['of'], collectors: readonly ColumnCollector[]): Steps<void> {
    if (collectors.length === 0) return;
    for (const { line, position, isStep } of this.#lines(runId, of)) {
      const object = parseLine(line);
      for (const collector of collectors) {
        if (line === largeLine) collector.addLarge();
        else collector.add(fieldOf(object, collector.column.name));
      }
      if (isStep) yield position;
    }
  }

  /** The lines of a run in order. `isStep`: it is time to look at the clock. */
  *#lines(runId: string, of: Column['of']): Generator<{ line: Line; position: number; isStep: boolean }> {
    const { lastRow, lastResult } = this.#batches.extent(runId);
    const cursor = LineCursor.over(this.#batches, runId, of);
    const rows = of === 'input' ? lastRow : lastResult;
    const meter = new StepMeter();
    for (let position = 1; position <= rows; position += 1) {
      const line = cursor.lineAt(position);
      yield { line, position, isStep: meter.isDue(line) };
    }
  }
}
