// Where rows begin in files of rows, as far as somebody has read: whoever looks further on need not read from the start.
// Rows never change once their run is accepted, so that what is known once holds.

/** Before a row: the row and the byte that it begins at. */
export type RowPlace = { readonly firstRow: number; readonly at: number };

const fileStart: RowPlace = { firstRow: 1, at: 0 };
/** What is read in vain at most. */
const betweenBytes = 1024 * 1024;
/** Runs that are looked into by turns. */
const mostRuns = 16;

export class RowPlaces {
  /** Rising; the run that was looked into last is the last one. */
  readonly #byRun = new Map<string, RowPlace[]>();

  /** The last known place at or before the row. */
  before(runId: string, row: number): RowPlace {
    return this.#byRun.get(runId)?.findLast(({ firstRow }) => firstRow <= row) ?? fileStart;
  }

  note(runId: string, place: RowPlace): void {
    const places = this.#byRun.get(runId) ?? [];
    if (place.at - (places.at(-1)?.at ?? 0) < betweenBytes) return;
    places.push(place);
    this.#byRun.delete(runId);
    this.#byRun.set(runId, places);
    const [oldest] = this.#byRun.keys();
    if (this.#byRun.size > mostRuns && oldest !== undefined) this.#byRun.delete(oldest);
  }
}
