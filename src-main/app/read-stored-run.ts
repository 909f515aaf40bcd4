import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { runNotFound } from '../domain/errors.ts';
import { findRunId } from '../domain/run/find-run-id.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import type { RowCounts, Run } from '../domain/run/run.ts';
import { openStoredRuns } from '../storage/open-stored-runs.ts';

export type StoredRun = {
  readonly run: Run;
  /** Committed so far. */
  readonly counts: RowCounts;
  /** Whole lines, in row order; an empty line is a row without output. */
  outputs(): AsyncIterable<RowLines>;
};

/**
 * A run as the data folder holds it, whether or not a server has the folder; named by its id, or a beginning or end of
 * it. Throws `run_not_found`, `invalid_input`.
 */
export async function readStoredRun(
  dataDir: string,
  named: string,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<StoredRun> {
  const runs = openStoredRuns(dataDir, parts);
  const runId = findRunId(named, await runs.listIds());
  const run = await runs.read(runId);
  if (run === undefined) throw runNotFound();
  return {
    run,
    counts: await runs.readCounts(runId),
    outputs: () => runs.readOutputs(runId, run.status === 'completed' ? run.rows : undefined),
  };
}
