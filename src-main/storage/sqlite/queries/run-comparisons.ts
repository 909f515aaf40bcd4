// Comparisons of runs, a page at a time. The last ones stay in memory, so that a page of one reads only the lines of its rows.
import { LruMap } from '../../../base/lru-map.ts';
import type { ComparisonRequest, ComparisonStep } from '../../../domain/query/compare-runs.ts';
import type { BatchReads } from '../batch-queries.ts';
import type { ComparedPairs, ComparedWindow } from './compared-pairs.ts';
import { ContinuedQueries } from './continued-queries.ts';
import { rowsToRead, RunComparer } from './run-comparer.ts';

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
    const { firstRunId, secondRunId, options, slice } = request;
    const [first, second] = [this.#batches.extent(firstRunId), this.#batches.extent(secondRunId)];
    const current = `${first.lastRow}.${first.lastResult}-${second.lastRow}.${second.lastResult}`;
    const requestKey = keyOf(request, '');
    const known = [request.version, this.#running.get(requestKey)].find(
      (each) => each !== undefined && this.#compared.has(keyOf(request, each)),
    );
    const version = known ?? current;
    const key = keyOf(request, version);
    if (version !== request.version) this.#running.set(requestKey, version);
    const rows = rowsToRead(first.lastRow, second.lastRow, options);
    const compared = this.#compared.advance(key, () =>
      new RunComparer(this.#batches, [firstRunId, secondRunId], options).compare(),
    );
    if (!compared.isReady) return { isReady: false, rowsRead: compared.rowsRead, rows };
    const pairs = compared.answer;
    const page = this.#pages.advanceOnce(JSON.stringify([key, slice]), () => pairs.window(slice));
    if (!page.isReady) return { isReady: false, rowsRead: rows, rows };
    this.#running.delete(requestKey);
    return { isReady: true, ...pairs.summary(), version, rowsEnded: pairs.rowsEnded, ...page.answer };
  }
}

const keyOf = ({ firstRunId, secondRunId, options }: ComparisonRequest, version: string): string =>
  JSON.stringify([firstRunId, secondRunId, options, version]);
