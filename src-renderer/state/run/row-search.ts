// A search through all rows of a run on the server, one request for a limited number of rows at a time. It reports
// progress, can be stopped, and searches only as far as the user scrolls.
import { counted, type RowWindow } from '#contract';
import { LatestOnly } from '../latest-only.ts';

type RowSearchOptions<Row> = {
  readonly fetch: (from: number, count: number) => Promise<RowWindow<Row>>;
  readonly onChange: () => void;
  readonly onProblem: (error: unknown) => void;
};

/** `done`: searched as far as the user has scrolled, which may be before the last row. */
export type RowSearchState = 'looking' | 'stopped' | 'failed' | 'done';

/** The searched text and the number of rows found. */
export type FoundRows = {
  readonly text: string;
  /** Absent until all rows have been searched. */
  readonly rows?: number;
};

export const foundRows = (
  text: string,
  rows: number,
  progress: RowSearch<unknown>['progress'] | undefined,
): FoundRows =>
  progress !== undefined && progress.there > 0 && progress.looked >= progress.there
    ? { text, rows }
    : { text };

/** `12 found rows`, or `rows with “text”` if the number is not known yet. */
export function foundRowsLabel({ text, rows }: FoundRows): string {
  if (rows !== undefined) return counted(rows, 'found row');
  return `rows with “${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}

const foundAtOnce = 100;

export class RowSearch<Row> {
  readonly #options: RowSearchOptions<Row>;
  #rows: readonly Row[] = [];
  #next = 1;
  #there = 0;
  #target = foundAtOnce;
  #state: RowSearchState = 'done';
  readonly #latest = new LatestOnly();

  constructor(options: RowSearchOptions<Row>) {
    this.#options = options;
    void this.#look();
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Number of rows that have been searched, and of all rows. */
  get progress(): { readonly looked: number; readonly there: number } {
    return { looked: Math.min(this.#next - 1, this.#there), there: this.#there };
  }

  get state(): RowSearchState {
    return this.#state;
  }

  /** True if all rows have been searched. */
  get isDone(): boolean {
    return this.#state === 'done' && this.#there > 0 && this.#next > this.#there;
  }

  /** Continues the search if the user has scrolled almost to the last row found. */
  show(end: number): void {
    if (end + foundAtOnce / 2 < this.#target) return;
    this.#target = end + foundAtOnce;
    void this.#look();
  }

  /** Continues the search, since the run may have more rows. */
  grow(): void {
    void this.#look();
  }

  /** Sends no further request and ignores the pending one. */
  stop(): void {
    this.#state = 'stopped';
    this.#latest.cancel();
    this.#options.onChange();
  }

  /** Continues the search after a stop or a failed request. */
  resume(): void {
    if (this.#state !== 'stopped' && this.#state !== 'failed') return;
    this.#state = 'done';
    void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#state !== 'done') return;
    this.#state = 'looking';
    const signal = this.#latest.start();
    try {
      while (this.#rows.length < this.#target) {
        const answer = await this.#options.fetch(this.#next, foundAtOnce);
        if (signal.aborted) return;
        this.#rows = [...this.#rows, ...answer.rows];
        const isAtEnd = answer.next <= this.#next || answer.next > answer.there;
        this.#next = answer.next;
        this.#there = answer.there;
        this.#options.onChange();
        if (isAtEnd) break;
      }
      this.#state = 'done';
    } catch (error) {
      if (signal.aborted) return;
      this.#state = 'failed';
      this.#options.onProblem(error);
    }
    this.#options.onChange();
  }
}
