// Locates a row of the matrix on the server, so that the matrix can scroll to it. The latest request wins; a move by
// the user cancels it.
import type { RowLocation } from '#contract';
import { stepFrom } from './find-row.ts';
import { LatestOnly } from '../../latest-only.ts';
import type { MatrixRows } from './matrix.svelte.ts';

/** @property index index of the row in the list that is shown, from 0 */
type Location =
  { readonly kind: 'found'; readonly index: number } | { readonly kind: 'missing' | 'outdated' };

export class RowNavigator {
  readonly #rows: Pick<MatrixRows, 'locate' | 'rowOf' | 'nodes'>;
  readonly #latest = new LatestOnly();

  constructor(rows: Pick<MatrixRows, 'locate' | 'rowOf' | 'nodes'>) {
    this.#rows = rows;
  }

  /** Cancels the pending request. */
  cancel(): void {
    this.#latest.cancel();
  }

  /** Locates a row by its number, or by its position in the run. Throws the server's error, unless it is outdated. */
  async locate(target: { row: number } | { position: number }): Promise<Location> {
    const found = await this.#newest<RowLocation | null>(() => this.#rows.locate(target));
    if (found === 'outdated') return { kind: found };
    if (found === null || ('row' in target && !found.isThere)) return { kind: 'missing' };
    return { kind: 'found', index: found.index - 1 };
  }

  /** Finds the next or previous failed row and its failed node; undefined if there is none. Throws as `locate` does. */
  async findFailed(
    here: number | undefined,
    step: 1 | -1,
  ): Promise<{ readonly row: number; readonly nodeId: string | undefined } | undefined> {
    const failed = await this.#newest(async () => {
      const found = await this.#rows.locate(here === undefined ? { position: 1 } : { row: here }, 'failed');
      if (found === null) return undefined;
      return this.#rows.rowOf('failed', Math.max(1, found.index + stepFrom(found, { here, step })));
    });
    if (failed === undefined || failed === 'outdated') return undefined;
    const at = failed.nodes?.findIndex(({ end }) => end === 'failed') ?? -1;
    return { row: failed.row, nodeId: this.#rows.nodes?.[at]?.nodeId };
  }

  async #newest<Answer>(request: () => Promise<Answer>): Promise<Answer | 'outdated'> {
    const signal = this.#latest.start();
    try {
      const answer = await request();
      return signal.aborted ? 'outdated' : answer;
    } catch (error) {
      if (signal.aborted) return 'outdated';
      throw error;
    }
  }
}
