// What the nodes of an edited workflow give for a few rows, while its text changes. Who calls: the workflow's screen, with
// each text of the editor; its strip of rows, graph and tab of values show the answers.
//
// INVARIANT: an answer is shown as old until it is of the editor's text. Nothing here calls a service but `callOnce`, or writes a file but `keepAnswer`.
import {
  errorText,
  type CallOnce,
  type JsonObject,
  type JsonValue,
  type Preview,
  type PreviewedField,
  type PreviewedRow,
  type PreviewMode,
  type PreviewRowsInput,
  type PreviewValueView,
} from '#contract';
import { LatestOnly } from '../../latest-only.ts';
import type { Session } from '../../live/session.svelte.ts';
import type { EditorSession } from '../files/editor-session.svelte.ts';
import { cardsOf, type CardPreview } from './preview-cards.ts';

/** Rows of a preview, and how the user calls them. */
type PreviewRowsSource = { readonly input: PreviewRowsInput; readonly label: string };

/** One item of a node with `each`: the value that the node gives for it, or with `isRead` the item itself. */
export type ItemOfValue = { readonly item?: number; readonly isRead?: boolean };

type LivePreviewOptions = {
  readonly call: Session['call'];
  readonly ask: EditorSession['ask'];
  readonly workflowId: string;
  /** Pause in typing before the text is run, in ms. */
  readonly pauseMs?: number;
};

export const testRowsSource: PreviewRowsSource = { input: { of: 'testRows' }, label: 'Test rows' };

/** Maximum rows of a preview. */
export const maxPreviewRows = 10;
const usualPauseMs = 60;

export class LivePreview {
  readonly #call: Session['call'];
  readonly #ask: EditorSession['ask'];
  readonly #workflowId: string;
  readonly #pauseMs: number;
  readonly #latest = new LatestOnly();
  #text = $state.raw<string>();
  /** The changed files of rows, as one text. */
  #tables = '';
  #shownText = $state.raw<string>();
  #shown = $state.raw<Preview>();
  #issues = $state.raw<Preview['issues']>([]);
  #problem = $state<string>();
  #source = $state.raw(testRowsSource);
  #mode = $state<PreviewMode>('mocks');
  #profile = $state<string>();
  #values = $state.raw<JsonObject>({});
  /** Node whose expressions are requested with their values. */
  #fieldsOf: string | undefined;
  #shownFieldsOf = $state<string>();
  #item = $state<number>();
  #number = $state<number>();
  #testRows = $state<number>();
  /** Answers by row and node. */
  #answers = $state.raw<Readonly<Record<string, CallOnce>>>({});
  readonly #row = $derived(this.rows.find(({ number }) => number === this.#number) ?? this.rows[0]);
  readonly #cards = $derived(cardsOf(this.rows, this.#row));

  constructor({ call, ask, workflowId, pauseMs = usualPauseMs }: LivePreviewOptions) {
    this.#call = call;
    this.#ask = ask;
    this.#workflowId = workflowId;
    this.#pauseMs = pauseMs;
  }

  /** Rows of the last preview that had some. */
  get rows(): readonly PreviewedRow[] {
    return this.#shown?.rows ?? [];
  }

  /** Duration of that preview on the server, in ms; undefined before the first. */
  get ms(): number | undefined {
    return this.#shown?.ms;
  }

  /** True if the row is made up, since the draft has no test rows. */
  get isSampleRow(): boolean {
    return this.#shown?.isSampleRow === true;
  }

  /** Id of the last run, whose rows stand in for test rows; undefined if there are test rows, or no run. */
  get ofRun(): string | undefined {
    return this.#shown?.ofRun;
  }

  /** Test rows of the draft, as far as a preview reads them; undefined until one has read them. */
  get testRows(): number | undefined {
    return this.#testRows;
  }

  /** True if the values are of an earlier text. */
  get isOld(): boolean {
    return this.#shownText !== this.#text || this.#issues.length > 0 || this.#problem !== undefined;
  }

  /** Why the newest text does not run; empty for one that does. */
  get issues(): Preview['issues'] {
    return this.#issues;
  }

