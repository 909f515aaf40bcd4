// An index of a run with a few bytes per row, to filter rows and to draw all of them at once.
// Positions are rows' places in their run, from 1.
import { latencyBucket, latencyBuckets, latencyBucketStart } from '../results/latency-bucket.ts';
import type { RowState, RowFilter } from './row-state.ts';
import { minSlowMs } from '../results/trace-form.ts';

/** One piece of the picture of a whole run. */
type MinimapPiece = {
  readonly failed: number;
  readonly slow: number;
  /** Mean duration of the rows that have ended, in microseconds; 0 when none has. */
  readonly meanMicros: number;
  /** Rows that have ended. */
  readonly rows: number;
};

const flags = { failed: 1, unfinished: 2, retried: 4, skipped: 8, waiting: 16 } as const;
/** Rows without a duration. */
const hasNotEnded = flags.unfinished | flags.waiting;
/** Minimum share of ended rows that are not slow, from 0 to 1. */
const notSlowShare = 0.95;

export class RowIndex {
  #flags = new Uint8Array(1024);
  #micros = new Uint32Array(1024);
  readonly #histogram = new Uint32Array(latencyBuckets);
  #rows = 0;
  #changes = 0;
  readonly #picked = new Map<RowFilter, { readonly changes: number; readonly positions: Uint32Array }>();

  get rows(): number {
    return this.#rows;
  }

  /** @param states undefined for a row that has not run, which a table of several runs may have between others */
  add(states: readonly (RowState | undefined)[]): void {
    this.#reserve(this.#rows + states.length);
    for (const known of states) {
      if (known === undefined) {
        this.#flags[this.#rows++] = flags.waiting;
        continue;
      }
      const { state, retries, durationMicros } = known;
      const own = state === 'done' ? 0 : flags[state];
      this.#flags[this.#rows] = own | (retries > 0 ? flags.retried : 0);
      this.#micros[this.#rows] = durationMicros;
      if (state !== 'unfinished') this.#histogram[latencyBucket(durationMicros)]! += 1;
      this.#rows += 1;
    }
    this.#changes += 1;
  }

  /** Notes that a node was skipped in the row at that position. */
  markSkipped(position: number): void {
    if (position < 1 || position > this.#rows) return;
    this.#flags[position - 1]! |= flags.skipped;
    this.#changes += 1;
  }

  /** From here on a row is slow, in ms: slower than 95 of 100 rows, and than what anybody waits for. Undefined without rows. */
  get slowMs(): number | undefined {
    let ended = 0;
    for (const rows of this.#histogram) ended += rows;
    if (ended === 0) return undefined;
    let left = Math.max(1, Math.ceil(ended * notSlowShare));
    const bucket = this.#histogram.findIndex((rows) => (left -= rows) <= 0);
    return Math.max(minSlowMs, latencyBucketStart(bucket + 1) / 1000);
  }

  state(position: number): Pick<RowState, 'state' | 'durationMicros'> {
    const found = this.#flags[position - 1] ?? 0;
    const state = found & flags.failed ? 'failed' : found & flags.unfinished ? 'unfinished' : 'done';
    return { state, durationMicros: this.#micros[position - 1] ?? 0 };
  }

  get unfinished(): number {
    let found = 0;
    for (let at = 0; at < this.#rows; at += 1) if ((this.#flags[at] ?? 0) & flags.unfinished) found += 1;
    return found;
  }

  /** Positions of the rows that fit, rising. */
  positions(only: RowFilter): Uint32Array {
    const known = this.#picked.get(only);
    if (known?.changes === this.#changes) return known.positions;
    const positions = this.#pick(this.#test(only));
    this.#picked.set(only, { changes: this.#changes, positions });
    return positions;
  }

  /**
   * The run's rows, of which there will be so many, in pieces of that size.
   * @param order positions of the rows in another order; absent: all rows by position
   */
  minimap(rowsInAll: number, size: number, order?: Uint32Array): readonly MinimapPiece[] {
    const isSlow = this.#test('slow');
    const rows = order?.length ?? this.#rows;
    return Array.from({ length: Math.ceil(rowsInAll / size) }, (_, piece) =>
      this.#piece(piece * size, Math.min(rows, (piece + 1) * size), { isSlow, order }),
    );
  }

  #piece(
    from: number,
    end: number,
    { isSlow, order }: { readonly isSlow: (at: number) => boolean; readonly order: Uint32Array | undefined },
  ): MinimapPiece {
    let failed = 0;
    let slow = 0;
    let micros = 0;
    let rows = 0;
    for (let index = from; index < end; index += 1) {
      const at = order === undefined ? index : order[index]! - 1;
      const own = this.#flags[at] ?? 0;
      if (own & hasNotEnded) continue;
      rows += 1;
      micros += this.#micros[at] ?? 0;
      if (own & flags.failed) failed += 1;
      if (isSlow(at)) slow += 1;
    }
    return { failed, slow, rows, meanMicros: rows === 0 ? 0 : micros / rows };
  }

  #test(only: RowFilter): (at: number) => boolean {
    if (only !== 'slow') return (at) => ((this.#flags[at] ?? 0) & flags[only]) !== 0;
    const minMicros = (this.slowMs ?? Infinity) * 1000;
    return (at) => (this.#micros[at] ?? 0) >= minMicros && !((this.#flags[at] ?? 0) & hasNotEnded);
  }

  #pick(fits: (at: number) => boolean): Uint32Array {
    const found: number[] = [];
    for (let at = 0; at < this.#rows; at += 1) if (fits(at)) found.push(at + 1);
    return Uint32Array.from(found);
  }

  #reserve(rows: number): void {
    if (rows <= this.#flags.length) return;
    const room = Math.max(rows, this.#flags.length * 2);
    const [oldFlags, oldMicros] = [this.#flags, this.#micros];
    this.#flags = new Uint8Array(room);
    this.#flags.set(oldFlags);
    this.#micros = new Uint32Array(room);
    this.#micros.set(oldMicros);
  }
}
