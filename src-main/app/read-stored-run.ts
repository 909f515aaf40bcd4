import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Column } from '../domain/query/column.ts';
import { runNotFound } from '../domain/run-errors.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import { rowsIn, type RowCounts, type Run } from '../domain/run/run.ts';
import { siblingOfWorker } from '../services/platform.ts';
import { tableRuns } from '../services/results/latest-rows.ts';
import { firstLines, readOutputsOf } from '../services/runs/run-outputs.ts';
import { exportRun, type RunExport } from '../services/results/run-export.ts';
import { backUpRuns } from '../storage/runs/back-up-runs.ts';
import { openStoredRuns } from '../storage/runs/open-run-stores.ts';

export { removePartialBackup } from '../storage/runs/back-up-runs.ts';

type ExportRequest = Omit<RunExport, 'store' | 'queries' | 'runId'>;

type OpenedRun = {
  readonly run: Run;
  /** Committed so far. */
  readonly counts: RowCounts;
  /** Whole lines of the rows in `counts`, in row order; an empty line is a row without output. */
  outputs(): AsyncIterable<RowLines>;
  /** Columns that conditions may name. @param latest those of the newest outputs */
  columns(latest: boolean): Promise<readonly Column[]>;
  /** The pieces of a file with the chosen columns and rows; throws as `exportRun`. */
  exported(request: ExportRequest): AsyncIterable<string | Uint8Array>;
  close(): Promise<void>;
};

/** Copies all stored runs into a new file. Resolves to its size in bytes. Throws `invalid_input`, `data_unreadable`. */
export const backUpRunsOf = (
  dataDir: string,
  to: string,
  { workerScript, clock, log }: { readonly workerScript: string; readonly clock: Clock; readonly log: Log },
): Promise<number> => backUpRuns({ from: dataDir, to, script: storageScript(workerScript), clock, log });

const storageScript = (workerScript: string): string => siblingOfWorker(workerScript, 'storage-thread.cjs');

/**
 * A run as the data folder holds it, whether or not a server has the folder; named by its id, or a beginning or end of
 * it. Throws `run_not_found`, `invalid_input`.
 */
export async function readStoredRun(
  dataDir: string,
  named: string,
  { workerScript, clock, log }: { readonly workerScript: string; readonly clock: Clock; readonly log: Log },
): Promise<OpenedRun> {
  const script = storageScript(workerScript);
  const { runs, queries, database } = await openStoredRuns(dataDir, { script, clock, log });
  try {
    const runId = await runs.resolveId(named);
    const stored = await runs.find(runId);
    if (stored === undefined) throw runNotFound();
    const { run, counts } = stored;
    return {
      run,
      counts,
      outputs: () => firstLines(readOutputsOf(runs, run), rowsIn(counts)),
      columns: async (latest) => queries.columns(await tableRuns(runs, runId, latest)),
      exported: (request) => exportRun({ store: runs, queries, runId, ...request }),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
