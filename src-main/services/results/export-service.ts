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
          if (exportId !== undefined) this.#progress.set(exportId, progress);
        },
      });
    } finally {
      this.#running -= 1;
      if (exportId !== undefined) this.#progress.delete(exportId);
    }
  }

  /** Undefined for an export that has ended, or has not begun. */
  progressOf(exportId: string): ExportProgress | undefined {
    return this.#progress.get(exportId);
  }
}
