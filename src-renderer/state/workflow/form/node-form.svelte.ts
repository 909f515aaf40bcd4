// The form of the selected node, or without one of the workflow, of the text that is edited. Who calls: the inspector, with
// each text and selection.
//
// INVARIANT: an edit is planned with the form of the text that it changes, never with an older one.
import { tick } from 'svelte';
import {
  errorText,
  Mutex,
  type Completions,
  type EditResult,
  type FormNames,
  type NodeForm,
  type NodeFormResult,
  type PickedValue,
  type PreviewedField,
  type QuestionAnswer,
  type QuestionInput,
  type QuestionName,
  type WorkflowEdit,
  type JsonObject,
  type PreviewedValue,
} from '#contract';
import { LatestOnly } from '../../latest-only.ts';
import type { Session } from '../../live/session.svelte.ts';
import type { Toasts } from '../../toasts.svelte.ts';
import { typingPauseMs } from '../files/editor-document.svelte.ts';
import type { EditPlan } from '../files/editor-files.svelte.ts';
import type { EditorSession } from '../files/editor-session.svelte.ts';
import { extractExpression } from '../files/extract-expression.ts';
import type { FieldPath } from './form-edits.ts';
import type { LanguageHelp } from '../files/language-help.svelte.ts';
import type { LivePreview } from '../preview/live-preview.svelte.ts';
import { Renaming } from '../files/renaming.ts';
import type { UndoStep } from '../files/undo-order.ts';

type NodeFormOptions = {
  readonly call: Session['call'];
  readonly session: EditorSession;
  readonly preview: LivePreview;
  readonly toasts: Toasts;
  /** Fixes of the text's issues. */
  readonly help?: LanguageHelp | undefined;
  /** Shows a line of another file, from 1. */
  readonly onopen?: ((line: number, name: string) => void) | undefined;
  /** Pause in changes of the text before its form is requested, in ms. */
  readonly pauseMs?: number;
};

/** While the user is in a field: its node, and the step of undo that all changes of this time are. */
export type FieldStay = { readonly nodeId: string | undefined; step?: UndoStep | undefined };

/** A value of the node, with its text as the user has typed it. */
type TypedValue = { readonly path: FieldPath; readonly text: string };

const profilesFile = 'profiles.yaml';

/** Plans the edits of a field with the newest form. */
type PlanFieldEdits = (form: NodeForm) => readonly WorkflowEdit[];

/** Attempts of a question about a text that changes. */
const maxAttempts = 3;

export class NodeFormEditor {
  readonly #options: NodeFormOptions;
  readonly #latest = new LatestOnly();
  /** Undefined: the workflow itself. */
  #nodeId = $state<string>();
  #isFollowing = false;
  /** Edits are made one after another. */
  readonly #mutex = new Mutex();
  #form = $state.raw<NodeForm>();
  /** The text that the form is of. */
  #formText: string | undefined;
  #result = $state.raw<NodeFormResult>();
  #problem = $state<string>();
  #names = $state.raw<FormNames>();
  /** The text of the file of profiles that the names are of. */
  #profilesText: string | undefined;
  /** Settled once the names are known that the selected node began with. */
  #namesRead: Promise<void> | undefined;
  #renaming = $state.raw<Renaming>();

  constructor(options: NodeFormOptions) {
    this.#options = options;
  }

  /** The last form of the selected node, or of the workflow; it stays while the text is broken. */
  get form(): NodeForm | undefined {
    // Files that the node names change without its text.
    return this.#form && withFileIssues(this.#form, this.#options.session);
  }

  get help(): LanguageHelp | undefined {
    return this.#options.help;
  }

  /** Line of the mistake that keeps the text from being edited; undefined if there is none. */
  get brokenLine(): number | undefined {
    return this.#result?.kind === 'broken' ? this.#result.line : undefined;
  }

  /** True if the text has no such node. */
  get isMissing(): boolean {
    return this.#result?.kind === 'missing';
  }

