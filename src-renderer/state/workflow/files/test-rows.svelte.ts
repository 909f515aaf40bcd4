// The test rows of a workflow in a grid: rows of the input node, or of the file that it names. Each change of the grid is one
// step of the draft, and the grid follows the texts. Rows whose text is not edited here are those of the saved workflow, to
// look at. Who calls: the tab of test rows, while it is in sight.
import {
  alignRows,
  editRowText,
  errorText,
  isJsonObject,
  isSameJson,
  Mutex,
  readRowFile,
  rowFormatOfName,
  type CellType,
  type InputFieldView,
  type JsonObject,
  type JsonValue,
  type NodeForm,
  type WorkflowEdit,
} from '#contract';
import { ControlError } from '../../../api/control-error.ts';
import { downloadTestRows } from '../../entry/entry-actions.ts';
import { SheetModel } from '../../entry/grid/sheet-model.ts';
import { typeLabels } from '../../entry/grid/type-labels.ts';
import { LatestOnly } from '../../latest-only.ts';
import type { Session } from '../../live/session.svelte.ts';
import type { EditPlan } from './editor-files.svelte.ts';
import type { EditorSession } from './editor-session.svelte.ts';
import { unopenedMessage } from './unopened-messages.ts';

type TestRowsDeps = {
  readonly server: Pick<Session, 'download'>;
  readonly workflowId: string;
  /** Undefined where the file can only be read. */
  readonly session: EditorSession | undefined;
};

type Rows = readonly JsonObject[];

type TableRows = {
  readonly rows: Rows;
  /** Names of all columns, in order; undefined if each row has its own fields. */
  readonly columns?: readonly string[];
};

type KnownRows = TableRows & {
  readonly fields?: readonly InputFieldView[];
  /** Form of the input node, if the rows are, or can be, in it. */
  readonly form?: NodeForm;
  /** The file that has the rows. */
  readonly file?: Parameters<typeof editRowText>[0];
  /** Why the rows can only be looked at. */
  readonly reason?: string | undefined;
};

const label = 'Edit test rows';

export class TestRows {
  readonly sheet: SheetModel;
  readonly #deps: TestRowsDeps;
  /** Changes of the grid and steps of undo, in their order. */
  readonly #changes = new Mutex();
  /** One read at a time. Of those that wait, only the newest is made. */
  readonly #reads = new Mutex();
  readonly #latest = new LatestOnly();
  readonly #unregister: (() => void) | undefined;
  #known = $state.raw<KnownRows>();
  /** Why the rows cannot be read. */
  #fault = $state<string>();
  /** Why the draft does not have the last change. */
  #refusal = $state<string>();
  /** Changes of the grid that are not in the texts yet. */
  #pending = 0;

  constructor(deps: TestRowsDeps) {
    this.#deps = deps;
    this.#unregister = deps.session?.flushBy('rows', () => this.#changes.settled());
    // The draft has the steps of undo.
    const after = (act: 'undo' | 'redo'): undefined =>
      void this.#changes.run(() => Promise.resolve(deps.session?.[act]()));
    this.sheet = new SheetModel([], {
      canUndo: false,
      canRedo: false,
      add: () => this.#change(),
      undo: () => after('undo'),
      redo: () => after('redo'),
    });
  }

  /** Name of the file that has the rows; undefined: the workflow's own. */
  get file(): string | undefined {
    return this.#known?.file?.name;
  }

  /** Why the rows can only be looked at; undefined if they can be changed. */
  get reason(): string | undefined {
    return this.#known?.reason;
  }

  /** Why the grid does not have the rows, or the draft does not have a change; undefined if all is well. */
  get problem(): string | undefined {
    return this.#refusal ?? this.#fault;
  }

  /** True once the grid has the rows. */
  get isRead(): boolean {
    return this.#known !== undefined;
  }

