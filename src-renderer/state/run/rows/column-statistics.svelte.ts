// Statistics of the visible columns, fetched a few columns at a time. Columns that leave the view are not fetched, and the
// server stops reading the run for them.
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import {
  columnText,
  maxStatisticsColumns,
  type Call,
  type Column,
  type ColumnStatistics,
  type ReadProgress,
  type TableRowsInput,
} from '#contract';
import { readStatistics } from '../read-statistics.ts';

/** Columns of one call: few enough that the first heads are soon filled. */
const columnsAtOnce = 4;
/** Delay before a call, so that columns that only pass by are not fetched, in ms. */
const delayMs = 150;

type StatisticsDeps = {
  readonly call: Call;
  readonly rows: TableRowsInput;
  readonly onProblem: (error: unknown) => void;
};

export class StatisticsLoader {
  readonly #deps: StatisticsDeps;
  readonly #known = new SvelteMap<string, ColumnStatistics>();
  /** Keys of columns whose statistics may have changed. */
  readonly #stale = new SvelteSet<string>();
  #visible: readonly Column[] = [];
  #reading = $state.raw<{ readonly keys: readonly string[]; readonly progress: ReadProgress }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFetching = false;
  #isClosed = false;

  constructor(deps: StatisticsDeps) {
    this.#deps = deps;
  }

  of(column: Column): ColumnStatistics | undefined {
    return this.#known.get(columnText(column));
  }

  /** How far the run has been read for the column; undefined unless that takes longer than a moment. */
  progressOf(column: Column): ReadProgress | undefined {
    return this.#reading?.keys.includes(columnText(column)) === true ? this.#reading.progress : undefined;
  }

  /** Sets the visible columns; those without statistics are fetched soon. */
  show(columns: readonly Column[]): void {
    this.#visible = columns;
    this.#schedule();
  }

  /** Those of the columns that have a value in a row. Throws the server's error. */
  async withValues(columns: readonly Column[]): Promise<readonly Column[]> {
    const { call, rows } = this.#deps;
    const unknown = columns.filter((column) => {
      const key = columnText(column);
      return !this.#known.has(key) || this.#stale.has(key);
    });
    for (let at = 0; at < unknown.length; at += maxStatisticsColumns) {
      const some = unknown.slice(at, at + maxStatisticsColumns);
      const found = await readStatistics(
        call,
        { ...rows, columns: some },
        { isNeeded: () => !this.#isClosed },
      );
      for (const statistics of found ?? []) this.#known.set(columnText(statistics.column), statistics);
    }
    return columns.filter((column) => (this.of(column)?.filled ?? 1) > 0);
  }

  /** To be called when the run has more rows: what is known stays until newer statistics arrive. */
  refresh(): void {
    for (const key of this.#known.keys()) this.#stale.add(key);
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #missing(): readonly string[] {
    return this.#visible
      .map(columnText)
      .filter((key) => !this.#known.has(key) || this.#stale.has(key))
      .slice(0, columnsAtOnce);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed && !this.#isFetching) this.#timer = setTimeout(() => void this.#fetchAll(), delayMs);
  }

  async #fetchAll(): Promise<void> {
    this.#isFetching = true;
    try {
      for (let keys = this.#missing(); keys.length > 0 && !this.#isClosed; keys = this.#missing())
        await this.#fetch(keys);
    } catch (error) {
      if (!this.#isClosed) this.#deps.onProblem(error);
    } finally {
      this.#isFetching = false;
    }
  }

  async #fetch(keys: readonly string[]): Promise<void> {
    const { call, rows } = this.#deps;
    const columns = this.#visible.filter((column) => keys.includes(columnText(column)));
    const stale = keys.filter((key) => this.#stale.delete(key));
    const isVisible = (): boolean => this.#visible.some((column) => keys.includes(columnText(column)));
    try {
      const found = await readStatistics(
        call,
        { ...rows, columns },
        {
          isNeeded: () => !this.#isClosed && isVisible(),
          onProgress: (progress) => (this.#reading = { keys, progress }),
        },
      );
      if (found === undefined) for (const key of stale) this.#stale.add(key);
      for (const statistics of found ?? []) this.#known.set(columnText(statistics.column), statistics);
    } finally {
      this.#reading = undefined;
    }
  }
}