  /** Why the form could not be read. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** True if the form cannot change the text now. */
  get isReadOnly(): boolean {
    return this.#options.session.isElsewhere || this.#result?.kind !== 'form';
  }

  /** Writes a read of a value into the field that the user was in last; undefined if that was no field. */
  readInto: ((picked: PickedValue) => void) | undefined;

  /** The user is in a field: `write` gives the file what was typed, before it is saved or run. */
  flushBy(write: () => Promise<unknown>): void {
    this.#options.session.flushBy('form', () => write().then(() => this.#mutex.settled()));
  }

  /** The rename that the user is asked about. */
  get renaming(): Renaming | undefined {
    return this.#renaming;
  }

  /** The question of the new name of a field; undefined for a path that names no field of the rows or outputs. */
  renameOf(path: FieldPath): (() => void) | undefined {
    const [group, name] = path;
    const of = this.#form?.node['type'];
    const isField = group === 'fields' && typeof name === 'string' && path.length === 2;
    if (!isField || (of !== 'input' && of !== 'output')) return undefined;
    return () => (this.#renaming = new Renaming(this.#options, { kind: 'field', of, name }));
  }

  /** Shows every line that another id of the node changes, and asks. */
  askRename(newId: string): void {
    const { nodeId: name } = this.#form ?? {};
    if (name !== undefined && newId !== '')
      this.#renaming = new Renaming(this.#options, { kind: 'node', name }, newId);
  }

  /** Writes the comment above the node; resolves to why it was refused. @param text empty: none */
  note(text: string): Promise<string | undefined> {
    return this.edit(({ path }) => [{ kind: 'setComment', path: [...path], text }], 'Note');
  }

  closeRename(): void {
    this.#renaming = undefined;
  }

  /** Names that fields can have; undefined until they are known. */
  get names(): FormNames | undefined {
    return this.#names;
  }

  /** Shows a line of the file of profiles; undefined if that file is not among those of the workflow. */
  get openProfiles(): ((line: number) => void) | undefined {
    const { onopen, session } = this.#options;
    return onopen === undefined || session.file(profilesFile)?.exists !== true
      ? undefined
      : (line) => onopen(line, profilesFile);
  }

  /** Number of the row whose values are shown; undefined before the first preview. */
  get rowNumber(): number | undefined {
    return this.#options.preview.row?.number;
  }

  /** True if the values are of an earlier text. */
  get hasOldValues(): boolean {
    return this.#options.preview.isOld;
  }

  /** Path of the case that the row takes, or of the default; undefined if it is not known, or there are no cases. */
  get takenCase(): FieldPath | undefined {
    return this.#form && takenCase(this.#form.node, this.#fields);
  }

  /** The expression at a path with its value in the chosen row; undefined if it is not known. */
  fieldOf(path: FieldPath): PreviewedField | undefined {
    const key = JSON.stringify(path);
    return (
      this.#fields.find((field) => JSON.stringify(field.path) === key) ??
      this.#fields.find((field) => JSON.stringify(field.path) === key.toLowerCase())
    );
  }

  get #fields(): readonly PreviewedField[] {
    return this.#nodeId === undefined ? [] : this.#options.preview.fieldsOf(this.#nodeId);
  }

