// Comparisons of runs. The last ones are kept, so that a page of one reads only the lines of its rows. A comparison goes on
// while callers ask for it.
import { LruMap } from '../../base/lru-map.ts';
import type { ComparisonPage, ComparisonRequest, ComparisonStep } from '../../domain/query/compare-runs.ts';
import type { BatchQueries } from './batch-queries.ts';
import { ComparedPairs } from './compared-pairs.ts';
import { stepMs } from './line-cursor.ts';
import { RunComparer } from './run-comparer.ts';

type Comparison = { readonly version: string; state: Unfinished | ComparedPairs };

type Unfinished = {
  readonly comparer: RunComparer;
  readonly steps: Generator<undefined, ComparedPairs, undefined>;
};

type Progress = Extract<ComparisonStep, { readonly isReady: false }>;

/** Comparisons that are kept: about 20 bytes a row of each. */
const maxCached = 3;

export class RunComparisons {
  readonly #batches: BatchQueries;
  readonly #cached = new LruMap<string, Comparison>({ maxEntries: maxCached });

  constructor(batches: BatchQueries) {
    this.#batches = batches;
  }

  /**
   * Works on a comparison for some milliseconds, until it can be listed. Throws `run_not_found`, and `data_unreadable`, after
   * which the comparison is gone.
   */
  continueComparison(request: ComparisonRequest): Progress | undefined {
    const endMs = performance.now() + stepMs;
    const comparison = this.#comparison(request);
    while (!(comparison.state instanceof ComparedPairs)) {
      this.#advance(request, comparison, comparison.state);
      if (performance.now() >= endMs) return progressOf(comparison);
    }
    return undefined;
  }

  /** Yields when it is time to look at the clock. Throws as `continueComparison`. */
  *page(request: ComparisonRequest): Generator<number, ComparisonPage, undefined> {
    const comparison = this.#comparison(request);
    while (!(comparison.state instanceof ComparedPairs)) {
      this.#advance(request, comparison, comparison.state);
      yield 0;
    }
    const pairs = comparison.state;
    const steps = pairs.window(request.slice);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) yield 0;
    return { ...pairs.summary(), version: comparison.version, ...step.value };
  }

  /** The kept comparison of the requested version, if there is one, else that of the current version. */
  #comparison(request: ComparisonRequest): Comparison {
    const current = this.#currentVersion(request);
    const known =
      request.version === undefined ? undefined : this.#cached.get(keyOf(request, request.version));
    const found = known ?? this.#cached.get(keyOf(request, current));
    if (found !== undefined) return found;
    const comparer = new RunComparer(
      this.#batches,
      [request.firstRunId, request.secondRunId],
      request.options,
    );
    const created = { version: current, state: { comparer, steps: comparer.compare() } };
    this.#cached.set(keyOf(request, current), created);
    return created;
  }

  /** Version of what is stored of both runs. Throws `run_not_found`, also for a run that was removed since. */
  #currentVersion({ firstRunId, secondRunId }: ComparisonRequest): string {
    return [firstRunId, secondRunId]
      .map((runId) => this.#batches.extent(runId))
      .map(({ lastRow, lastResult }) => `${lastRow}.${lastResult}`)
      .join('-');
  }

  #advance(request: ComparisonRequest, comparison: Comparison, { steps }: Unfinished): void {
    try {
      const step = steps.next();
      if (step.done === true) comparison.state = step.value;
    } catch (error) {
      this.#cached.delete(keyOf(request, comparison.version));
      throw error;
    }
  }
}

const progressOf = ({ state }: Comparison): Progress | undefined =>
  state instanceof ComparedPairs ? undefined : { isReady: false, ...state.comparer.progress };

const keyOf = ({ firstRunId, secondRunId, options }: ComparisonRequest, version: string): string =>
  JSON.stringify([firstRunId, secondRunId, options, version]);
