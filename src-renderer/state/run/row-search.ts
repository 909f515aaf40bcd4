// A search through all rows of a run, on the server, one bounded piece at a time. The search shows progress, can be
// stopped, and goes no further than the user scrolls.
import { counted, type RowWindow } from '#contract';
import { LatestOnly } from '../latest-only.ts';

type RowSearchOptions<Row> = {
  readonly fetch: (from: number, count: number) => Promise<RowWindow<Row>>;
  readonly onChange: () => void;
  readonly onProblem: (error: unknown) => void;
};

/** `done`: searched as far as the user scrolled, which may be before the end. */
export type RowSearchState = 'looking' | 'stopped' | 'failed' | 'done';

/** The searched text, and the number of rows found. */
export type FoundRows = {
  readonly text: string;
  /** Absent while not all rows are searched. */ readonly rows?: number;
};

export const foundRows = (
  text: string,
  rows: number,
  progress: RowSearch<unknown>['progress'] | undefined,
): FoundRows =>
  progress !== undefined && progress.there > 0 && progress.looked >= progress.there
    ? { text, rows }
    : { text };

/** `12 found rows`, or of which rows it is to be. */
export function foundWords({ text, rows }: FoundRows): string {
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

  /** Number of rows that were searched, and of all rows. */
  get progress(): { readonly looked: number; readonly there: number } {
    return { looked: Math.min(this.#next - 1, this.#there), there: this.#there };
  }

  get state(): RowSearchState {
    return this.#state;
  }

  /** Whether all rows were searched. */
  get isDone(): boolean {
    return this.#state === 'done' && this.#there > 0 && this.#next > this.#there;
  }

  /** Tells that the user sees rows up to that one, so that the search goes on before the user gets to the last. */
  show(end: number): void {
    if (end + foundAtOnce / 2 < this.#target) return;
    this.#target = end + foundAtOnce;
    void this.#look();
  }

  /** Goes on, since the run may have more rows. */
  grow(): void {
    void this.#look();
  }

  /** Sends no further request, and ignores the one under way. */
  stop(): void {
    this.#state = 'stopped';
    this.#latest.cancel();
    this.#options.onChange();
  }

  /** Goes on after a stop, or after a request that failed. */
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
