// The text of a value while the user edits it in a field. It is written shortly after the last key, so that values follow.
// All that is written until the focus leaves the field is one step of undo.
//
// INVARIANT: what the user typed stays in the field until the file has it, or the user takes it back. If the field goes
// first, `leave` gives the reason.
import { errorText, isSameJson, type JsonValue } from '#contract';
import { fieldText, typedValue, type TextKind } from './field-text.ts';
import { fieldEdits, valueInNode, type FieldPath } from './form-edits.ts';
import type { FieldStay, NodeFormEditor } from './node-form.svelte.ts';

/** Gives a value to the file. @param value undefined: removes it. Resolves to why it was refused. */
export type WriteValue = (value: JsonValue | undefined, stay: FieldStay) => Promise<string | undefined>;

/** A field as its component has it. */
export type EditedField = {
  readonly editor: NodeFormEditor;
  readonly path: FieldPath;
  readonly kind: TextKind;
  /** The value in the file. */
  readonly value: JsonValue | undefined;
  readonly isRequired: boolean;
  readonly label: string;
  /** Absent: the node of the form gets the value. */
  readonly write?: WriteValue | undefined;
};

/** Pause in typing before the text is written. */
const writeAfterMs = 150;

export class ValueEdit {
  readonly #field: () => EditedField;
  #typed = $state<string>();
  #problem = $state<string>();
  /** The field as it was with the last key: once its component goes, its properties cannot be read any more. */
  #edited: EditedField | undefined;
  #stay: FieldStay | undefined;
  /** The text with which the stay began. */
  #initial = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #finished: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(field: () => EditedField) {
    this.#field = field;
  }

  /** As the user typed it, or as the file has it. */
  get text(): string {
    return this.#typed ?? this.#saved;
  }

  /** True while the file does not have the text. */
  get isTyped(): boolean {
    return this.#typed !== undefined;
  }

  /** Why the text is not written. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** True if the text stands for the value that the file has. */
  isSaved(text: string): boolean {
    const { kind, value } = this.#field();
    try {
      return value !== undefined && isSameJson(typedValue(kind, text, value), value);
    } catch {
      return false;
    }
  }

  /** The field gets the focus. */
  enter(): void {
    const { editor } = this.#field();
    this.#stay = editor.form && { nodeId: editor.form.nodeId };
    this.#initial = this.#saved;
  }

  type(text: string): void {
    // Not compared with the value of the file, which the field may not have yet as it was written last.
    if (text === this.#typed) return;
    this.#typed = text;
    this.#edited = { ...this.#field() };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.write(), writeAfterMs);
  }

  /**
   * Writes what was typed. An emptied optional value stays for as long as the user may type on.
   * Resolves to why the text was not written, in sentences for the user.
   */
  async write(isLeaving = false): Promise<string | undefined> {
    clearTimeout(this.#timer);
    const [text, stay, edited] = [this.#typed, this.#stay, this.#edited];
    if (text === undefined || stay === undefined || edited === undefined) return undefined;
    if (text === '' && !edited.isRequired && !isLeaving) return undefined;
    const problem = await this.#give(edited, text, stay);
    // The user may have typed on.
    if (text === this.#typed) {
      this.#problem = problem;
      if (problem === undefined) this.#typed = undefined;
    }
    return problem === undefined ? undefined : `${edited.label} was not written. ${problem}`;
  }

  /** Writes all that was typed up to now, an emptied value too. Resolves as `write` does. */
  finish(): Promise<string | undefined> {
    if (this.#stay !== undefined) this.#finished = this.write(true);
    return this.#finished;
  }

  /** The focus leaves the field, or the field goes. Resolves as `write` does. */
  leave(): Promise<string | undefined> {
    const finished = this.finish();
    this.#stay = undefined;
    return finished;
  }

  /** Takes back all that was typed since the field got the focus. False if nothing was. */
  revert(): boolean {
    const stay = this.#stay;
    if (stay === undefined || (this.#typed === undefined && stay.step === undefined)) return false;
    clearTimeout(this.#timer);
    this.#problem = undefined;
    this.#typed = this.#initial;
    void this.#field()
      .editor.takeBack(stay)
      .then(() => {
        if (this.#typed === this.#initial) this.#typed = undefined;
      });
    return true;
  }

  async #give(edited: EditedField, text: string, stay: FieldStay): Promise<string | undefined> {
    const isBack = text === this.#initial && (await takeBackTo(edited, text, stay));
    return isBack ? undefined : changeValue(edited, text, stay);
  }

  get #saved(): string {
    const { kind, value } = this.#field();
    return fieldText(kind, value);
  }
}

/** Takes back the stay's changes. False if the file does not have the text then: an earlier step was undone meanwhile. */
async function takeBackTo(
  { editor, path, kind, write }: EditedField,
  text: string,
  stay: FieldStay,
): Promise<boolean> {
  if (!(await editor.takeBack(stay))) return false;
  return write !== undefined || fieldText(kind, editor.form && valueInNode(editor.form.node, path)) === text;
}

/** Gives the field the value that the text stands for. Resolves to why it was refused. */
async function changeValue(
  { editor, path, kind, value, isRequired, label, write }: EditedField,
  text: string,
  stay: FieldStay,
): Promise<string | undefined> {
  let changed: JsonValue | undefined;
  try {
    changed = text === '' && !isRequired ? undefined : typedValue(kind, text, value);
  } catch (error) {
    return `This is not JSON: ${errorText(error)}`;
  }
  if (write !== undefined) return write(changed, stay);
  const verb = changed === undefined ? 'Remove' : 'Change';
  return editor.edit((form) => fieldEdits(form, path, changed), `${verb} ${label}`, stay);
}
