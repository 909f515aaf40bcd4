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
  rowFormatOfName,
  rowsOfFile,
  type CellType,
  type InputFieldView,
  type JsonObject,
  type NodeForm,
} from '#contract';
import { ControlError } from '../../../api/control-error.ts';
import { downloadTestRows } from '../../entry/entry-actions.ts';
import { SheetModel } from '../../entry/grid/sheet-model.ts';
import { typeLabels } from '../../entry/grid/type-labels.ts';
import type { Session } from '../../live/session.svelte.ts';
import type { EditorSession } from './editor-session.svelte.ts';
import { unopenedMessage } from './unopened-messages.ts';

type TestRowsDeps = {
  readonly server: Pick<Session, 'download'>;
  readonly workflowId: string;
  /** Undefined where the file can only be read. */
  readonly session: EditorSession | undefined;
};

type KnownRows = {
  readonly rows: readonly JsonObject[];
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
  readonly #mutex = new Mutex();
  #known = $state.raw<KnownRows>();
  #problem = $state<string>();
  /** Changes of the grid that are not in the texts yet. */
  #pending = 0;

  constructor(deps: TestRowsDeps) {
    this.#deps = deps;
    deps.session?.flushBy('rows', () => this.#mutex.settled());
    // The draft has the steps of undo.
    const after = (act: 'undo' | 'redo'): undefined =>
      void this.#mutex.run(() => Promise.resolve(deps.session?.[act]()));
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
    return this.#problem;
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
    return this.#mutex.run(async () => {
      if (this.#pending > 0) return;
      try {
        const known = await this.#read();
        if (known === undefined) return;
        this.#problem = undefined;
        this.#show({ fields, ...known });
      } catch (error) {
        this.#problem = errorText(error);
      }
    });
  }

  /** Shows the rows, unless the user has changed them by now. */
  #show(known: KnownRows): void {
    const { sheet } = this;
    this.#known = known;
    if (this.#pending > 0) return;
    const { rows, fields = [], reason } = known;
    if (!isSameJson(fields, sheet.fields)) sheet.setFields(fields);
    const shown = alignRows(rows, sheet.toRows());
    if (shown.length !== rows.length || shown.some((row, index) => row !== rows[index])) sheet.load(rows);
    sheet.isReadOnly = reason !== undefined;
  }

  /** The sheet is about to change. */
  #change(): void {
    this.#pending += 1;
    const changed = Promise.resolve().then(() => this.sheet.toRows());
    void this.#mutex.run(async () => {
      const known = this.#known;
      try {
        if (known !== undefined) await this.#write(known, await changed);
        this.#problem = undefined;
      } catch (error) {
        this.#problem = errorText(error);
      }
      this.#pending -= 1;
      // The grid has what the text has: a change that was refused is taken out of it.
      const now = (await this.#read().catch(() => undefined)) ?? known;
      if (now !== undefined) this.#show(now);
    });
  }

  /** Undefined if the texts change meanwhile, or cannot be read. Throws an error with a message for the user. */
  async #read(): Promise<KnownRows | undefined> {
    const { session } = this.#deps;
    if (session === undefined) return this.#readSaved('');
    const nodes = session.checked?.nodes ?? [];
    const input = nodes.find(({ type }) => type === 'input');
    if (nodes.length > 0 && input === undefined)
      throw new Error('The draft has no input node that could have test rows.');
    const form = input && (await session.ask('form', { nodeId: input.id }));
    return form?.kind === 'form' ? this.#rowsOf(form, session) : undefined;
  }

  async #rowsOf(form: NodeForm, session: EditorSession): Promise<KnownRows> {
    const testRows = form.node['testRows'] ?? [];
    const fields = fieldsOf(form);
    const reason = session.isElsewhere ? 'Another window edits this workflow.' : undefined;
    if (Array.isArray(testRows)) return { rows: testRows as readonly JsonObject[], fields, form, reason };
    const file = typeof testRows === 'string' ? session.file(testRows) : undefined;
    if (file?.exists !== true || rowFormatOfName(file.name) === undefined)
      return this.#readSaved(unchangeable(session, testRows));
    const rowFile = { name: file.name, text: file.text, fields };
    return { rows: rowsOfFile(rowFile), fields, file: rowFile, reason };
  }

  async #readSaved(reason: string): Promise<KnownRows> {
    const { server, workflowId } = this.#deps;
    const rows = await downloadTestRows(server, workflowId).catch((error: unknown) => {
      if (error instanceof ControlError && error.code === 'row_set_not_found') return [];
      throw error;
    });
    return { rows, reason };
  }

  async #write(known: KnownRows, changed: readonly JsonObject[]): Promise<void> {
    const session = this.#deps.session;
    const now = await this.#read();
    if (session === undefined || now === undefined || !isSameJson(now.rows, known.rows))
      throw new Error('The test rows changed at the same moment: try again.');
    const rows = alignRows(known.rows, changed);
    const { file, form } = now;
    if (file !== undefined) {
      const text = editRowText(file, rows);
      if (text === undefined)
        throw new Error(`${file.name} cannot hold this change: make it in the text of the file.`);
      const changes = session.file(file.name)?.differenceTo(text) ?? [];
      await session.applyToFiles([{ name: file.name, changes }], label);
    } else if (form !== undefined && !isSameJson(rows, known.rows)) {
      const { path } = form;
      const isNew = form.node['testRows'] === undefined;
      const refusal = await session.edit(
        isNew
          ? [{ kind: 'insertKey', path, key: 'testRows', value: rows }]
          : [{ kind: 'setValue', path: [...path, 'testRows'], value: rows }],
        label,
      );
      if (refusal !== undefined) throw new Error(refusal.reason);
    }
  }
}

/** Why the editor does not change the rows that the input node names. */
function unchangeable(session: EditorSession, testRows: unknown): string {
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
