// Rows that the user prepares for a workflow: the sheet that every view shows, the options of the run, and the run that
// the rows come from. Kept in memory only: rows are private and go when the page is closed.
import type { JsonObject, StartInput } from '#contract';
import { SheetModel } from '../sheet/sheet-model.ts';
import type { InputField } from '../sheet/sheet-columns.ts';
import { FileImport } from './file-import.svelte.ts';
import { readJsonText, type TextProblem } from './json-text.ts';
import { runNumbers } from './rows-body.ts';

/** The run whose rows these are. */
export type DraftOrigin = { readonly runId: string; readonly rows: 'all' | 'failed' };

/** How the run is to go; the rest of what it may be asked is known by the draft. */
export type RunWish = Omit<StartInput, 'rerunOf'>;

/** Text typed as JSON, and the edition of the sheet that it was typed over. */
type TypedText = { readonly text: string; readonly over: number };

export class EntryDraft {
  readonly sheet: SheetModel;
  readonly file = new FileImport();
  wish = $state.raw<RunWish>({});
  /** Rises with each set that its rows were kept as: lists of sets are read again then. */
  setsKept = $state(0);
  /** The form's row, from 0. */
  formRow = $state(0);
  #typed = $state.raw<TypedText | undefined>();
  #origin = $state.raw<DraftOrigin | undefined>();
  /** The edition of the sheet that is kept elsewhere, too. */
  #sentEdition = $state.raw(0);
  #loading = $state.raw<string | undefined>();

  constructor(fields: readonly InputField[]) {
    this.sheet = new SheetModel(fields);
  }

  /** Undefined once none of the rows comes from it any more. */
  get origin(): DraftOrigin | undefined {
    if (this.#origin === undefined) return undefined;
    return this.sheet.rows.some(({ origin }) => origin !== undefined) ? this.#origin : undefined;
  }

  /** The rows that are on their way, in a word for a person. */
  get loading(): string | undefined {
    return this.#loading;
  }

  /** JSON text that is not in the sheet yet; it stays until the sheet has it or the user discards it. */
  get text(): string | undefined {
    return this.#typed?.text;
  }

  /** Whether the rows have changed beside the text: which of the two counts is for the person to say. */
  get isTextApart(): boolean {
    return this.#typed !== undefined && this.#typed.over !== this.sheet.edition;
  }

  /** Why the text is not in the sheet. */
  get textTrouble(): string | undefined {
    if (this.#typed === undefined) return undefined;
    return this.isTextApart
      ? 'The rows and the text under JSON differ: one of the two has to go.'
      : 'The text under JSON cannot be read yet.';
  }

  /** Why its rows are neither to be run nor kept: others are meant. */
  get held(): string | undefined {
    return this.#loading === undefined ? this.textTrouble : `Loading ${this.#loading}…`;
  }

  /** Whether something would be lost with the page. */
  get isUnsent(): boolean {
    return this.text !== undefined || (this.sheet.edition !== this.#sentEdition && this.sheet.rowCount > 0);
  }

  /** The numbers that the rows keep in a rerun; undefined where rows came in between that have none. */
  get numbers(): readonly number[] | undefined {
    return this.origin === undefined ? undefined : runNumbers(this.sheet.rows);
  }

  /** The options to start the run with. */
  get start(): StartInput {
    const { origin } = this;
    return origin === undefined ? this.wish : { ...this.wish, rerunOf: origin.runId };
  }

  /** Brings rows, and holds those back that are there until it is known what came. */
  async bring(what: string, rows: () => Promise<void>): Promise<void> {
    this.#loading = what;
    try {
      await rows();
    } finally {
      this.#loading = undefined;
    }
  }

  /** Other rows in place of all; one step back leads to those before. */
  takeRows(rows: readonly JsonObject[], label: string): void {
    this.#origin = undefined;
    this.sheet.replace(rows, { label });
  }

  /** Rows of a run, to be edited and run again under their numbers. */
  takeRun(rows: readonly JsonObject[], numbers: readonly number[], origin: DraftOrigin): void {
    this.#origin = origin;
    this.sheet.replace(rows, { label: 'rows of a run', numbers });
  }

  /** Rows below those that are there. */
  addRows(rows: readonly JsonObject[], label: string): void {
    this.sheet.replace([...this.sheet.eachRow(), ...rows], { label, numbers: this.#origins() });
  }

  /** Takes the text in place of the rows that it was typed over, or says why it cannot be read. */
  typeText(text: string): TextProblem | undefined {
    const { rows, problem } = readJsonText(text);
    if (rows === undefined || this.isTextApart) {
      this.#typed = { text, over: this.#typed?.over ?? this.sheet.edition };
    } else {
      this.#typed = undefined;
      this.#takeEdited(rows);
    }
    return problem;
  }

  /** The text is to take the place of the rows that came beside it, too. */
  preferText(): void {
    if (this.#typed === undefined) return;
    this.#typed = { ...this.#typed, over: this.sheet.edition };
    this.typeText(this.#typed.text);
  }

  dropText(): void {
    this.#typed = undefined;
  }

  /** The same rows as they were edited as a text: as many as before are the same ones. */
  #takeEdited(rows: readonly JsonObject[]): void {
    const isSameCount = rows.length === this.sheet.rowCount;
    this.sheet.replace(rows, { label: 'edit as JSON', ...(isSameCount ? { numbers: this.#origins() } : {}) });
  }

  /** The rows are new ones of their own from here on. */
  unlink(): void {
    this.#origin = undefined;
  }

  /** The rows of that edition are kept elsewhere, too. */
  sent(edition = this.sheet.edition): void {
    this.#sentEdition = edition;
  }

  #origins(): readonly (number | undefined)[] {
    return this.sheet.rows.map(({ origin }) => origin);
  }
}
