// Rows that somebody prepares for a workflow: the sheet that every view shows, what the run is asked for beside them,
// and the run that they come from. In memory alone: rows are nobody's business once the page is closed.
import type { JsonObject, StartInput } from '#contract';
import { SheetModel } from '../sheet/sheet-model.ts';
import type { InputField } from '../sheet/sheet-columns.ts';
import { FileImport } from './file-import.svelte.ts';
import { runNumbers } from './rows-body.ts';

/** The run whose rows these are. */
export type DraftOrigin = { readonly runId: string; readonly rows: 'all' | 'failed' };

/** How the run is to go; the rest of what it may be asked is known by the draft. */
export type RunWish = Omit<StartInput, 'rerunOf'>;

export class EntryDraft {
  readonly sheet: SheetModel;
  readonly file = new FileImport();
  /** What is typed as JSON and is not in the sheet yet, because it cannot be read. */
  text = $state.raw<string | undefined>();
  wish = $state.raw<RunWish>({});
  /** Rises with each set that its rows were kept as: lists of sets are read again then. */
  setsKept = $state(0);
  /** The form's row, from 0. */
  formRow = $state(0);
  #origin = $state.raw<DraftOrigin | undefined>();
  #isSent = $state.raw(true);

  constructor(fields: readonly InputField[]) {
    this.sheet = new SheetModel(fields);
    this.sheet.onChange(() => {
      this.#isSent = false;
    });
  }

  /** Undefined once none of the rows comes from it any more. */
  get origin(): DraftOrigin | undefined {
    if (this.#origin === undefined) return undefined;
    return this.sheet.rows.some(({ origin }) => origin !== undefined) ? this.#origin : undefined;
  }

  /** Whether something would be lost with the page. */
  get isUnsent(): boolean {
    return !this.#isSent && this.sheet.rowCount > 0;
  }

  /** The numbers that the rows keep in a rerun; undefined where rows came in between that have none. */
  get numbers(): readonly number[] | undefined {
    return this.origin === undefined ? undefined : runNumbers(this.sheet.rows);
  }

  /** What the run is asked for. */
  get start(): StartInput {
    const { origin } = this;
    return origin === undefined ? this.wish : { ...this.wish, rerunOf: origin.runId };
  }

  /** Other rows in place of all; one step back leads to those before. */
  takeRows(rows: readonly JsonObject[], label: string): void {
    this.#origin = undefined;
    this.text = undefined;
    this.sheet.replace(rows, { label });
  }

  /** Rows of a run, to be edited and run again under their numbers. */
  takeRun(rows: readonly JsonObject[], numbers: readonly number[], origin: DraftOrigin): void {
    this.#origin = origin;
    this.text = undefined;
    this.sheet.replace(rows, { label: 'rows of a run', numbers });
  }

  /** Rows below those that are there. */
  addRows(rows: readonly JsonObject[], label: string): void {
    this.sheet.replace([...this.sheet.eachRow(), ...rows], { label, numbers: this.#origins() });
  }

  /** The same rows as they were edited as a text: as many as before are the same ones. */
  takeEdited(rows: readonly JsonObject[]): void {
    const isSameCount = rows.length === this.sheet.rowCount;
    this.sheet.replace(rows, { label: 'edit as JSON', ...(isSameCount ? { numbers: this.#origins() } : {}) });
  }

  /** The rows are new ones of their own from here on. */
  unlink(): void {
    this.#origin = undefined;
  }

  sent(): void {
    this.#isSent = true;
  }

  #origins(): readonly (number | undefined)[] {
    return this.sheet.rows.map(({ origin }) => origin);
  }
}
