// The kind of a stored rerun; see `domain/run/rerun-kind.ts`. Who calls: comparisons.
import { rerunKind, type RerunKind } from '../../domain/run/rerun-kind.ts';
import type { Run } from '../../domain/run/run.ts';
import type { RunReading } from '../ports.ts';

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
