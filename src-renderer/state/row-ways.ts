// Locates a row of the matrix on the server, so that the matrix can scroll to it. The latest request wins; a move by
// the user cancels it.
import type { RowPlaceView } from '#contract';
import { stepFrom } from './find-row.ts';
import type { MatrixRows } from './matrix.svelte.ts';
import { Turns } from './turns.ts';

/** @property index the row's place in the list that is shown, from 0 */
type Way = { readonly kind: 'there'; readonly index: number } | { readonly kind: 'missing' | 'overtaken' };

export class RowWays {
  readonly #rows: Pick<MatrixRows, 'place' | 'rowOf' | 'nodes'>;
  readonly #turns = new Turns();

  constructor(rows: Pick<MatrixRows, 'place' | 'rowOf' | 'nodes'>) {
    this.#rows = rows;
  }

  /** Cancels the requests under way. */
  end(): void {
    this.#turns.take();
  }

  /** Throws what the server says, unless it was overtaken. */
  async to(wanted: { row: number } | { position: number }): Promise<Way> {
    const way = await this.#newest<RowPlaceView | null>(() => this.#rows.place(wanted));
    if (way === 'overtaken') return { kind: way };
    if (way === null || ('row' in wanted && !way.isThere)) return { kind: 'missing' };
    return { kind: 'there', index: way.index - 1 };
  }

  /** The next failed row, or the one before, and its failed node; undefined where there is none. Throws as `to`. */
  async toFailed(
    here: number | undefined,
    step: 1 | -1,
  ): Promise<{ readonly row: number; readonly nodeId: string | undefined } | undefined> {
    const failed = await this.#newest(async () => {
      const found = await this.#rows.place(here === undefined ? { position: 1 } : { row: here }, 'failed');
      if (found === null) return undefined;
      return this.#rows.rowOf('failed', Math.max(1, found.index + stepFrom(found, { here, step })));
    });
    if (failed === undefined || failed === 'overtaken') return undefined;
    const at = failed.nodes?.findIndex(({ end }) => end === 'failed') ?? -1;
    return { row: failed.row, nodeId: this.#rows.nodes?.[at]?.nodeId };
  }

  async #newest<Answer>(ask: () => Promise<Answer>): Promise<Answer | 'overtaken'> {
    const isNewest = this.#turns.take();
    try {
      const answer = await ask();
      return isNewest() ? answer : 'overtaken';
    } catch (error) {
      if (isNewest()) throw error;
      return 'overtaken';
    }
  }
}
