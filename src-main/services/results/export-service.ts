// Exports of runs for a client that follows their progress. Who calls: the control API.
import { tooManyExports } from '../../domain/store-errors.ts';
import type { RowStore } from './latest-rows.ts';
import type { RowQueries } from '../ports.ts';
import { exportRun, type ExportProgress, type RunExport } from './run-export.ts';

type ExportServiceDeps = {
  readonly store: RowStore;
  readonly queries: Pick<RowQueries, 'selectNumbers'>;
};

export type ExportRequest = Pick<RunExport, 'runId' | 'options' | 'selection' | 'signal'> & {
  /** Chosen by the client, to ask for the progress. */
  readonly exportId?: string | undefined;
};

/** Exports whose last progress is in memory, so that a client can ask how many lines its file has. */
const maxProgress = 100;

/** Maximum concurrent exports. Each holds a batch of each of its runs. */
const maxExports = 4;

export class ExportService {
  readonly #deps: ExportServiceDeps;
  readonly #progress = new Map<string, ExportProgress>();
  #running = 0;

  constructor(deps: ExportServiceDeps) {
    this.#deps = deps;
  }

  /** The pieces of the file. Throws `too_many_exports`, and as `exportRun` before the first piece. */
  async *exportRun(request: ExportRequest): AsyncGenerator<string | Uint8Array> {
    const { exportId, ...exported } = request;
    if (this.#running >= maxExports) throw tooManyExports(maxExports);
    this.#running += 1;
    try {
      yield* exportRun({
        ...this.#deps,
        ...exported,
        onProgress: (progress) => {
          if (exportId !== undefined) this.#setProgress(exportId, progress);
        },
      });
    } finally {
      this.#running -= 1;
    }
  }

  /** The last progress of an export; undefined if it has not begun, or ended long ago. */
  progressOf(exportId: string): ExportProgress | undefined {
    return this.#progress.get(exportId);
  }

  #setProgress(exportId: string, progress: ExportProgress): void {
    this.#progress.delete(exportId);
    this.#progress.set(exportId, progress);
    const [oldest] = this.#progress.keys();
    if (this.#progress.size > maxProgress && oldest !== undefined) this.#progress.delete(oldest);
  }
}
