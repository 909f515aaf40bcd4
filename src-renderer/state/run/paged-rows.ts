// Rows of a long list, fetched a page at a time as they come into sight. One request is under way at a time, always for
// the rows that are in sight by then: a fast scroll fetches the rows where it ends, and not those that it passes.
// INVARIANT: a page holds the rows from its start on without a gap; those that it lacks did not exist when it was fetched.
import type { RowWindow } from '#contract';

type PagedRowsOptions<Row> = {
  /** Fetches rows from a place of the list on, counted from 1. */
  readonly fetch: (from: number, count: number) => Promise<RowWindow<Row>>;
  readonly onChange: () => void;
  /** Called once for a failure, however often the request is repeated. */
  readonly onProblem: (error: unknown) => void;
  readonly pageRows?: number;
  /** Delay after a failed request, in ms. */
  readonly retryMs?: number;
};

type Page<Row> = {
  readonly rows: readonly Row[];
  /** The page was not full, and there may be more rows by now. */
  readonly isStale: boolean;
};

export const defaultPageRows = 100;
/** 3,000 rows: a page that the user scrolls back to soon is still there. */
const maxPages = 30;
const defaultRetryMs = 5_000;

export class PagedRows<Row> {
  readonly #options: PagedRowsOptions<Row>;
  readonly #pageRows: number;
  readonly #pages = new Map<number, Page<Row>>();
  #inSight: readonly [first: number, end: number] = [0, 0];
  #isFetching = false;
  #hasFailed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: PagedRowsOptions<Row>) {
    this.#options = options;
    this.#pageRows = options.pageRows ?? defaultPageRows;
  }

  /** The row at that place of the list, from 0; undefined while it is not loaded. */
  at(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / this.#pageRows))?.rows[index % this.#pageRows];
  }

  /** Fetches what is missing of the rows in sight, from `first` up to but not including `end`. */
  show(first: number, end: number): void {
    this.#inSight = [first, end];
    void this.#fetchMissing();
  }

  /** There may be more rows than before: pages that were not full are fetched again once they are in sight. */
  grow(): void {
    for (const [page, { rows }] of this.#pages)
      if (rows.length < this.#pageRows) this.#pages.set(page, { rows, isStale: true });
    void this.#fetchMissing();
  }

  /** Repeats a failed request at once, for a server that answers again. */
  retry(): void {
    clearTimeout(this.#retry);
    void this.#fetchMissing();
  }

  /** Sends no further request, and ignores the one under way. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  async #fetchMissing(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      for (let page = this.#missing(); page !== undefined && !this.#isClosed; page = this.#missing()) {
        const rows = await this.#fetch(page);
        if (this.#isClosed) return;
        this.#hasFailed = false;
        this.#keep(page, { rows, isStale: false });
        this.#options.onChange();
      }
    } catch (error) {
      if (!this.#isClosed) this.#fail(error);
    } finally {
      this.#isFetching = false;
    }
  }

  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#options.onProblem(error);
    this.#hasFailed = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#fetchMissing(), this.#options.retryMs ?? defaultRetryMs);
  }

  #missing(): number | undefined {
    const [first, end] = this.#inSight;
    for (let page = Math.floor(first / this.#pageRows); page * this.#pageRows < end; page += 1) {
      const known = this.#pages.get(page);
      if (known === undefined || known.isStale) return page;
    }
    return undefined;
  }

  /** An answer holds fewer rows than requested where they are large. */
  async #fetch(page: number): Promise<readonly Row[]> {
    const rows: Row[] = [];
    const end = (page + 1) * this.#pageRows + 1;
    for (let from = page * this.#pageRows + 1; from < end;) {
      const answer = await this.#options.fetch(from, end - from);
      rows.push(...answer.rows);
      if (answer.next <= from || answer.next > answer.there) break;
      from = answer.next;
    }
    return rows;
  }

  #keep(page: number, kept: Page<Row>): void {
    // The one that was fetched last comes last.
    this.#pages.delete(page);
    this.#pages.set(page, kept);
    const [first] = this.#inSight;
    const visible = Math.floor(first / this.#pageRows);
    for (const known of this.#pages.keys()) {
      if (this.#pages.size <= maxPages) break;
      if (known !== 0 && Math.abs(known - visible) > 1) this.#pages.delete(known);
    }
  }
}
