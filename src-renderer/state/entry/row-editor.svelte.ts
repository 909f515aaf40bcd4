// Rows that the user prepares for a workflow: the sheet that every view shows, the options of the run, and the run that
// the rows come from. `RowDraft` keeps them in the data folder; the browser stores none of them.
import type { CellType, JsonObject, RowSelection, StartInput } from '#contract';
import { SheetModel } from './grid/sheet-model.ts';
import type { Row } from './grid/sheet-change.ts';
import type { InputField } from './grid/sheet-columns.ts';
import { problemsIn } from './grid/sheet-problems.ts';
import { FileImport } from './files/file-import.svelte.ts';
import type { RowFailures } from './row-failures.ts';
import { rowsToRun, type RowsToRun } from './rows-to-run.ts';
import { connectionOf, startInputOf } from './run-connection.ts';
import { readJsonText, type TextProblem } from './json-text.ts';

/** The run whose rows these are. */
export type OriginalRun = {
  readonly runId: string;
  readonly rows: 'all' | 'failed';
  /** Which of them the user has selected; absent: each of `rows`. */
  readonly selection?: RowSelection;
  /** Connection to the hosted service at which it ran; absent: it executed here. */
  readonly on?: string;
};

export const isSameOrigin = (one: OriginalRun | undefined, other: OriginalRun): boolean =>
  one?.runId === other.runId && one.rows === other.rows && one.selection === other.selection;

/** Options of the run that the user chooses; the editor itself knows the original run. */
export type RunOptions = Omit<StartInput, 'rerunOf'>;

/** Text typed as JSON, and the edition of the sheet that it is based on. */
type TypedText = { readonly text: string; readonly over: number };

/** First row of a draft: what plain rows do not say. */
export type DraftHeader = {
  readonly version: 1;
  readonly columns: readonly { readonly name: string; readonly type: CellType }[];
  readonly options: RunOptions;
  readonly origin?: OriginalRun;
  /** By row: its number in the original run. */
  readonly numbers?: readonly (number | null)[];
  /** Text typed as JSON that is not in the rows; `isNewer`: the rows were not changed after it. */
  readonly text?: { readonly text: string; readonly isNewer: boolean };
};

/** Facts about rows of a file. */
type FromFile = {
  /** Columns in the order of the file, with their types. */
  readonly columns?: DraftHeader['columns'];
  readonly readAs?: RunOptions['readAs'];
};

export class RowEditor {
  readonly sheet: SheetModel;
  readonly file = new FileImport();
  /** Number of row sets that were saved; a change makes lists of sets reload. */
  savedSetCount = $state(0);
  /** Index of the row in the form view, from 0. */
  formRow = $state(0);
  /** Text of the cause of problems whose rows the grid shows alone. */
  onlyCause = $state<string>();
  /** True if all of the failed rows run that the user fixes, not only the changed ones. */
  takesAll = $state(false);
  #options = $state.raw<RunOptions>({});
  #typed = $state.raw<TypedText | undefined>();
  #origin = $state.raw<OriginalRun | undefined>();
  #failures = $state.raw<{ readonly runId: string; readonly of: RowFailures } | undefined>();
  /** The changed rows of that state of the sheet. */
  #changed:
    | (Pick<SheetModel, 'rows' | 'columns'> & {
        readonly ran: RowFailures['ran'];
        readonly changed: ReadonlySet<Row>;
      })
    | undefined;
  /** The edition of the sheet that was last saved or run. */
  #sentEdition = $state.raw(0);
  /** The text that was last saved. */
  #sentText = $state.raw<string | undefined>();
  /** Number of changes that are not changes of the sheet. */
  #changeCount = $state.raw(0);
  #listeners: readonly (() => void)[] = [];
  #loading = $state.raw<string | undefined>();

