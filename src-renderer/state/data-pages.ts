// Rows of a long table, fetched a page at a time as they come into sight. One request is under way at a time, always for
// what is in sight by then: a fast scroll fetches where it ends and not what it passes.
import type { RowWindow } from '#contract';

type RowFetch<Row> = (from: number, count: number) => Promise<RowWindow<Row>>;

type Page<Row> = { readonly rows: readonly Row[]; readonly isStale: boolean };

type DataPagesParts<Row> = {
  readonly fetch: RowFetch<Row>;
  readonly onChange: () => void;
  readonly onProblem: (error: unknown) => void;
  /** How long to wait after an answer that failed. */
  readonly againMs?: number;
};

export const pageRows = 100;
/** 3,000 rows: what is scrolled back to soon is still there, and a page stays small. */
const maxPages = 30;
const againMs = 5_000;

export class DataPages<Row> {
  readonly #parts: DataPagesParts<Row>;
  readonly #pages = new Map<number, Page<Row>>();
  #sight: readonly [first: number, end: number] = [0, 0];
  #isFetching = false;
  #hasFailed = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(parts: DataPagesParts<Row>) {
    this.#parts = parts;
  }

  /** By its place from 0; undefined while it is not here. */
  at(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / pageRows))?.rows[index % pageRows];
  }

  /** Those that are in sight, `first` up to but not including `end`. */
  show(first: number, end: number): void {
    this.#sight = [first, end];
    void this.#fetchMissing();
  }

  /** There may be more rows than before: pages that were not full are asked for again once they are in sight. */
  grow(): void {
    for (const [page, { rows }] of this.#pages)
      if (rows.length < pageRows) this.#pages.set(page, { rows, isStale: true });
    void this.#fetchMissing();
  }

  /** The server can be asked again: what failed is not waited for any longer. */
  retry(): void {
    clearTimeout(this.#again);
    void this.#fetchMissing();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#again);
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
        this.#parts.onChange();
      }
    } catch (error) {
      if (!this.#isClosed) this.#fail(error);
    } finally {
      this.#isFetching = false;
    }
  }

  /** Told once, however often it is tried again. */
  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#parts.onProblem(error);
    this.#hasFailed = true;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => void this.#fetchMissing(), this.#parts.againMs ?? againMs);
  }

  #missing(): number | undefined {
    const [first, end] = this.#sight;
    for (let page = Math.floor(first / pageRows); page * pageRows < end; page += 1) {
      const known = this.#pages.get(page);
      if (known === undefined || known.isStale) return page;
    }
    return undefined;
  }

  /** An answer holds fewer rows than asked for where they are large. */
  async #fetch(page: number): Promise<readonly Row[]> {
    const rows: Row[] = [];
    const end = (page + 1) * pageRows + 1;
    for (let from = page * pageRows + 1; from < end;) {
      const answer = await this.#parts.fetch(from, end - from);
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
    const [first] = this.#sight;
    const visible = Math.floor(first / pageRows);
    for (const known of this.#pages.keys()) {
      if (this.#pages.size <= maxPages) break;
      if (known !== 0 && Math.abs(known - visible) > 1) this.#pages.delete(known);
    }
  }
}