  /**
   * Called after each change of the texts or of the saved workflow. Never rejects.
   * @param fields input fields of the saved workflow
   */
  follow(fields: readonly InputFieldView[]): Promise<void> {
    const signal = this.#latest.start();
    return this.#reads.run(async () => {
      try {
        const known = await this.#readAfterChanges(signal);
        if (known === undefined || signal.aborted) return;
        this.#fault = undefined;
        // It stays in sight until the rows change, or the way to change them.
        const isSame = isSameRows(known.rows, this.#known?.rows) && known.reason === this.reason;
        if (!isSame) this.#refusal = undefined;
        this.#show({ fields, ...known });
      } catch (error) {
        if (!signal.aborted) this.#fault = errorText(error);
      }
    });
  }

  /** The user leaves the grid. Its changes still go into the texts. */
  async close(): Promise<void> {
    this.#latest.cancel();
    await this.#changes.settled();
    this.#unregister?.();
  }

  /** The rows with all changes of the grid; undefined if `signal` is aborted, or as for `#read`. */
  async #readAfterChanges(signal: AbortSignal): Promise<KnownRows | undefined> {
    while (!signal.aborted) {
      await this.#changes.settled();
      const known = await this.#read();
      if (this.#pending === 0) return known;
    }
    return undefined;
  }

  /** Shows the rows, unless the user has changed them by now. */
  #show(known: KnownRows): void {
    if (this.#pending > 0) return;
    const { sheet } = this;
    const { rows, fields = sheet.fields, reason } = known;
    this.#known = known;
    if (!isSameJson(fields, sheet.fields)) sheet.setFields(fields);
    if (!isSameRows(rows, sheet.toRows()) || !hasColumns(sheet, known.columns))
      sheet.load(rows, known.columns);
    sheet.isReadOnly = reason !== undefined;
  }

  /** The sheet is about to change. */
  #change(): void {
    this.#pending += 1;
    const changed = Promise.resolve().then(() => ({
      rows: this.sheet.toRows(),
      columns: this.sheet.columns.map(({ name }) => name),
    }));
    void this.#changes.run(async () => {
      let known = this.#known;
      try {
        if (known !== undefined) known = { ...known, ...(await this.#write(known, await changed)) };
        // The next change is one of these rows.
        this.#known = known;
        this.#refusal = undefined;
      } catch (error) {
        this.#refusal = errorText(error);
        known = (await this.#read().catch(() => undefined)) ?? known;
      }
      this.#pending -= 1;
      // The grid has what the text has: a change that was refused is taken out of it.
      if (known !== undefined) this.#show(known);
    });
  }

  /** Undefined if the texts change meanwhile, or cannot be read. Throws an error with a message for the user. */
  async #read(): Promise<KnownRows | undefined> {
    const { session } = this.#deps;
    if (session === undefined) return this.#readSaved('');
    const { graph } = session;
    const input = graph?.nodes.find(({ type }) => type === 'input');
    if (graph !== undefined && input === undefined)
      throw new Error('The draft has no input node that could have test rows.');
    const form = input && (await session.ask('form', { nodeId: input.id }));
    if (form?.kind === 'form') return this.#rowsOf(form, session);
    const line = form?.kind === 'broken' ? form.line : session.brokenLine;
    return line === undefined || this.#known === undefined
      ? undefined
      : { ...this.#known, reason: `Fix line ${line} first` };
  }

  async #rowsOf(form: NodeForm, session: EditorSession): Promise<KnownRows> {
    const testRows = form.node['testRows'] ?? [];
    const fields = fieldsOf(form);
    const reason = session.isElsewhere ? 'Another window edits this workflow.' : undefined;
    if (isRows(testRows)) return { rows: testRows, fields, form, reason };
    if (typeof testRows !== 'string' && !isJsonObject(testRows))
      throw new Error('Test rows are a list of objects, or the name of a file: correct them in the text.');
    const file = typeof testRows === 'string' ? session.file(testRows) : undefined;
    if (file?.exists !== true || rowFormatOfName(file.name) === undefined)
      return { ...(await this.#readSaved(unchangeable(session, testRows))), fields };
    const rowFile = { name: file.name, text: file.text, fields };
    return { ...readRowFile(rowFile), fields, file: rowFile, reason };
  }

  async #readSaved(reason: string): Promise<KnownRows> {
    const { server, workflowId } = this.#deps;
    const rows = await downloadTestRows(server, workflowId).catch((error: unknown) => {
      if (error instanceof ControlError && error.code === 'row_set_not_found') return [];
      throw error;
    });
    return { rows, reason };
  }

  /** Resolves to the rows that the draft then has. Throws an error with a message for the user. */
  async #write(before: TableRows, changed: Required<TableRows>): Promise<TableRows> {
    const { session } = this.#deps;
    let written = before;
    const refusal = await session?.applyPlan(async () => {
      const now = await this.#read();
      if (now === undefined) return undefined;
      if (now.reason !== undefined) throw new Error(now.reason);
      if (!isSameRows(now.rows, before.rows) || !isSameJson(now.columns, before.columns))
        throw new Error('The test rows changed at the same moment: try again.');
      const { file, form } = now;
      const rows = alignRows(before.rows, changed.rows);
      if (file !== undefined) {
        const text = editedText(file, { rows, columns: changed.columns });
        written = readRowFile({ ...file, text });
        return fileWith(session, file.name, text);
      }
      written = { rows };
      const isSame = form === undefined || isSameRows(rows, before.rows);
      return isSame ? { files: [] } : session.planEdit([testRowsEdit(form, rows)]);
    }, label);
    if (refusal !== undefined) throw new Error(refusal.reason);
    return written;
  }
}

