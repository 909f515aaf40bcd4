// Exports of runs for a client that follows their progress. Who calls: the control API.
import type { RowSelection } from '../domain/query/row-selection.ts';
import type { ExportOptions } from '../domain/rows/export-options.ts';
import { tooManyExports } from '../domain/store-errors.ts';
import type { RowStore } from './latest-rows.ts';
import { exportRun, type ExportProgress } from './run-export.ts';
import type { RunDataService } from './run-data-service.ts';

type ExportServiceDeps = {
  readonly store: RowStore;
  readonly runData: Pick<RunDataService, 'selectedRows'>;
};

export type ExportRequest = {
  readonly runId: string;
  readonly options: ExportOptions;
  /** Exports only these rows of the run. */
  readonly selection?: RowSelection | undefined;
  /** Chosen by the client, to ask for the progress. */
  readonly exportId?: string | undefined;
  readonly signal?: AbortSignal;
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
    const { runId, options, selection, exportId, signal } = request;
    if (this.#running >= maxExports) throw tooManyExports(maxExports);
    this.#running += 1;
    try {
      const selected = selection === undefined ? undefined : await this.#numbers(runId, selection, signal);
      yield* exportRun({
        store: this.#deps.store,
        runId,
        options,
        signal,
        includes: selected === undefined ? undefined : (row) => selected.has(row),
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

  async #numbers(
    runId: string,
    selection: RowSelection,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlySet<number>> {
    const selected = new Set<number>();
    for await (const { numbers = [] } of this.#deps.runData.selectedRows(runId, selection)) {
      signal?.throwIfAborted();
      for (const number of numbers) selected.add(number);
    }
    return selected;
  }
}