  constructor(fields: readonly InputField[]) {
    this.sheet = new SheetModel(fields);
    this.sheet.onChange(() => this.#notify());
  }

  /** Changes with each change of rows, text, options, or link to a run. */
  get revision(): string {
    return `${this.sheet.edition}.${this.#changeCount}`;
  }

  get options(): RunOptions {
    return this.#options;
  }

  set options(options: RunOptions) {
    if (options === this.#options) return;
    this.#options = options;
    this.#changeCount += 1;
    this.#notify();
  }

  get isEmpty(): boolean {
    return this.sheet.rowCount === 0 && this.text === undefined;
  }

  /** Calls the listener after each change. */
  onChange(listener: () => void): void {
    this.#listeners = [...this.#listeners, listener];
  }

  /** Undefined if no row comes from a run. */
  get origin(): OriginalRun | undefined {
    if (this.#origin === undefined) return undefined;
    return this.sheet.rows.some(({ origin }) => origin !== undefined) ? this.#origin : undefined;
  }

  /** Why the rows failed in the run that they come from; undefined if they come from none. */
  get failures(): RowFailures | undefined {
    return this.origin !== undefined && this.#failures?.runId === this.origin.runId
      ? this.#failures.of
      : undefined;
  }

  /** The rows that differ from those of the run that they come from; undefined if they come from none. */
  get changed(): ReadonlySet<Row> | undefined {
    const { rows, columns } = this.sheet;
    const ran = this.failures?.ran;
    if (ran === undefined) return undefined;
    const known = this.#changed;
    if (known?.ran === ran && known.rows === rows && known.columns === columns) return known.changed;
    const changed = ran.changedIn(rows, columns);
    this.#changed = { ran, rows, columns, changed };
    return changed;
  }

  /** The rows that a run takes, before its sample. */
  get toRun(): RowsToRun {
    return rowsToRun(this);
  }

  /** Number of problems in them. */
  get problemCount(): number {
    return problemsIn(this.toRun);
  }

  /** Sets why rows of that run failed. */
  explain(runId: string, failures: RowFailures): void {
    this.#failures = { runId, of: failures };
  }

  /** Name of the rows that are being loaded, for the user. */
  get loading(): string | undefined {
    return this.#loading;
  }

  /** JSON text that is not in the sheet yet; it stays until it is applied or discarded. */
  get text(): string | undefined {
    return this.#typed?.text;
  }

  /** True if the rows were changed elsewhere after the text was typed, so that the user has to choose one of the two. */
  get hasTextConflict(): boolean {
    return this.#typed !== undefined && this.#typed.over !== this.sheet.edition;
  }

  /** Reason why the text is not in the sheet; undefined if there is no such text. */
  get textConflict(): string | undefined {
    if (this.#typed === undefined) return undefined;
    return this.hasTextConflict
      ? 'The rows and the text under JSON differ: discard one of them.'
      : 'The text under JSON is not valid yet.';
  }

  /** Reason why the rows cannot be run or saved now; undefined if they can. */
  get blockedReason(): string | undefined {
    return this.#loading === undefined ? this.textConflict : `Loading ${this.#loading}…`;
  }

  /** True if closing the page would lose rows or text. */
  get hasUnsavedRows(): boolean {
    const hasText = this.text !== undefined && this.text !== this.#sentText;
    return hasText || (this.sheet.edition !== this.#sentEdition && this.sheet.rowCount > 0);
  }

  /** Numbers of the rows in a rerun; undefined if rows without a number were added or rows were moved. */
  get numbers(): readonly number[] | undefined {
    return this.origin === undefined ? undefined : this.sheet.runNumbers;
  }

  /** The options to start the run with. */
  get start(): StartInput {
    return startInputOf(this.options, this.origin);
  }

  /** The connection to the hosted service at which the rows run; undefined: they run here. */
  get connection(): string | undefined {
    return connectionOf(this.options, this.origin);
  }

  /** Runs a function that loads rows. Meanwhile the current rows cannot be run or saved. */
  async whileLoading(what: string, rows: () => Promise<void>): Promise<void> {
    this.#loading = what;
    try {
      await rows();
    } finally {
      this.#loading = undefined;
    }
  }

  /** The next run takes all rows. A sample is chosen for the rows of this moment and for one run of them. */
  endSample(): void {
    const { sample, ...others } = this.#options;
    if (sample !== undefined) this.options = others;
  }

  /** Replaces all rows, as one step of the history. */
  replaceRows(rows: readonly JsonObject[], label: string, { columns = [], readAs }: FromFile = {}): void {
    this.endSample();
    this.#origin = undefined;
    this.#setReadAs(readAs);
    this.sheet.replace(rows, { label, columns });
  }

  /** Replaces all rows with rows of a run, which keep their numbers in a rerun. */
  replaceWithRun(rows: readonly JsonObject[], numbers: readonly number[], origin: OriginalRun): void {
    this.endSample();
    this.#setReadAs(undefined);
    this.#origin = origin;
    this.sheet.replace(rows, { label: 'rows of a run', numbers });
  }

  /** Appends rows below the current ones. */
  appendRows(rows: readonly JsonObject[], label: string): void {
    this.#setReadAs(undefined);
    this.sheet.replace([...this.sheet.eachRow(), ...rows], { label, numbers: this.#origins() });
  }

  /** Replaces the rows with the typed text. Returns the problem if the text is invalid. */
  typeText(text: string): TextProblem | undefined {
    const { rows, problem } = readJsonText(text);
    if (rows === undefined || this.hasTextConflict) {
      this.#setTyped({ text, over: this.#typed?.over ?? this.sheet.edition });
    } else {
      this.#setTyped(undefined);
      this.#takeEdited(rows);
    }
    return problem;
  }

  /** Replaces the rows with the typed text, even if they were changed elsewhere. */
  keepText(): void {
    if (this.#typed === undefined) return;
    this.#typed = { ...this.#typed, over: this.sheet.edition };
    this.typeText(this.#typed.text);
  }

  discardText(): void {
    this.#setTyped(undefined);
  }

  /** Restores rows, text and options that were saved as a draft. */
  restore({ columns, options, origin, numbers, text }: DraftHeader, rows: readonly JsonObject[]): void {
    this.options = options;
    this.#origin = origin;
    const known = numbers?.map((number) => number ?? undefined);
    this.sheet.replace(rows, { label: 'restored rows', columns, ...(known && { numbers: known }) });
    if (text !== undefined)
      this.#setTyped({ text: text.text, over: this.sheet.edition - (text.isNewer ? 0 : 1) });
  }

  /** The rows are those of one file, or come from somewhere else. */
  #setReadAs(readAs: RunOptions['readAs']): void {
    const { readAs: before, ...options } = this.#options;
    if (readAs !== before) this.options = readAs === undefined ? options : { ...options, readAs };
  }

  #setTyped(typed: TypedText | undefined): void {
    if (typed === this.#typed) return;
    this.#typed = typed;
    this.#changeCount += 1;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Applies rows that were edited as text. If their number is unchanged, they keep their numbers in the original run. */
  #takeEdited(rows: readonly JsonObject[]): void {
    const isSameCount = rows.length === this.sheet.rowCount;
    this.sheet.replace(rows, { label: 'edit as JSON', ...(isSameCount ? { numbers: this.#origins() } : {}) });
  }

  /** Detaches the rows from the original run, as one step of the history. */
  unlink(): void {
    const before = this.sheet.rows;
    const after = before.map(({ cells }) => ({ cells }));
    this.sheet.apply({ label: 'detach from the run', rows: { at: 0, before, after } });
  }

  /** Marks the rows of that edition, and that text, as saved or run. */
  markSaved(edition = this.sheet.edition, text?: string): void {
    this.#sentEdition = edition;
    this.#sentText = text;
  }

  #origins(): readonly (number | undefined)[] {
    return this.sheet.rows.map(({ origin }) => origin);
  }
}
