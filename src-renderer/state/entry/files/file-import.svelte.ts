// Imports a file of rows: reads it and shows a preview before the user adds its rows.
import {
  AppError,
  errorText,
  mapRow,
  renameRow,
  type CellType,
  type ColumnRepair,
  type JsonObject,
  type ReadOptions,
} from '#contract';
import { feedField, readColumns, type FileColumn, type FileTable } from '../column-types.ts';
import { columnCauses, type ColumnCause } from './file-causes.ts';
import { rememberedColumns, type MappingMemory, type RememberedMapping } from './mapping-memory.ts';
import { readFileLines } from './file-lines.ts';
import { pageMessage, remediesOf, type ChoiceName } from './read-choices.ts';
import { readRowsFile, type LoadSheet, type RowsFile } from './read-rows-file.ts';
import type { PreviewedFile } from './previewed-file.ts';
import { maxSheetRows } from '../rows-text.ts';
import { LatestOnly } from '../../latest-only.ts';
import { createYieldToMain } from '../yield-to-main.ts';

type Declared = FileTable['fields'];

export type ImportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly name: string; readonly share: number }
  | {
      readonly kind: 'failed';
      readonly name: string;
      readonly text: string;
      /** The choices that may help. */
      readonly remedies: readonly ChoiceName[];
    }
  | ReadState;

type ReadState = {
  readonly kind: 'read';
  readonly file: RowsFile;
  readonly columns: readonly FileColumn[];
  /** When the mapping was saved that the columns have; undefined if they are guessed or changed anew. */
  readonly rememberedAt: string | undefined;
};

/** How columns are mapped, and when that was saved; undefined: it was not. */
type ColumnMappings = Pick<RememberedMapping, 'columns'> & { readonly savedAt: string | undefined };

/** The mapping of a file that is read: that of an earlier file, guesses, or the one that the preview has. */
type MappingChoice = 'remembered' | 'guessed' | ColumnMappings;

export type ImportDeps = {
  /** Reads workbooks. */
  readonly readSheet?: LoadSheet | undefined;
  /** Mappings of earlier files. */
  readonly memory?: MappingMemory | undefined;
};

export class FileImport {
  #state = $state.raw<ImportState>({ kind: 'none' });
  #file: File | undefined;
  #reading: ImportDeps = {};
  #isReadingAgain = $state(false);
  /** Choices of the user about how the file is read. */
  #options = $state.raw<ReadOptions>({});
  /** The encoding that the file seems to have: a guess, which the user checks. */
  #guessedEncoding = $state<string>();
  /** Names of the columns as they are read without choices; the memory finds a mapping by them. */
  #namesWithoutChoices: readonly string[] = [];
  /** Fields of the workflow's input node. */
  #fields: Declared = [];
  readonly #latest = new LatestOnly();

