// Rows of a long list, fetched page by page as they become visible. Only one request is pending at a time, always for the
// rows that are visible by then: a fast scroll fetches the rows where it ends and skips the others.
// INVARIANT: a page has the rows from its start on without a gap; missing rows did not exist when it was fetched.
import type { RowWindow } from '#contract';

type PagedRowsOptions<Row> = {
  /** Fetches rows from an index of the list on, counted from 1. */
  readonly fetch: (from: number, count: number) => Promise<RowWindow<Row>>;
  readonly onChange: () => void;
  /** Called once per failure, even if the request is retried several times. */
  readonly onProblem: (error: unknown) => void;
  /** True for a row that changes until it has ended. */
  readonly isPending?: (row: Row) => boolean;
  readonly pageRows?: number;
  /** Delay after a failed request, in ms. */
  readonly retryMs?: number;
};

/** Indexes from 0, `first` up to but not including `end`. */
export type RowRange = { readonly first: number; readonly end: number };

type Page<Row> = {
  readonly rows: readonly Row[];
  /** True if there may be more rows by now, or rows may have ended. */
  readonly isStale: boolean;
};

const defaultPageRows = 100;
/** 3,000 rows, so that a page which the user scrolls back to soon is still loaded. */
const maxPages = 30;
const defaultRetryMs = 5_000;

export class PagedRows<Row> {
  readonly #options: PagedRowsOptions<Row>;
  readonly #pageRows: number;
  readonly #pages = new Map<number, Page<Row>>();
  #inSight: readonly RowRange[] = [];
  #isFetching = false;
  /** How often the list may have grown: a page that was requested before the last time may lack rows. */
  #growths = 0;
  #hasFailed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: PagedRowsOptions<Row>) {
    this.#options = options;
    this.#pageRows = options.pageRows ?? defaultPageRows;
  }

  /** The row at that index of the list, from 0; undefined until it is loaded. */
  at(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / this.#pageRows))?.rows[index % this.#pageRows];
  }

  /** Sets the visible rows, from `first` up to but not including `end`, and fetches those that are not loaded. */
  show(first: number, end: number): void {
    this.showRanges([{ first, end }]);
  }

  /** As `show`, for rows that are visible although rows between them are not. */
  showRanges(ranges: readonly RowRange[]): void {
    this.#inSight = ranges;
    void this.#fetchMissing();
  }

  /**
   * To be called when the list may have grown or rows have ended: pages that were not full, or have pending rows, are
   * fetched again once they are visible.
   */
  grow(): void {
    this.#growths += 1;
    for (const [page, { rows }] of this.#pages)
      if (this.#mayChange(rows)) this.#pages.set(page, { rows, isStale: true });
    void this.#fetchMissing();
  }

  /** Repeats a failed request at once, because the server is reachable again. */
  retry(): void {
    clearTimeout(this.#retry);
    void this.#fetchMissing();
  }

  /** Sends no further request and ignores the pending one. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  async #fetchMissing(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      for (let page = this.#missing(); page !== undefined && !this.#isClosed; page = this.#missing()) {
        const growths = this.#growths;
        const rows = await this.#fetch(page);
        if (this.#isClosed) return;
        this.#hasFailed = false;
        this.#store(page, { rows, isStale: growths < this.#growths && this.#mayChange(rows) });
        this.#options.onChange();
      }
    } catch (error) {
      if (!this.#isClosed) this.#fail(error);
    } finally {
      this.#isFetching = false;
    }
  }

  #mayChange(rows: readonly Row[]): boolean {
    const { isPending } = this.#options;
    return rows.length < this.#pageRows || (isPending !== undefined && rows.some(isPending));
  }

  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#options.onProblem(error);
    this.#hasFailed = true;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#fetchMissing(), this.#options.retryMs ?? defaultRetryMs);
  }

  #missing(): number | undefined {
    for (const { first, end } of this.#inSight)
      for (let page = Math.floor(first / this.#pageRows); page * this.#pageRows < end; page += 1) {
        const known = this.#pages.get(page);
        if (known === undefined || known.isStale) return page;
      }
    return undefined;
  }

  /** Fetches a page, with several requests if the rows are so large that an answer has fewer than requested. */
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

  #store(index: number, page: Page<Row>): void {
    // The map is in the order of fetching, so that the oldest pages are dropped first.
    this.#pages.delete(index);
    this.#pages.set(index, page);
    const visible = this.#inSight.map(({ first }) => Math.floor(first / this.#pageRows));
    for (const known of this.#pages.keys()) {
      if (this.#pages.size <= maxPages) break;
      if (known !== 0 && visible.every((page) => Math.abs(known - page) > 1)) this.#pages.delete(known);
    }
  }
}