  /** Why there is no preview, such as that the workflow is not trusted. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get source(): PreviewRowsSource {
    return this.#source;
  }

  get mode(): PreviewMode {
    return this.#mode;
  }

  /** Name of the profile that the user chose; empty: the defaults of the file; undefined: that of the server. */
  get profile(): string | undefined {
    return this.#profile;
  }

  /** Name of the profile whose values the shown rows have; undefined: the defaults of the file. */
  get shownProfile(): string | undefined {
    return this.#shown?.profile;
  }

  /** The chosen row. */
  get row(): PreviewedRow | undefined {
    return this.#row;
  }

  /** Values that nodes are taken to give, by node id: only in the preview, never in the file. */
  get values(): JsonObject {
    return this.#values;
  }

  /** Node whose expressions the chosen row has with their values; undefined for none. */
  get shownFieldsOf(): string | undefined {
    return this.#shownFieldsOf;
  }

  /** Item of that node for which its values and expressions are, from 1; undefined: all items, and expressions for the first. */
  get item(): number | undefined {
    return this.#item;
  }

  chooseItem(item: number | undefined): void {
    if (item === this.#item) return;
    this.#item = item;
    void this.refresh();
  }

  /** The expressions of the node with their values in the chosen row; none if they are not known. */
  fieldsOf(nodeId: string): readonly PreviewedField[] {
    return nodeId === this.#shownFieldsOf ? (this.#row?.fields ?? []) : [];
  }

  cardOf(nodeId: string): CardPreview | undefined {
    const card = this.#cards.get(nodeId);
    const attempts = this.answerOf(nodeId)?.attempts.length ?? 0;
    return card && attempts > 1 ? { ...card, node: { ...card.node, attempts } } : card;
  }

  /** Result of the last call that the user asked for, of the node in the chosen row. */
  answerOf(nodeId: string): CallOnce | undefined {
    return this.#row === undefined ? undefined : this.#answers[answerKey(this.#row.number, nodeId)];
  }

  /** The text of the editor. The first one runs at once, later ones after a pause in typing. */
  follow(text: string, tables = ''): void {
    if (text === this.#text && tables === this.#tables) return;
    const isFirst = this.#text === undefined;
    this.#text = text;
    this.#tables = tables;
    if (isFirst) void this.refresh();
    else this.#refreshLater();
  }

  /** Node whose expressions get values too; undefined for none. */
  followFields(nodeId: string | undefined): void {
    if (nodeId === this.#fieldsOf) return;
    this.#fieldsOf = nodeId;
    this.#item = undefined;
    if (nodeId !== undefined && this.#text !== undefined) this.#refreshLater();
  }

  choose(number: number): void {
    this.#number = number;
  }

  /** Chooses the next or the previous row, around the ends. */
  step(by: 1 | -1): void {
    const index = this.rows.findIndex(({ number }) => number === this.#row?.number);
    const next = this.rows.at((index + by) % Math.max(1, this.rows.length));
    if (next !== undefined) this.#number = next.number;
  }

  chooseRows(source: PreviewRowsSource): void {
    void this.showRows(source);
  }

  /** Resolves once the rows have run. @param number the row to choose; default: the first */
  async showRows(source: PreviewRowsSource, number?: number): Promise<void> {
    this.#source = source;
    // They may change while other rows are shown: there are some, but it is not known how many.
    if (source.input.of !== 'testRows' && this.#testRows !== undefined && this.#testRows > 0)
      this.#testRows = maxPreviewRows;
    this.#number = number;
    await this.refresh();
  }

  chooseMode(mode: PreviewMode): void {
    this.#mode = mode;
    void this.refresh();
  }

  /** @param name empty: the defaults of the file */
  chooseProfile(name: string): void {
    this.#profile = name;
    void this.refresh();
  }

  /** @param value undefined: the node runs again */
  assume(nodeId: string, value: JsonValue | undefined): void {
    const others = Object.entries(this.#values).filter(([id]) => id !== nodeId);
    this.#values = Object.fromEntries(value === undefined ? others : [...others, [nodeId, value]]);
    void this.refresh();
  }

  /** Runs the text now. Never rejects. */
  async refresh(): Promise<void> {
    const { text, fieldsOf } = { text: this.#text, fieldsOf: this.#requestedFieldsOf() };
    if (text === undefined) return;
    const signal = this.#latest.start();
    try {
      const preview = await this.#ask('preview', {
        rows: this.#source.input,
        mode: this.#mode,
        values: this.#values,
        ...(fieldsOf === undefined ? {} : { fieldsOf }),
        ...(this.#item === undefined ? {} : { item: this.#item }),
        ...(this.#profile === undefined ? {} : { profile: this.#profile }),
      });
      if (signal.aborted) return;
      // Undefined: another file changed at the same moment.
      if (preview === undefined) this.#refreshLater();
      else if (preview.superseded !== true) this.#show(preview, text, fieldsOf);
    } catch (error) {
      if (!signal.aborted) this.#problem = errorText(error);
    }
  }

  /**
   * Makes the node's call for the chosen row, with the attempts of its `retry`, and shows the row with the answer.
   * @param isAgain true: a call that was made before is made again
   */
  async callOnce(nodeId: string, isAgain = false): Promise<CallOnce | undefined> {
    const [text, row] = [this.#text, this.#row];
    if (text === undefined || row === undefined) return undefined;
    const made = await this.#call('author.call', {
      workflowId: this.#workflowId,
      text,
      row: row.number,
      nodeId,
      ...(isAgain ? { isAgain } : {}),
    });
    this.#answers = { ...this.#answers, [answerKey(row.number, nodeId)]: made };
    // Rows with an equal call have the same answer now.
    await this.refresh();
    return made;
  }

  /** Drops the node's answer for the chosen row: it is asked for again. */
  async forgetAnswer(nodeId: string): Promise<void> {
    const row = this.#row?.number;
    if (row === undefined) return;
    await this.#call('author.forgetAnswer', { workflowId: this.#workflowId, row, nodeId });
    const others = Object.entries(this.#answers).filter(([key]) => key !== answerKey(row, nodeId));
    this.#answers = Object.fromEntries(others);
    await this.refresh();
  }

  /** Records the node's answer for the chosen row in the cassette, whose name it resolves to. Later previews play it. */
  async keepAnswer(nodeId: string): Promise<string | undefined> {
    const row = this.#row?.number;
    if (row === undefined) return undefined;
    const { cassette } = await this.#call('author.keepAnswer', { workflowId: this.#workflowId, row, nodeId });
    if (this.#mode === 'off') this.#mode = 'mocks';
    await this.refresh();
    return cassette;
  }

  /**
   * The whole value of a node in the chosen row, as far as the server has it; undefined if there is none.
   * @param nodeId undefined: the output of the row
   */
  async value(nodeId?: string, ofItem: ItemOfValue = {}): Promise<PreviewValueView | undefined> {
    if (this.#row === undefined) return undefined;
    const address = { row: this.#row.number, ...ofItem, ...(nodeId === undefined ? {} : { nodeId }) };
    return (await this.#ask('value', address)) ?? undefined;
  }

  close(): void {
    this.#latest.cancel();
  }

  /** Expressions of a node that is too slow would stop the rows: they are requested once the node ends in time again. */
  #requestedFieldsOf(): string | undefined {
    const isSlow = this.rows.some(({ nodes }) =>
      nodes.some(({ nodeId, state }) => nodeId === this.#fieldsOf && state === 'tooSlow'),
    );
    return isSlow ? undefined : this.#fieldsOf;
  }

  #show(preview: Preview, text: string, fieldsOf: string | undefined): void {
    this.#problem = undefined;
    this.#issues = preview.issues;
    this.#shownText = text;
    if (preview.issues.length > 0) return;
    if (this.#source.input.of === 'testRows')
      this.#testRows = preview.isSampleRow || preview.ofRun !== undefined ? 0 : preview.rows.length;
    this.#shown = preview;
    this.#shownFieldsOf = fieldsOf;
    if (fieldsOf === undefined && this.#requestedFieldsOf() !== undefined) this.#refreshLater();
  }

  #refreshLater(): void {
    this.#latest.startLater(this.#pauseMs, () => void this.refresh());
  }
}

const answerKey = (row: number, nodeId: string): string => `${row} ${nodeId}`;
