// Imports a file of rows: reads it and shows a preview before the user adds its rows.
import { errorText, type CellType, type JsonObject } from '#contract';
import {
  feedField,
  fitRows,
  fieldNames,
  readColumns,
  renameFields,
  typeRows,
  type FileColumn,
} from './column-types.ts';
import { EncodingProblem, readRowsFile, type LoadSheet, type RowsFile } from './read-rows-file.ts';
import { maxSheetRows } from './rows-text.ts';
import { LatestOnly } from '../latest-only.ts';
import { createYieldToMain } from './yield-to-main.ts';
import type { Encoding } from './text-encoding.ts';

type Declared = Parameters<typeof readColumns>[1]['fields'];

export type ImportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly name: string; readonly share: number }
  | { readonly kind: 'failed'; readonly name: string; readonly text: string; readonly isEncoding: boolean }
  | { readonly kind: 'read'; readonly file: RowsFile; readonly columns: readonly FileColumn[] };

type FileReading = {
  /** Reads workbooks. */
  readonly readSheet?: LoadSheet | undefined;
  readonly encoding?: Encoding;
  readonly sheet?: string;
};

export class FileImport {
  #state = $state.raw<ImportState>({ kind: 'none' });
  #file: File | undefined;
  #readSheet: LoadSheet | undefined;
  /** Fields of the workflow's input node. */
  #fields: Declared = [];
  readonly #latest = new LatestOnly();

  /** The rows of the file. Cells of tables are converted to values. */
  readonly #typed = $derived.by(() => {
    if (this.#state.kind !== 'read') return { rows: [], troubles: [], total: 0 };
    const { file, columns } = this.#state;
    if (isTable(file)) return typeRows(file.rows, columns);
    const rows = file.format === 'xlsx' ? fitRows(file.rows, columns) : renameFields(file.rows, columns);
    return { rows, troubles: [], total: 0 };
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
  async read(file: File, declared: Declared, { readSheet, encoding, sheet }: FileReading): Promise<void> {
    this.clear();
    this.#readSheet = readSheet;
    const signal = this.#latest.start();
    this.#file = file;
    const { name } = file;
    this.#state = { kind: 'reading', name, share: 0 };
    const yieldToMain = createYieldToMain(signal);
    try {
      const read = await readRowsFile(file, {
        encoding,
        readSheet,
        sheet,
        maxRows: maxSheetRows,
        signal,
        onProgress: (share) => {
          if (!signal.aborted) this.#state = { kind: 'reading', name, share };
        },
      });
      await yieldToMain();
      this.#fields = declared;
      // Every row of a table has the same columns.
      const names = fieldNames(isTable(read) ? read.rows.slice(0, 1) : read.rows);
      const columns = readColumns(names, { rows: read.rows, fields: declared });
      await yieldToMain();
      if (!signal.aborted) this.#state = { kind: 'read', file: read, columns };
    } catch (error) {
      if (signal.aborted) return;
      const text = errorText(error);
      this.#state = { kind: 'failed', name, text, isEncoding: error instanceof EncodingProblem };
    }
  }

  /** Reads the same file again with another encoding, or another sheet of it. */
  async readAgain(choice: Pick<FileReading, 'encoding' | 'sheet'>, declared: Declared): Promise<void> {
    if (this.#file !== undefined)
      await this.read(this.#file, declared, { ...choice, readSheet: this.#readSheet });
  }

  retype(name: string, type: CellType): void {
    this.#change((columns) => columns.map((column) => (column.name === name ? { ...column, type } : column)));
  }

  /** Feeds the field by that column; without a name, by none. */
  feed(field: string, name: string | undefined): void {
    this.#change((columns, rows) => feedField(columns, { field, name }, { rows, fields: this.#fields }));
  }

  /** Takes the column as an extra column, or leaves it out. */
  take(name: string, isTaken: boolean): void {
    const target = isTaken ? name : undefined;
    this.#change((columns) =>
      columns.map((column) => (column.name === name ? { ...column, target } : column)),
    );
  }

  #change(
    edit: (columns: readonly FileColumn[], rows: readonly JsonObject[]) => readonly FileColumn[],
  ): void {
    if (this.#state.kind !== 'read') return;
    this.#state = { ...this.#state, columns: edit(this.#state.columns, this.#state.file.rows) };
  }

  clear(): void {
    this.#latest.cancel();
    this.#file = undefined;
    this.#state = { kind: 'none' };
  }
}

/** True if the cells of the file are texts that have to be converted to values. */
export const isTable = ({ format }: RowsFile): boolean => format === 'csv' || format === 'tsv';
