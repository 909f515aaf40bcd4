// The kind of a stored rerun, and the reruns that complete a run; see `domain/run/rerun-kind.ts`. Who calls: merged
// results, comparisons, links between runs.
import { rerunKind, type RerunKind } from '../../domain/run/rerun-kind.ts';
import type { Run } from '../../domain/run/run.ts';
import type { StoredRun } from '../../domain/run/stored-run.ts';
import type { RunReading, RunRecords } from '../ports.ts';

type RowReading = Pick<RunReading, 'readRows'>;

/**
 * Reruns that earlier versions stored do not say whether they keep numbers: those with stored numbers do, and those with
 * as many rows as an original without numbers, which are all of its rows. Throws `data_unreadable`.
 */
export async function storedRerunKind(store: RowReading, original: Run, rerun: Run): Promise<RerunKind> {
  if (rerun.rerunKind !== undefined) return rerun.rerunKind;
  const keepsNumbers =
    (await hasNumbers(store, rerun)) ||
    (rerun.rows === original.rows && !(await hasNumbers(store, original)));
  return rerunKind(original, rerun, { keepsNumbers });
}

/** All batches of a run's rows have numbers, or none has. */
async function hasNumbers(store: RowReading, { runId }: Run): Promise<boolean> {
  for await (const { numbers } of store.readRows(runId)) return numbers !== undefined;
  return false;
}

/** Those of a run's reruns that complete it. Throws `data_unreadable`. */
export async function* completingRuns(
  store: RowReading & Pick<RunRecords, 'find'>,
  original: Run,
  rerunIds: readonly string[],
): AsyncGenerator<StoredRun> {
  for (const id of rerunIds) {
    const rerun = await store.find(id);
    if (rerun !== undefined && (await storedRerunKind(store, original, rerun.run)) === 'completes')
      yield rerun;
  }
}
