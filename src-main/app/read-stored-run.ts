import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { runNotFound } from '../domain/errors.ts';
import type { RowCounts, Run } from '../domain/run/run.ts';
import { openStoredRuns } from '../storage/open-stored-runs.ts';

export type StoredRun = {
  readonly run: Run;
  /** Committed so far. */
  readonly counts: RowCounts;
  /** Whole lines, in row order; an empty line is a row without output. */
  outputs(): AsyncIterable<{ readonly firstRow: number; readonly bytes: Uint8Array }>;
};

/** A run as the data folder holds it, whether or not a server has the folder. Throws `run_not_found`. */
export async function readStoredRun(
  dataDir: string,
  runId: string,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<StoredRun> {
  const runs = openStoredRuns(dataDir, parts);
  const run = await runs.read(runId);
  if (run === undefined) throw runNotFound();
  return {
    run,
    counts: await runs.readCounts(runId),
    outputs: () => runs.readOutputs(runId, run.status === 'completed' ? run.rows : undefined),
  };
}
