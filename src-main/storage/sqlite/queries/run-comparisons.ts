// Comparisons of runs, a page at a time. The last ones stay in memory, so that a page of one reads only the lines of its rows.
import { LruMap } from '../../../base/lru-map.ts';
import type { ComparedSide, ComparisonRequest, ComparisonStep } from '../../../domain/query/compare-runs.ts';
import type { BatchReads } from '../batch-queries.ts';
import type { ComparedPairs, ComparedWindow } from './compared-pairs.ts';
import { ContinuedQueries } from './continued-queries.ts';
import { compareSides, rowsToRead } from './run-comparer.ts';
import { decodeRowNumbers } from '../../../domain/run/row-numbers.ts';

/** Comparisons in memory: about 20 bytes a row of each. */
const maxComparisons = 3;

export class RunComparisons {
  readonly #batches: BatchReads;
  /** By request and version. */
  readonly #compared = new ContinuedQueries<ComparedPairs>({ maxQueries: maxComparisons });
  /** Versions of comparisons that are going on, by request: they go on although a run gets further results. */
  readonly #running = new LruMap<string, string>({ maxEntries: maxComparisons });
  /** Pages that are being read. */
  readonly #pages = new ContinuedQueries<ComparedWindow>({ maxQueries: maxComparisons });

  constructor(batches: BatchReads) {
    this.#batches = batches;
  }

  /** Works for some milliseconds on a comparison, or reads a page of it. Throws `run_not_found`, `data_unreadable`. */
  readComparison(request: ComparisonRequest): ComparisonStep {
    const { first, second, options, slice } = request;
    const [one, other] = [this.#extentOf(first), this.#extentOf(second)];
    const current = `${one.rows}.${one.results}-${other.rows}.${other.results}`;
    const requestKey = keyOf(request, '');
    const known = [request.version, this.#running.get(requestKey)].find(
      (each) => each !== undefined && this.#compared.has(keyOf(request, each)),
    );
    const version = known ?? current;
    const key = keyOf(request, version);
    if (version !== request.version) this.#running.set(requestKey, version);
    const rows = rowsToRead(one.rows, other.rows, options);
    const compared = this.#compared.advance(key, () => compareSides(this.#batches, [first, second], options));
    if (!compared.isReady) return { isReady: false, rowsRead: compared.rowsRead, rows };
    const pairs = compared.answer;
    const page = this.#pages.advanceOnce(JSON.stringify([key, slice]), () => pairs.window(slice));
    if (!page.isReady) return { isReady: false, rowsRead: rows, rows };
    this.#running.delete(requestKey);
    return { isReady: true, ...pairs.summary(), version, rowsEnded: pairs.rowsEnded, ...page.answer };
  }

  /** Rows in common with each of the other sides. Throws `run_not_found`, `data_unreadable`. */
  countCommonRows(side: ComparedSide, others: readonly ComparedSide[]): readonly number[] {
    return countCommonRows(this.#batches, side, others);
  }

  /** Rows and results of all runs of a side. */
  #extentOf(side: ComparedSide): { readonly rows: number; readonly results: number } {
    const extents = side.map((runId) => this.#batches.extent(runId));
    return {
      rows: extents.reduce((sum, { lastRow }) => sum + lastRow, 0),
      results: extents.reduce((sum, { lastResult }) => sum + lastResult, 0),
    };
  }
}

const keyOf = ({ first, second, options }: ComparisonRequest, version: string): string =>
  JSON.stringify([first, second, options, version]);

// How many rows one side of a comparison has in common with others, by their numbers.

/** Rows in common with each of the sides. Reads 4 bytes a row at most. Throws `run_not_found`, `data_unreadable`. */
function countCommonRows(
  batches: BatchReads,
  side: ComparedSide,
  others: readonly ComparedSide[],
): readonly number[] {
  const numbers = numbersOf(batches, side);
  return others.map((other) => {
    let common = 0;
    for (const number of numbersOf(batches, other)) if (numbers.has(number)) common += 1;
    return common;
  });
}

function numbersOf(batches: BatchReads, side: ComparedSide): ReadonlySet<number> {
  const found = new Set<number>();
  for (const runId of side) {
    const { lastRow, hasNumbers } = batches.extent(runId);
    const stored = hasNumbers ? batches.rowNumbers(runId, 1, lastRow) : undefined;
    if (stored === undefined) for (let number = 1; number <= lastRow; number += 1) found.add(number);
    else for (const number of decodeRowNumbers(stored)) found.add(number);
  }
  return found;
}