  /** Follows the text and the selection: another node at once, another text after a pause. */
  follow(nodeId: string | undefined): void {
    const isOtherNode = nodeId !== this.#nodeId || !this.#isFollowing;
    this.#isFollowing = true;
    this.#nodeId = nodeId;
    const profilesText = this.#options.session.textOf(profilesFile);
    if (isOtherNode || profilesText !== this.#profilesText) this.#namesRead = this.#readNames();
    this.#profilesText = profilesText;
    if (isOtherNode) {
      this.readInto = undefined;
      this.#form = undefined;
      this.#result = undefined;
      void this.refresh();
    } else this.#latest.startLater(this.#options.pauseMs ?? typingPauseMs, () => void this.refresh());
  }

  /** Reads the form of the text as it is. Never rejects. */
  async refresh(): Promise<void> {
    const signal = this.#latest.start();
    const nodeId = this.#nodeId;
    try {
      const { text } = this.#options.session;
      const result = await this.#request(nodeId);
      // A field must not change its kind under the user.
      await this.#namesRead;
      if (signal.aborted || result === undefined) return;
      this.#result = result;
      this.#formText = text;
      this.#problem = undefined;
      if (result.kind === 'broken') return;
      const before = this.#form;
      this.#form = result.kind === 'form' ? result : undefined;
      // The columns of another table may not be known yet.
      if (before !== undefined && this.#form?.node['table'] !== before.node['table']) void this.#readNames();
    } catch (error) {
      if (!signal.aborted) this.#problem = errorText(error);
    }
  }

  /**
   * Edits the node in one step of undo, and shows its new form. Resolves to why it was refused, if it was. Never rejects.
   * @param label name of the step
   * @param stay joins the step of this stay in a field
   */
  edit(plan: PlanFieldEdits, label: string, stay?: FieldStay): Promise<string | undefined> {
    const part = stay ?? { nodeId: this.#nodeId };
    return this.editBy(() => this.#plan(part.nodeId, plan), label, part);
  }

  /** Makes the changes of a plan of the text as it is; otherwise as `edit`. */
  editBy(
    plan: () => Promise<EditPlan | undefined>,
    label: string,
    stay: FieldStay,
  ): Promise<string | undefined> {
    return this.#mutex.run(() => this.#edit(stay, plan, label)).catch(errorText);
  }

  /** Edits as `edit` does. False if that was refused: then the user sees why. */
  async editOrReport(plan: PlanFieldEdits, label: string): Promise<boolean> {
    const refusal = await this.edit(plan, label);
    if (refusal !== undefined) this.#options.toasts.problem(new Error(refusal));
    return refusal === undefined;
  }

  /** Takes back what was changed during the stay. False if nothing was, or if something else was changed since. */
  takeBack(stay: FieldStay): Promise<boolean> {
    return this.#mutex.run(async () => {
      const { session } = this.#options;
      if (stay.step === undefined || stay.step !== session.lastStep) return false;
      stay.step = undefined;
      session.undo();
      // The effect that follows the text would end a refresh that began before it.
      await tick();
      await this.refresh();
      return true;
    });
  }

  /** Completions at an offset of a value with the text that the user has typed; undefined for none. */
  async complete(typed: TypedValue, offset: number): Promise<Completions | undefined> {
    const name = this.#options.session.fileName;
    const found = await this.#askOf(typed, 'complete', (value) => ({ name, offset, value })).catch(
      () => null,
    );
    return found ?? undefined;
  }

  /** The change of a value's text that reads another value at the offset. */
  async insertRead(typed: TypedValue, offset: number, picked: PickedValue) {
    const found = await this.#askOf(typed, 'insertRead', (value) => ({ offset, ...picked, value }));
    return found ?? { refusal: 'The text has changed: pick the value again' };
  }

  /**
   * Moves the expression at a path to a new node. Resolves to the new id, or to why there is none.
   * @param range part of the field's text; absent: all of it
   */
  extract(path: FieldPath, range: { readonly from?: number; readonly to?: number } = {}) {
    const { session } = this.#options;
    const name = String(path.findLast((step) => typeof step === 'string'));
    // A change that is being written comes first.
    return this.#mutex.settled().then(() => {
      const where = { path: this.#inFile(path), ...range };
      return extractExpression(session, where, name);
    });
  }

  undo(): boolean {
    return this.#options.session.undo();
  }

  redo(): boolean {
    return this.#options.session.redo();
  }

  close(): void {
    this.#latest.cancel();
  }

