// Edits the text of a YAML or JSON file as a person would: as a list of replaced ranges; every other byte stays.
// Who calls: edits of workflows (edit-workflow.ts), updates of tests files, imports that rename a workflow.
//
// INVARIANT: after each edit the text is read again, and its data is the old data with that edit. A way of writing that
// fails this check is not taken; where all fail, the edit is refused.
import { isSameJson, isJsonObject, type JsonValue } from '../../../base/json-value.ts';
import { editTooLarge } from '../../workflow-errors.ts';
import { maxDepth, maxFileLength } from '../../workflow/compose-file.ts';
import { editCandidates } from './edit-candidates.ts';
import { EditableFile, RefusedEdit, type EditRefusal, type Path } from './editable-file.ts';
import { dataOf, type FileData } from './file-data.ts';
import { editedData, type FileEdit } from './file-edit.ts';
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

/** The text after edits at paths that a valid file has. Throws `invalid_input` if the text grows over the limits of a file. */
export function editedText(text: string, edits: FileEdit | readonly FileEdit[]): string {
  const { changes } = editText(text, edits);
  if (changes === undefined) throw editTooLarge(maxFileLength, maxDepth);
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
    if ('written' in edit) return [edit];
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

// A new list or object for an old one, as edits of the values inside that differ: comments beside the others stay.

/** Each edit reads the file again; a value with more differences is less work for a reader when it is written anew. */
const maxEdits = 50;

/** Edits that make `after` of `before`, to be made in order. */
function smallestEdits(path: Path, before: JsonValue, after: JsonValue): FileEdit[] {
  const edits = editsBetween(path, before, after);
  return edits.length <= maxEdits ? edits : [{ kind: 'setValue', path, value: after }];
}

function editsBetween(path: Path, before: JsonValue, after: JsonValue): FileEdit[] {
  if (isSameJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length > 0)
    return listEdits(path, before as JsonValue[], after as JsonValue[]);
  if (isJsonObject(before) && isJsonObject(after) && hasSameOrder(before, after))
    return objectEdits(path, before, after);
  return [{ kind: 'setValue', path, value: after }];
}

type Json = { readonly [key: string]: JsonValue };

function listEdits(path: Path, before: readonly JsonValue[], after: readonly JsonValue[]): FileEdit[] {
  const length = Math.min(before.length, after.length);
  let start = 0;
  while (start < length && isSameJson(before[start], after[start])) start += 1;
  let end = 0;
  while (end < length - start && isSameJson(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const shared = length - end;
  const edits: FileEdit[] = [];
  for (let index = start; index < shared; index += 1)
    edits.push(...editsBetween([...path, index], before[index] ?? null, after[index] ?? null));
  for (let index = before.length - end - 1; index >= shared; index -= 1)
    edits.push({ kind: 'removeItem', path: [...path, index] });
  for (let index = shared; index < after.length - end; index += 1)
    edits.push({ kind: 'insertItem', path, index, value: after[index] ?? null });
  return edits;
}

function objectEdits(path: Path, before: Json, after: Json): FileEdit[] {
  const edits: FileEdit[] = [];
  const keys = Object.keys(after);
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) edits.push({ kind: 'removeItem', path: [...path, key] });
    else edits.push(...editsBetween([...path, key], before[key] ?? null, after[key] ?? null));
  }
  for (const [index, key] of keys.entries()) {
    if (Object.hasOwn(before, key)) continue;
    const next = keys.slice(index + 1).find((other) => Object.hasOwn(before, other));
    edits.push({
      kind: 'insertKey',
      path,
      key,
      value: after[key] ?? null,
      ...(next === undefined ? {} : { before: next }),
    });
  }
  return edits;
}

/** True if both have a key in common, and all that they have in common in the same order. */
function hasSameOrder(before: Json, after: Json): boolean {
  const common = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  const same = Object.keys(after).filter((key) => Object.hasOwn(before, key));
  return common.length > 0 && common.every((key, index) => key === same[index]);
}
