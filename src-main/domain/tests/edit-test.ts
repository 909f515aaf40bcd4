// Changes one key of a test in the text of a tests file. Pure. Who calls: the parser process, for the editor.
import { editText, type EditResult } from '../authoring/edit/edit-text.ts';
import type { FileEdit } from '../authoring/edit/file-edit.ts';
import { parseTests } from './parse-tests.ts';

/** `value`: null removes the key. */
export type TestEdit = {
  readonly line: number;
  readonly key: 'name' | 'cassette' | 'scenario';
  readonly value: string | null;
};

export function editTest(text: string, { line, key, value }: TestEdit): EditResult {
  const test = parseTests(text).tests?.find((each) => each.line === line);
  if (test === undefined)
    return { refusal: { reason: 'There is no such test now, or its file has errors', line } };
  const path = ['tests', test.index];
  const keyPath = [...path, key];
  if (value === null)
    return editText(text, test[key] === undefined ? [] : { kind: 'removeItem', path: keyPath });
  const edit: FileEdit =
    test[key] === undefined
      ? { kind: 'insertKey', path, key, value, before: 'expect' }
      : { kind: 'setValue', path: keyPath, value };
  return editText(text, edit);
}
