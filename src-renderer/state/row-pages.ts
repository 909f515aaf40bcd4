// The rows of a long list that a page holds: fetched by pages of equal size, the least recently seen let go of.
// INVARIANT: a page holds the rows from its start on without a gap; those it lacks had not ended when it was fetched.
import type { RowView } from '#contract';

/** Pages that are held; a page is about 50 KB at most. */
const maxPages = 40;

export class RowPages {
  readonly pageRows: number;
  readonly #pages = new Map<number, readonly RowView[]>();

  constructor(pageRows: number) {
    this.pageRows = pageRows;
  }

  /** The row at that place of the list, from 0; undefined while it is not here. */
  row(index: number): RowView | undefined {
    return this.#pages.get(Math.floor(index / this.pageRows))?.[index % this.pageRows];
  }

  /** Pages to fetch for the rows `first` up to `end`, where the list has so many rows. */
  missing(first: number, end: number, total: number): readonly number[] {
    const pages: number[] = [];
    const last = Math.min(end, total) - 1;
    for (let page = Math.floor(Math.max(0, first) / this.pageRows); page * this.pageRows <= last; page += 1) {
      const there = this.#pages.get(page)?.length;
      if (there === undefined || there < Math.min(this.pageRows, total - page * this.pageRows))
        pages.push(page);
    }
    return pages;
  }

  put(page: number, rows: readonly RowView[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows.slice(0, this.pageRows));
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > maxPages && oldest !== undefined) this.#pages.delete(oldest);
  }

  /** Rows of the page that are here. */
  rowsOf(page: number): number {
    return this.#pages.get(page)?.length ?? 0;
  }

  /** Pages that are held. */
  get size(): number {
    return this.#pages.size;
  }
}
