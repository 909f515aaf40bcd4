// Imports a file of rows: reads it and shows a preview before the user adds its rows.
import type { CellType, JsonObject } from '#contract';
import { problemText } from '../../format/problem-text.ts';
import { detectTypes, typeRows, type TypedColumn } from './column-types.ts';
import { EncodingProblem, readRowsFile, type RowsFile } from './read-rows-file.ts';
import { LatestOnly } from '../latest-only.ts';
import type { Encoding } from './text-encoding.ts';

/** Maximum rows of a sheet; more would be slow. */
export const maxSheetRows = 100_000;

type Declared = Parameters<typeof detectTypes>[1];

export type ImportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly name: string; readonly share: number }
  | { readonly kind: 'failed'; readonly name: string; readonly text: string; readonly isEncoding: boolean }
  | { readonly kind: 'read'; readonly file: RowsFile; readonly columns: readonly TypedColumn[] };

export class FileImport {
  #state = $state.raw<ImportState>({ kind: 'none' });
  #file: File | undefined;
  readonly #latest = new LatestOnly();

  /** The rows of the file. Cells of tables are converted to values. */
  readonly #typed = $derived.by(() => {
    if (this.#state.kind !== 'read') return { rows: [], troubles: [], total: 0 };
    const { file, columns } = this.#state;
    return isTable(file) ? typeRows(file.rows, columns) : { rows: file.rows, troubles: [], total: 0 };
  });

  get state(): ImportState {
    return this.#state;
  }

  /** True if a file is being read or previewed. */
  get isInHand(): boolean {
    return this.#state.kind === 'reading' || this.#state.kind === 'read';
  }

  get typed(): ReturnType<typeof typeRows> {
    return this.#typed;
  }

  get rows(): readonly JsonObject[] {
    return this.#typed.rows;
  }

  /** Reads a file; errors are in `state`. A file that is chosen meanwhile replaces it. Never rejects. */
  async read(file: File, declared: Declared, encoding?: Encoding): Promise<void> {
    this.clear();
    const signal = this.#latest.start();
    this.#file = file;
    const { name } = file;
    this.#state = { kind: 'reading', name, share: 0 };
    try {
      const read = await readRowsFile(file, {
        encoding,
        maxRows: maxSheetRows,
        signal,
        onProgress: (share) => {
          if (!signal.aborted) this.#state = { kind: 'reading', name, share };
        },
      });
      const columns = isTable(read) ? detectTypes(read.rows, declared) : [];
      if (!signal.aborted) this.#state = { kind: 'read', file: read, columns };
    } catch (error) {
      if (signal.aborted) return;
      const text = problemText(error);
      this.#state = { kind: 'failed', name, text, isEncoding: error instanceof EncodingProblem };
    }
  }

  /** Reads the same file again with another encoding. */
  async readAgain(encoding: Encoding, declared: Declared): Promise<void> {
    if (this.#file !== undefined) await this.read(this.#file, declared, encoding);
  }

  retype(name: string, type: CellType): void {
    if (this.#state.kind !== 'read') return;
    const columns = this.#state.columns.map((column) =>
      column.name === name ? { ...column, type } : column,
    );
    this.#state = { ...this.#state, columns };
  }

  clear(): void {
    this.#latest.cancel();
    this.#file = undefined;
    this.#state = { kind: 'none' };
  }
}

/** True if the cells of the file are texts that have to be converted to values. */
const isTable = ({ format }: RowsFile): boolean => format === 'csv' || format === 'tsv';
