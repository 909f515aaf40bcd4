// A new list or object for an old one, as edits of the values inside that differ: comments beside the others stay.
import { isJsonObject, isSameJson, type JsonValue } from '../../base/json-value.ts';
import type { Path } from './editable-file.ts';
import type { FileEdit } from './file-edit.ts';

/** Each edit reads the file again; a value with more differences is less work for a reader when it is written anew. */
const maxEdits = 50;

/** Edits that make `after` of `before`, to be made in order. */
export function smallestEdits(path: Path, before: JsonValue, after: JsonValue): FileEdit[] {
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
