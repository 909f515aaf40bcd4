// Applies one verb to many runs. Each run is checked when its turn comes, so a change in the meantime is not an error:
// the answer holds the outcome of each run.
import { AppError } from '../../base/app-error.ts';
import { assertEndedAtService } from '../../domain/hosted/assert-ended.ts';
import { notInBulk } from '../../domain/hosted-errors.ts';
import type { BulkResult, BulkVerb, BulkView } from '../../domain/run/bulk-moves.ts';
import { fitsFilter, type RunFilter } from '../../domain/run/run-filter.ts';
import { canMove, isFinal } from '../../domain/run/run-status.ts';
import type { Run, RunOrigin } from '../../domain/run/run.ts';
import type { RunRecord } from '../ports.ts';
import type { RunService } from './run-service.ts';

export type BulkOrder = {
  readonly verb: BulkVerb;
  readonly filter: RunFilter;
  /** How many runs at most. */
  readonly limit: number;
  /** Rows to repeat of each run; only for reruns. */
  readonly rows: 'all' | 'failed';
  readonly origin: RunOrigin;
};

/** Reruns keep the order of their originals; the other verbs only wait for a disk or for processes to end. */
const groupSizes: Readonly<Record<BulkVerb, number>> = { pause: 16, resume: 16, cancel: 16, rerun: 1 };

/** Does the verb to every run that fits the filter and that the verb can be done to. */
export async function moveRuns(runs: RunService, order: BulkOrder): Promise<BulkView> {
  const chosen = await chooseRuns(runs, order);
  const ids = chosen.slice(0, order.limit);
  const results = await mapInGroups(ids, groupSizes[order.verb], (runId) => moveOne(runs, order, runId));
  return { results, remaining: Math.max(0, chosen.length - order.limit) };
}

async function chooseRuns(runs: RunService, order: BulkOrder): Promise<readonly string[]> {
  // A caller that names runs gets a result for each of them.
  if (order.filter.runIds !== undefined) return [...new Set(order.filter.runIds)];
  const found = (await runs.list(order.filter)).filter((record) => isMeant(record, order));
  return inOrder(found, order.verb).map(({ run }) => run.runId);
}

function isMeant({ run, counts }: RunRecord, { verb, rows }: BulkOrder): boolean {
  if (verb !== 'rerun') return canMove(run.status, verb);
  return isFinal(run.status) && (rows === 'all' || counts.rowsDone < run.rows);
}

/** Oldest first to start runs. To stop them: queued ones first, and the newest of them first, so that none begins meanwhile. */
function inOrder(newestFirst: readonly RunRecord[], verb: BulkVerb): readonly RunRecord[] {
  if (verb === 'resume' || verb === 'rerun') return [...newestFirst].reverse();
  const isQueued = ({ run }: RunRecord): boolean => run.status === 'queued';
  return [...newestFirst.filter(isQueued), ...newestFirst.filter((record) => !isQueued(record))];
}

async function moveOne(runs: RunService, order: BulkOrder, runId: string): Promise<BulkResult> {
  try {
    const { run } = await runs.get(runId);
    if (!fitsFilter(run, order.filter)) return { runId, outcome: 'left', status: run.status };
    assertTakenInBulk(run, order.verb);
    if (order.verb === 'rerun') {
      const again = await runs.rerun(runId, order.rows, order.origin);
      return { runId, outcome: 'moved', status: run.status, newRunId: again.run.runId };
    }
    const moved = await runs[order.verb](runId);
    return { runId, outcome: 'moved', status: moved.run.status };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const status = await runs.get(runId).then(({ run }) => run.status, unknownStatus);
    return { runId, outcome: 'refused', reason: error.message, ...(status === undefined ? {} : { status }) };
  }
}

const unknownStatus = (): undefined => undefined;

/** Acts on all in their order, `groupSize` at a time. */
async function mapInGroups<T, R>(
  all: readonly T[],
  groupSize: number,
  act: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += groupSize) {
    results.push(...(await Promise.all(all.slice(start, start + groupSize).map(act))));
  }
  return results;
}

/** Throws `move_not_allowed` for a run at a hosted service, where a verb on many runs could cost money by accident. */
function assertTakenInBulk(run: Run, verb: BulkVerb): void {
  assertEndedAtService(run);
  if (run.hosted !== undefined && verb === 'rerun') throw notInBulk(run.hosted.connection);
}
