// A search through all rows of a run, on the server, a bounded piece at a time: it tells how far it is, can be stopped,
// and looks no further than somebody scrolls.
import type { RowWindow } from '#contract';

type RowSearchParts<Row> = {
  readonly fetch: (from: number, count: number) => Promise<RowWindow<Row>>;
  readonly onChange: () => void;
  readonly onProblem: (error: unknown) => void;
};

const foundAtOnce = 100;

export class RowSearch<Row> {
  readonly #parts: RowSearchParts<Row>;
  #rows: readonly Row[] = [];
  #next = 1;
  #there = 0;
  #wanted = foundAtOnce;
  #isLooking = false;
  #isStopped = false;

  constructor(parts: RowSearchParts<Row>) {
    this.#parts = parts;
    void this.#look();
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Rows that were looked through, and how many there are. */
  get progress(): { readonly looked: number; readonly there: number } {
    return { looked: Math.min(this.#next - 1, this.#there), there: this.#there };
  }

  get isLooking(): boolean {
    return this.#isLooking;
  }

  /** Whether there is nothing more to be found. */
  get isDone(): boolean {
    return !this.#isLooking && this.#there > 0 && this.#next > this.#there;
  }

  /** Rows up to that one are in sight: more are looked for before they are. */
  show(end: number): void {
    if (end + foundAtOnce / 2 < this.#wanted) return;
    this.#wanted = end + foundAtOnce;
    void this.#look();
  }

  /** Further rows may be there. */
  grow(): void {
    void this.#look();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** After a stop. */
  resume(): void {
    this.#isStopped = false;
    void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    try {
      while (this.#rows.length < this.#wanted && !this.#isStopped) {
        const answer = await this.#parts.fetch(this.#next, foundAtOnce);
        this.#rows = [...this.#rows, ...answer.rows];
        const isAtEnd = answer.next <= this.#next || answer.next > answer.there;
        this.#next = answer.next;
        this.#there = answer.there;
        if (!this.#isStopped) this.#parts.onChange();
        if (isAtEnd) break;
      }
    } catch (error) {
      if (!this.#isStopped) this.#parts.onProblem(error);
    } finally {
      this.#isLooking = false;
      if (!this.#isStopped) this.#parts.onChange();
    }
  }
}
