// Statistics of the visible columns, fetched a few columns at a time. Columns that leave the view before their turn are
// not fetched.
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { columnText, type Call, type Column, type ColumnStatistics } from '#contract';

/** Columns of one call: few enough that the first heads are soon filled. */
const columnsAtOnce = 4;
/** Delay before a call, so that columns that only pass by are not fetched, in ms. */
const delayMs = 150;

type StatisticsDeps = {
  readonly call: Call;
  readonly runId: string;
  readonly onProblem: (error: unknown) => void;
};

export class StatisticsLoader {
  readonly #deps: StatisticsDeps;
  readonly #known = new SvelteMap<string, ColumnStatistics>();
  /** Keys of columns whose statistics may have changed. */
  readonly #stale = new SvelteSet<string>();
  #visible: readonly Column[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFetching = false;
  #isClosed = false;

  constructor(deps: StatisticsDeps) {
    this.#deps = deps;
  }

  of(column: Column): ColumnStatistics | undefined {
    return this.#known.get(columnText(column));
  }

  /** Sets the visible columns; those without statistics are fetched soon. */
  show(columns: readonly Column[]): void {
    this.#visible = columns;
    this.#schedule();
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

  #missing(): readonly Column[] {
    return this.#visible
      .filter((column) => {
        const key = columnText(column);
        return !this.#known.has(key) || this.#stale.has(key);
      })
      .slice(0, columnsAtOnce);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed && !this.#isFetching) this.#timer = setTimeout(() => void this.#fetch(), delayMs);
  }

  async #fetch(): Promise<void> {
    this.#isFetching = true;
    try {
      for (let columns = this.#missing(); columns.length > 0 && !this.#isClosed; columns = this.#missing()) {
        for (const column of columns) this.#stale.delete(columnText(column));
        const { call, runId } = this.#deps;
        for (const statistics of await call('run.statistics', { runId, columns }))
          this.#known.set(columnText(statistics.column), statistics);
      }
    } catch (error) {
      if (!this.#isClosed) this.#deps.onProblem(error);
    } finally {
      this.#isFetching = false;
    }
  }
}
