// One export of the export dialog: it saves the file, follows the progress, and can be cancelled.
import { shortId, type ExportInput, type ExportProgressView } from '#contract';
import type { App } from '../../shell/app.svelte.ts';
import { browserTarget, saveStream, type SaveTarget } from './save-stream.ts';

const fileTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
} as const;

/** Interval between questions for the progress, in ms. */
const progressMs = 300;

export type SavedExport = {
  /** Name of the file. */
  readonly name: string;
  /** Rows and lines of the file; undefined if the server does not say. */
  readonly written: { readonly rows: number; readonly lines: number } | undefined;
};

export class ExportRun {
  readonly #app: Pick<App, 'session'>;
  readonly #workflowId: string;
  #progress = $state.raw<ExportProgressView>();
  #cancelling: AbortController | undefined;

  constructor(app: Pick<App, 'session'>, workflowId: string) {
    this.#app = app;
    this.#workflowId = workflowId;
  }

  /** Undefined until the server has begun. */
  get progress(): ExportProgressView | undefined {
    return this.#progress;
  }

  /** Saves the file. Undefined if the user cancelled. */
  async save(
    runId: string,
    input: ExportInput,
    target: SaveTarget = browserTarget(),
  ): Promise<SavedExport | undefined> {
    const { format } = input.options;
    const name = `${this.#workflowId}-${shortId(runId).slice(1)}.${format}`;
    const exportId = crypto.randomUUID();
    const cancelling = new AbortController();
    const { signal } = cancelling;
    this.#cancelling = cancelling;
    this.#progress = undefined;
    const polling = setInterval(() => void this.#ask(exportId), progressMs);
    const body = { ...input, exportId };
    try {
      const open = () => this.#app.session.download(`/runs/${runId}/export`, signal, body);
      const isSaved = await saveStream({ name, type: fileTypes[format] }, open, target);
      return isSaved ? { name, written: await this.#writtenBy(exportId) } : undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      clearInterval(polling);
      this.#cancelling = undefined;
    }
  }

  /** Ends the export. No file is left. */
  cancel(): void {
    this.#cancelling?.abort();
  }

  async #ask(exportId: string): Promise<void> {
    const progress = await this.#readProgress(exportId);
    if (progress !== null && this.#cancelling !== undefined) this.#progress = progress;
  }

  async #writtenBy(exportId: string): Promise<SavedExport['written']> {
    const progress = await this.#readProgress(exportId);
    return progress?.lines === undefined ? undefined : { rows: progress.total, lines: progress.lines };
  }

  /** Progress that cannot be read is no problem of the export. */
  #readProgress(exportId: string): Promise<ExportProgressView | null> {
    return this.#app.session.call('run.exportProgress', { exportId }).catch(() => null);
  }
}