/** True if both have the same values; the order of fields does not matter. */
function isSameRows(rows: Rows, shown: Rows = []): boolean {
  const aligned = alignRows(rows, shown);
  return aligned.length === rows.length && aligned.every((row, index) => row === rows[index]);
}

const isRows = (value: JsonValue): value is Rows => Array.isArray(value) && value.every(isJsonObject);

/** True if the sheet has the columns in that order, with others only for fields of the input node. */
function hasColumns(sheet: SheetModel, names: readonly string[] | undefined): boolean {
  if (names === undefined) return true;
  const known = sheet.columns.filter(({ name, field }) => field === undefined || names.includes(name));
  return isSameJson(
    known.map(({ name }) => name),
    names,
  );
}

/** Throws an error with a message for the user if the file cannot hold the rows. */
function editedText(file: NonNullable<KnownRows['file']>, to: Required<TableRows>): string {
  const text = editRowText(file, to.rows, to.columns);
  if (text === undefined)
    throw new Error(`${file.name} cannot hold this change: make it in the text of the file.`);
  return text;
}

const fileWith = (session: EditorSession, name: string, text: string): EditPlan => ({
  files: [{ name, changes: session.file(name)?.differenceTo(text) ?? [] }],
});

function testRowsEdit({ node, path }: NodeForm, value: Rows): WorkflowEdit {
  return node['testRows'] === undefined
    ? { kind: 'insertKey', path, key: 'testRows', value }
    : { kind: 'setValue', path: [...path, 'testRows'], value };
}

/** Why the editor does not change the rows that the input node names. */
function unchangeable(session: EditorSession, testRows: string | JsonObject): string {
  const unopened = session.unopened.find(({ name }) => name === testRows);
  if (unopened !== undefined) return unopenedMessage(unopened);
  return isJsonObject(testRows)
    ? 'The input node says how this file is read: change its rows in its text.'
    : 'The editor does not have this file: change its rows in another program.';
}

/** Input fields of the draft. */
function fieldsOf({ node }: NodeForm): readonly InputFieldView[] {
  const fields = isJsonObject(node['fields']) ? node['fields'] : {};
  return Object.entries(fields).map(([name, field]) => {
    const { type, required } = isJsonObject(field) ? field : {};
    const known = typeof type === 'string' && Object.hasOwn(typeLabels, type);
    return { name, type: known ? (type as CellType) : 'any', required: required === true };
  });
}