  /** The rows that the page holds, with the values and names of the grid. */
  readonly #rows = $derived.by(() => {
    if (this.#state.kind !== 'read') return [];
    const { file, columns } = this.#state;
    return file.rows.map(mapperOf(file, columns));
  });

  readonly #causes = $derived.by(() => {
    if (this.#state.kind !== 'read') return [];
    const { file, columns } = this.#state;
    return columnCauses(columns, file);
  });

  get state(): ImportState {
    return this.#state;
  }

  /** Choices of the user about how the file is read. */
  get options(): ReadOptions {
    return this.#options;
  }

  /** The file in the preview; undefined while there is none. */
  get previewed(): PreviewedFile | undefined {
    const [source, state] = [this.#file, this.#state];
    if (source === undefined || state.kind !== 'read') return undefined;
    return { source, read: state.file, columns: state.columns, options: this.#options };
  }

  /** The encoding in which the file is read because it seems to have it; undefined if that is certain, or chosen. */
  get guessedEncoding(): string | undefined {
    return this.#guessedEncoding === this.#options.encoding ? this.#guessedEncoding : undefined;
  }

  /** True if the file in the preview is being read with other choices. */
  get isReadingAgain(): boolean {
    return this.#isReadingAgain;
  }

  /** True if a file is being read or previewed. */
  get isInHand(): boolean {
    return this.#state.kind === 'reading' || this.#state.kind === 'read';
  }

  get rows(): readonly JsonObject[] {
    return this.#rows;
  }

  get causes(): readonly ColumnCause[] {
    return this.#causes;
  }

  /** The first rows as the grid would have them. */
  firstRows(maxRows: number): readonly JsonObject[] {
    if (this.#state.kind !== 'read') return [];
    const { file, columns } = this.#state;
    return file.rows.slice(0, maxRows).map(mapperOf(file, columns));
  }

  /** Lines of a text file as they are written, by their numbers from 1. Rejects if the file is gone. */
  async linesOf(numbers: readonly number[]): Promise<readonly string[]> {
    const file = this.#file;
    return file === undefined ? [] : readFileLines(file, numbers, this.#options);
  }

  /** Reads a file; errors are in `state`. A file that is chosen meanwhile replaces it. Never rejects. */
  async read(file: File, declared: Declared, reading: ImportDeps): Promise<void> {
    this.clear();
    this.#reading = reading;
    this.#file = file;
    this.#fields = declared;
    this.#namesWithoutChoices = [];
    await this.#read({}, 'remembered');
  }

  /** Reads the file again with those choices, which replace earlier ones of the same names. */
  async choose(options: ReadOptions): Promise<void> {
    // Another sheet has other columns, and its own header.
    const others = options.sheet === undefined ? this.#options : {};
    if ('encoding' in options) this.#guessedEncoding = undefined;
    await this.#read(definedOnly({ ...others, ...options }), 'guessed');
  }

  /** Reads the file again without lines that are too short or too long, or with them. The mapping of columns stays. */
  async skip(skip: ReadOptions['skip']): Promise<void> {
    if (this.#state.kind !== 'read') return;
    const { columns, rememberedAt } = this.#state;
    await this.#read(definedOnly({ ...this.#options, skip }), { columns, savedAt: rememberedAt });
  }

  /** Reads the file again without choices and without the mapping of an earlier file. */
  async startAnew(): Promise<void> {
    await this.#read({}, 'guessed');
  }

  async #read(options: ReadOptions, mapping: MappingChoice): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    const { readSheet, memory } = this.#reading;
    const signal = this.#latest.start();
    const { name } = file;
    this.#options = options;
    // A preview stays while the file is read again, so that the focus does.
    if (this.#state.kind === 'read') this.#isReadingAgain = true;
    else this.#state = { kind: 'reading', name, share: 0 };
    try {
      const read = await readRowsFile(file, {
        options,
        readSheet,
        maxRows: maxSheetRows,
        signal,
        onProgress: (share) => this.#showProgress(signal, { kind: 'reading', name, share }),
      });
      await createYieldToMain(signal)();
      if (this.#isUnchosen(options)) this.#namesWithoutChoices = read.columns;
      const remembered = mapping === 'remembered' ? memory?.find(this.#namesWithoutChoices) : undefined;
      const choices = remembered?.options ?? {};
      const isReadAsRemembered = Object.keys(options).length >= Object.keys(choices).length;
      if (isReadAsRemembered)
        await this.#preview(read, typeof mapping === 'object' ? mapping : remembered, signal);
      else await this.#read(choices, mapping);
    } catch (error) {
      if (!signal.aborted) await this.#recover(error, name, mapping);
    }
  }

  /** Reads the file in the encoding that it seems to have, or shows the error. */
  async #recover(error: unknown, name: string, mapping: MappingChoice): Promise<void> {
    const encoding = error instanceof AppError ? error.detail.encoding : undefined;
    if (encoding !== undefined && this.#options.encoding === undefined) {
      this.#guessedEncoding = encoding;
      return this.#read({ ...this.#options, encoding }, mapping);
    }
    this.#isReadingAgain = false;
    const text = errorText(error);
    const remedies = remediesOf(text, this.#options);
    this.#state = { kind: 'failed', name, text: pageMessage(text), remedies };
  }

  /** True if the user has chosen nothing. */
  #isUnchosen({ encoding, ...others }: ReadOptions): boolean {
    return Object.keys(others).length === 0 && (encoding === undefined || encoding === this.#guessedEncoding);
  }

  async #preview(file: RowsFile, mapping: ColumnMappings | undefined, signal: AbortSignal): Promise<void> {
    const columns = this.#columnsOf(file, mapping);
    await createYieldToMain(signal)();
    if (signal.aborted) return;
    this.#isReadingAgain = false;
    this.#state = { kind: 'read', file, columns, rememberedAt: mapping?.savedAt };
  }

  #showProgress(signal: AbortSignal, state: ImportState): void {
    if (!signal.aborted && !this.#isReadingAgain) this.#state = state;
  }

  #columnsOf(file: RowsFile, mapping: ColumnMappings | undefined): readonly FileColumn[] {
    const guessed = readColumns(file.columns, this.#tableOf(file));
    return mapping === undefined ? guessed : rememberedColumns(guessed, mapping.columns, this.#fields);
  }

  /** Remembers the mapping for files with the same names. */
  remember(savedAt: string): void {
    if (this.#state.kind !== 'read' || this.#namesWithoutChoices.length === 0) return;
    const { columns } = this.#state;
    this.#reading.memory?.save(this.#namesWithoutChoices, { savedAt, options: this.#options, columns });
  }

  retype(name: string, type: CellType): void {
    this.#change((columns) => columns.map((column) => (column.name === name ? { ...column, type } : column)));
  }

  /** Feeds the field by that column; without a name, by none. */
  feed(field: string, name: string | undefined): void {
    this.#change((columns, table) => feedField(columns, { field, name }, table));
  }

  /** Takes the column as an extra column, or leaves it out. */
  take(name: string, isTaken: boolean): void {
    const target = isTaken ? name : undefined;
    this.#change((columns) =>
      columns.map((column) => (column.name === name ? { ...column, target } : column)),
    );
  }

  /** Repairs the cells of a column, in place of an earlier repair of the kind. */
  repair(name: string, repair: ColumnRepair): void {
    this.#changeRepairs(name, (repairs) => [...repairs.filter(({ kind }) => kind !== repair.kind), repair]);
  }

  /** Takes the repair of a cause back. */
  undo({ column, fixes: [fix], undone }: ColumnCause): void {
    this.#changeRepairs(column, (repairs) => [
      ...repairs.filter(({ kind }) => kind !== fix?.repair.kind),
      ...(undone === undefined ? [] : [undone]),
    ]);
  }

  #changeRepairs(name: string, change: (repairs: readonly ColumnRepair[]) => readonly ColumnRepair[]): void {
    this.#change((columns) =>
      columns.map((column) =>
        column.name === name ? { ...column, repairs: change(column.repairs) } : column,
      ),
    );
  }

  #change(edit: (columns: readonly FileColumn[], table: FileTable) => readonly FileColumn[]): void {
    if (this.#state.kind !== 'read') return;
    const { file, columns } = this.#state;
    this.#state = { ...this.#state, columns: edit(columns, this.#tableOf(file)) };
  }

  #tableOf({ rows, cells }: RowsFile): FileTable {
    return { rows, cells, fields: this.#fields };
  }

  clear(): void {
    this.#latest.cancel();
    this.#file = undefined;
    this.#options = {};
    this.#guessedEncoding = undefined;
    this.#isReadingAgain = false;
    this.#state = { kind: 'none' };
  }
}

/** True if the cells of the file are texts that have to be converted to values. */
export const isTable = ({ format }: RowsFile): boolean => format === 'csv' || format === 'tsv';

function mapperOf(file: RowsFile, columns: readonly FileColumn[]): (row: JsonObject) => JsonObject {
  if (isTable(file) || file.format === 'xlsx') return (row) => mapRow(row, columns);
  return columns.every(({ name, target }) => name === target)
    ? (row) => row
    : (row) => renameRow(row, columns);
}

const definedOnly = (options: ReadOptions): ReadOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
