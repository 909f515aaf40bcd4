// Edits the text of a YAML or JSON file as a person would: as a list of replaced ranges; every other byte stays.
// Who calls: edits of workflows (edit-workflow.ts), updates of tests files, imports that rename a workflow.
//
// INVARIANT: after each edit the text is read again, and its data is the old data with that edit. A way of writing that
// fails this check is not taken; where all fail, the edit is refused.
import { invariant } from '../../base/invariant.ts';
import { isSameJson } from '../../base/json-value.ts';
import { editCandidates } from './edit-candidates.ts';
import { EditableFile, RefusedEdit, type EditRefusal, type Path } from './editable-file.ts';
import { dataOf, type FileData } from './file-data.ts';
import { editedData, type FileEdit } from './file-edit.ts';
import { smallestEdits } from './smallest-edits.ts';
import { applyChanges, ChangeCollector, normalized, type TextChange } from './text-changes.ts';

/** The ranges of the text that are replaced, in order; or why the edit is not made. */
export type EditResult =
  | { readonly changes: readonly TextChange[]; readonly refusal?: undefined }
  | { readonly refusal: EditRefusal; readonly changes?: undefined };

/** Makes the edits in order: each path is that of the text after the edits before it. All are made, or none. */
export const editText = (text: string, edits: FileEdit | readonly FileEdit[]): EditResult =>
  editResult(() => {
    const session = new EditSession(text);
    for (const edit of [edits].flat()) session.edit(edit);
    return session.changes();
  });

/** The text after edits that cannot be refused: the file is read already, and the paths are in it. */
export function editedText(text: string, edits: FileEdit | readonly FileEdit[]): string {
  const { changes, refusal } = editText(text, edits);
  invariant(changes !== undefined, `an edit of a valid file is made: ${refusal?.reason ?? ''}`);
  return applyChanges(text, changes);
}

export function editResult(edit: () => readonly TextChange[]): EditResult {
  try {
    return { changes: edit() };
  } catch (error) {
    if (error instanceof RefusedEdit) return { refusal: error.refusal };
    throw error;
  }
}

/** A text under edit. Its methods throw a RefusedEdit. */
export class EditSession {
  #file: EditableFile;
  #data: FileData;
  readonly #collector: ChangeCollector;
  /** Length of the byte order mark, which the YAML library does not expect. */
  readonly markLength: number;

  constructor(text: string) {
    this.markLength = text.startsWith('\ufeff') ? 1 : 0;
    this.#file = new EditableFile(text.slice(this.markLength));
    this.#data = dataOf(this.#file.root);
    this.#collector = new ChangeCollector(this.#file.text);
  }

  /** The text after all edits so far. */
  get file(): EditableFile {
    return this.#file;
  }

  changes(): readonly TextChange[] {
    const shift = this.markLength;
    return this.#collector
      .changes()
      .map(({ from, to, insert }) => ({ from: from + shift, to: to + shift, insert }));
  }

  edit(edit: FileEdit): void {
    for (const step of this.#steps(edit)) if (!this.#make(step)) this.#refuse(step);
  }

  /** The edit as edits that touch less. */
  #steps(edit: FileEdit): readonly FileEdit[] {
    if (edit.kind === 'changeTexts')
      return this.#make(edit) ? [] : edit.texts.map((text) => ({ kind: edit.kind, texts: [text] }));
    const before = edit.kind === 'setValue' ? this.#file.jsonAt(edit.path) : undefined;
    return edit.kind === 'setValue' && before !== undefined
      ? smallestEdits(edit.path, before, edit.value)
      : [edit];
  }

  /** False if there is no right way to write the edit. */
  #make(edit: FileEdit): boolean {
    const expected = editedData(this.#data, edit);
    for (const candidate of editCandidates(this.#file, edit)) {
      const changes = normalized(this.#file.text, candidate);
      const after = readIfRight(applyChanges(this.#file.text, changes), expected, this.#file.isJson);
      if (after === undefined) continue;
      this.#collector.add(changes);
      [this.#file, this.#data] = [after, expected ?? null];
      return true;
    }
    return false;
  }

  #refuse(edit: FileEdit): never {
    const path: Path = 'path' in edit ? edit.path : (edit.texts[0]?.path ?? []);
    this.#file.refuse('This cannot be written here without a change elsewhere', this.#file.offsetOf(path));
  }
}

function readIfRight(
  text: string,
  expected: FileData | undefined,
  isJson: boolean,
): EditableFile | undefined {
  if (expected === undefined) return undefined;
  try {
    const file = new EditableFile(text);
    return isSameJson(dataOf(file.root), expected) && file.isJson === isJson ? file : undefined;
  } catch (error) {
    if (error instanceof RefusedEdit) return undefined;
    throw error;
  }
}
