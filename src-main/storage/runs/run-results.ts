// The results of one run while it executes; a run has one open instance. Who calls: ActiveRun, through the executor's port
// `OutputSink`. INVARIANT: results of a resolved `commit` and their record survive a power cut together.
import { invariant } from '../../base/invariant.ts';
import type { Clock } from '../../base/clock.ts';
import { countLines, newline } from '../../domain/rows/line-bytes.ts';
import { addStatistics } from '../../domain/results/node-statistics.ts';
import { readRowState, rowStateBytes, type RowState } from '../../domain/run/row-state.ts';
import { type RunStatistics, addToThroughput, throughputFrom } from '../../domain/results/run-statistics.ts';
import { rowsIn, type RowCounts, type Run } from '../../domain/run/run.ts';
import type { BatchResult } from '../../domain/run/stored-run.ts';
import { retryWhileRefused } from './store-health.ts';
import type { ResultsDatabase } from './store-database.ts';
import type { CommittedProgress } from '../sqlite/stored-batches.ts';

type Results = Omit<BatchResult, 'failures'>;

type ResultsDeps = {
  readonly database: ResultsDatabase;
  readonly clock: Clock;
  readonly runId: string;
  /** Position of the row before the first one; absent: these are the results of the run from its first row on. */
  readonly afterRow?: number;
};

export class RunResults {
  readonly #deps: ResultsDeps;
  readonly #openedMs: number;
  #progress: CommittedProgress;

  constructor(deps: ResultsDeps, progress: CommittedProgress) {
    this.#deps = deps;
    this.#openedMs = deps.clock.now();
    this.#progress = progress;
  }

  get counts(): RowCounts {
    return this.#progress.counts;
  }

  get committedRows(): number {
    return rowsIn(this.counts);
  }

  get traceBytes(): number {
    return this.#progress.traceBytes;
  }

  /** Undefined before the first commit. */
  get statistics(): RunStatistics | undefined {
    return this.#progress.statistics;
  }

  /** The value of `counts` once the results are committed. */
  countsWith(results: Results): RowCounts {
    const { rowsDone, rowsFailed, rowsUnfinished = 0 } = this.counts;
    const failed = countStates(results.states, 'failed');
    const unfinished = countStates(results.states, 'unfinished');
    const allUnfinished = rowsUnfinished + unfinished;
    return {
      rowsDone: rowsDone + results.rows - failed - unfinished,
      rowsFailed: rowsFailed + failed,
      ...(allUnfinished === 0 ? {} : { rowsUnfinished: allUnfinished }),
    };
  }

  /**
   * Appends the results of the next rows; one call at a time. It retries during a shortage of memory or disk space. Throws
   * `store_degraded`, or `out_of_resources` or `disk_full` for a shortage that lasts.
   * @param run the run's record, where it changes with these results
   */
  async commit(results: Results, run?: Run): Promise<void> {
    invariant(results.rows > 0 && results.states.length === results.rows * rowStateBytes, 'one state a row');
    invariant(
      countLines(results.outputs) === results.rows && results.outputs.at(-1) === newline,
      'one output line a row',
    );
    const { database, clock, runId, afterRow = 0 } = this.#deps;
    const { rows, outputs, states, trace } = results;
    const counts = this.countsWith(results);
    const traceBytes = this.traceBytes + trace.length;
    const statistics = this.#statisticsWith(results, counts);
    const firstRow = afterRow + this.committedRows + 1;
    const rowsFailed = counts.rowsFailed - this.counts.rowsFailed;
    await retryWhileRefused(clock, () => {
      // Copies, since the call transfers their memory, and a refused call is repeated.
      const batch = {
        firstRow,
        rows,
        rowsFailed,
        outputs: Uint8Array.from(outputs),
        states: Uint8Array.from(states),
        trace: Uint8Array.from(trace),
      };
      return database.appendResults({ runId, batch, counts, traceBytes, statistics, run });
    });
    this.#progress = { counts, traceBytes, statistics };
  }

  #statisticsWith({ nodes, rows }: Results, counts: RowCounts): RunStatistics {
    const before = this.#progress.statistics ?? { rows: 0, nodes: [] };
    const unfinished = (counts.rowsUnfinished ?? 0) - (this.counts.rowsUnfinished ?? 0);
    const ended = rows - unfinished;
    return {
      rows: before.rows + ended,
      nodes: addStatistics([before.nodes, nodes]),
      pace: addToThroughput(before.pace ?? throughputFrom(this.#openedMs), this.#deps.clock.now(), ended),
    };
  }
}

function countStates(states: Uint8Array, state: RowState['state']): number {
  let found = 0;
  const view = new DataView(states.buffer, states.byteOffset, states.byteLength);
  for (let offset = 0; offset < states.length; offset += rowStateBytes)
    if (readRowState(view, offset).state === state) found += 1;
  return found;
}