  /** Without names their fields are texts. */
  async #readNames(): Promise<void> {
    this.#names = (await this.#options.session.ask('names', {}).catch(() => undefined)) ?? this.#names;
  }

  /**
   * Asks about a value where the text has it. Asks again if the file changes meanwhile, such as by the typed text itself: other
   * nodes may stand before the node then.
   */
  async #askOf<N extends QuestionName>(
    { path, text }: TypedValue,
    name: N,
    inputOf: (value: TypedValue) => QuestionInput<N>,
  ): Promise<QuestionAnswer<N> | undefined> {
    const nodeId = this.#nodeId;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const form = await this.#formOf(nodeId);
      if (form !== undefined && form.kind !== 'form') return undefined;
      const input = form && inputOf({ path: [...form.path, ...path], text });
      const found = input && (await this.#options.session.ask(name, input));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #inFile(path: FieldPath): FieldPath {
    return [...(this.#form?.path ?? []), ...path];
  }

  async #edit(
    stay: FieldStay,
    plan: () => Promise<EditPlan | undefined>,
    label: string,
  ): Promise<string | undefined> {
    const { session, preview } = this.#options;
    const before = session.lastStep;
    const refusal = await session.applyPlan(plan, label, { joined: stay.step });
    if (session.lastStep !== before) stay.step = session.lastStep;
    // The user has paused: the values follow at once.
    preview.follow(session.text, session.changedTables);
    void preview.refresh();
    await this.refresh();
    return refusal?.reason;
  }

  async #plan(nodeId: string | undefined, plan: PlanFieldEdits): Promise<EditPlan | undefined> {
    const form = await this.#formOf(nodeId);
    if (form === undefined) return undefined;
    const edits = form.kind === 'form' ? plan(form) : undefined;
    if (edits === undefined) return { refusal: refusalOf(form) };
    return edits.length === 0 ? { files: [] } : this.#options.session.planEdit(edits);
  }

  /** The form of the text as it is. */
  async #formOf(nodeId: string | undefined): Promise<NodeFormResult | undefined> {
    const isKnown = nodeId === this.#nodeId && this.#formText === this.#options.session.text;
    return isKnown && this.#result?.kind === 'form' ? this.#result : this.#request(nodeId);
  }

  #request(nodeId: string | undefined): Promise<NodeFormResult | undefined> {
    return this.#options.session.ask('form', nodeId === undefined ? {} : { nodeId });
  }
}

function withFileIssues(form: NodeForm, { checked }: EditorSession): NodeForm {
  const issues = checked?.issues.flatMap(({ nodeId, key, ...issue }) =>
    nodeId !== undefined && nodeId === form.nodeId && key !== undefined ? [{ ...issue, path: [key] }] : [],
  );
  return issues === undefined || issues.length === 0
    ? form
    : { ...form, issues: [...form.issues, ...issues] };
}

const refusalOf = (result: NodeFormResult): NonNullable<EditResult['refusal']> =>
  result.kind === 'broken'
    ? { reason: `Fix line ${result.line} first`, line: result.line }
    : { reason: 'The text does not have this node any more', line: 1 };

// The case of a switch that a row takes, by the values of the conditions.

/** Path of the case, or of the default; undefined if it is not known, or the node is no switch. */
export function takenCase(node: JsonObject, fields: readonly PreviewedField[]): FieldPath | undefined {
  const { type, cases } = node;
  if (type !== 'switch' || !Array.isArray(cases)) return undefined;
  for (const index of cases.keys()) {
    const condition = fields.find(
      ({ path: [list, at, key] }) => list === 'cases' && at === index && key === 'when',
    );
    if (condition === undefined || condition.error !== undefined) return undefined;
    if (condition.value !== undefined && isTruthy(condition.value)) return ['cases', index];
  }
  return ['default'];
}

function isTruthy({ kind, text }: PreviewedValue): boolean {
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number(text) !== 0;
  return kind === 'text' ? text !== '' : kind !== 'null';
}
