// The text of a value while the user edits it in a field. It is written shortly after the last key, so that values follow.
// All that is written until the focus leaves the field is one step of undo.
//
// INVARIANT: what the user typed stays in the field until the file has it, or the user takes it back.
import { errorText, isSameJson, type JsonValue } from '#contract';
import { fieldText, typedValue, type TextKind } from './field-text.ts';
import { fieldEdits, type FieldPath } from './form-edits.ts';
import type { FieldStay, NodeFormEditor } from './node-form.svelte.ts';

/** A field as its component has it. */
export type EditedField = {
  readonly editor: NodeFormEditor;
  readonly path: FieldPath;
  readonly kind: TextKind;
  /** The value in the file. */
  readonly value: JsonValue | undefined;
  readonly isRequired: boolean;
  readonly label: string;
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
    if (text === this.text) return;
    this.#typed = text;
    this.#edited = { ...this.#field() };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.write(), writeAfterMs);
  }

  /** Writes what was typed. An emptied optional value stays for as long as the user may type on. */
  async write(isLeaving = false): Promise<void> {
    clearTimeout(this.#timer);
    const [text, stay, edited] = [this.#typed, this.#stay, this.#edited];
    if (text === undefined || stay === undefined || edited === undefined) return;
    if (text === '' && !edited.isRequired && !isLeaving) return;
    if (text !== this.#initial || !(await edited.editor.takeBack(stay))) {
      this.#problem = await changeValue(edited, text, stay);
      if (this.#problem !== undefined) return;
    }
    this.#forget(text);
  }

  /** The focus leaves the field, or the field goes. */
  leave(): void {
    void this.write(true);
    this.#stay = undefined;
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
      .then(() => this.#forget(this.#initial));
    return true;
  }

  get #saved(): string {
    const { kind, value } = this.#field();
    return fieldText(kind, value);
  }

  /** The file has the text; the user may have typed on. */
  #forget(text: string): void {
    if (this.#typed === text) this.#typed = undefined;
  }
}

/** Gives the field the value that the text stands for. Resolves to why it was refused. */
async function changeValue(
  { editor, path, kind, value, isRequired, label }: EditedField,
  text: string,
  stay: FieldStay,
): Promise<string | undefined> {
  let changed: JsonValue | undefined;
  try {
    changed = text === '' && !isRequired ? undefined : typedValue(kind, text, value);
  } catch (error) {
    return `This is not JSON: ${errorText(error)}`;
  }
  const verb = changed === undefined ? 'Remove' : 'Change';
  return editor.edit((form) => fieldEdits(form, path, changed), `${verb} ${label}`, stay);
}
