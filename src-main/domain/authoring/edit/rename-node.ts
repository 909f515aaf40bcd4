// Renames a node in all files that name it: the workflow, its tests and its cassettes. All of them change, or none.
import { isJsonObject, type JsonValue } from '../../../base/json-value.ts';
import { escapeRegExp } from '../../../base/escape-reg-exp.ts';
import { fileJson } from '../../workflow/file-document.ts';
import { editWorkflow } from './edit-workflow.ts';
import { EditableFile, type EditRefusal, type Path } from './editable-file.ts';
import { editText, type EditResult } from './edit-text.ts';
import type { FileEdit } from './file-edit.ts';
import type { TextChange } from './text-changes.ts';
import { nodeOf, nodesAround, referencesIn } from './workflow-nodes.ts';

/** Texts of a workflow file, of its tests files and of its cassettes. */
export type NodeRenameFiles = {
  readonly workflow: string;
  readonly tests: readonly string[];
  readonly cassettes: readonly string[];
};

export type RenamedFiles =
  | {
      readonly workflow: readonly TextChange[];
      readonly tests: readonly (readonly TextChange[])[];
      readonly cassettes: readonly (readonly TextChange[])[];
      /** Lines of the workflow, from 1, where a mistake may hide a reference to the node. */
      readonly unclearLines: readonly number[];
      readonly refusal?: undefined;
    }
  | {
      readonly refusal: EditRefusal & { readonly file: keyof NodeRenameFiles; readonly index: number };
    };

export type NodeRename = { readonly id: string; readonly newId: string };

export function renameNodeInFiles(files: NodeRenameFiles, rename: NodeRename): RenamedFiles {
  const results = {
    workflow: [editWorkflow(files.workflow, { kind: 'renameNode', ...rename })],
    tests: files.tests.map((text) => renameIn(text, testsEdits, rename)),
    cassettes: files.cassettes.map((text) => renameIn(text, cassetteEdits, rename)),
  };
  for (const file of ['workflow', 'tests', 'cassettes'] as const)
    for (const [index, { refusal }] of results[file].entries())
      if (refusal !== undefined) return { refusal: { ...refusal, file, index } };
  const changesOf = (list: readonly EditResult[]): (readonly TextChange[])[] =>
    list.map(({ changes = [] }) => changes);
  return {
    workflow: changesOf(results.workflow)[0] ?? [],
    tests: changesOf(results.tests),
    cassettes: changesOf(results.cassettes),
    unclearLines: unclearLines(files.workflow, rename.id),
  };
}

function renameIn(
  text: string,
  editsFor: (data: JsonValue, rename: NodeRename) => readonly FileEdit[],
  rename: NodeRename,
): EditResult {
  // Most files do not name the node, and cassettes are long.
  if (!text.includes(rename.id.split('/').at(-1) ?? '')) return { changes: [] };
  const empty = editText(text, []);
  if (empty.refusal !== undefined) return empty;
  return editText(text, editsFor(fileJson(new EditableFile(text.replace(/^\ufeff/, '')).root), rename));
}

/** Renames keys of `mocks` and of `expect.trace`, and the node in `expect.error`. A node of a body stands in the last alone. */
function testsEdits(data: JsonValue, { id, newId }: NodeRename): readonly FileEdit[] {
  const tests = listAt(data, 'tests');
  const objects = tests.flatMap((test, index): readonly (readonly [Path, JsonValue | undefined])[] => [
    [['tests', index, 'mocks'], member(test, 'mocks')],
    ...listAt(member(test, 'expect'), 'trace').map(
      (row, at) => [['tests', index, 'expect', 'trace', at, 'nodes'], member(row, 'nodes')] as const,
    ),
  ]);
  const keys = objects
    .filter(([, object]) => member(object, id) !== undefined)
    .map(([path]): FileEdit => ({ kind: 'renameKey', path: [...path, id], key: newId }));
  const texts = tests.flatMap((test, index) => {
    const changes = changesOfError(member(member(test, 'expect'), 'error'), { id, newId });
    return changes.length === 0 ? [] : [{ path: ['tests', index, 'expect', 'error'], changes }];
  });
  return texts.length === 0 ? keys : [...keys, { kind: 'changeTexts', texts }];
}

/** Errors of rows begin with the node: `Node "score" failed on row 3: …`. */
function changesOfError(error: JsonValue | undefined, { id, newId }: NodeRename): TextChange[] {
  if (typeof error !== 'string') return [];
  const [outer = '', inner] = id.split('/').map(escapeRegExp);
  const found =
    inner === undefined
      ? [`^(Node ")${outer}" failed`, `(: )${outer}, node "`]
      : [`(: ${outer}, node ")${inner}": `];
  return found.flatMap((pattern) => {
    const match = new RegExp(pattern).exec(error);
    if (match === null) return [];
    const from = match.index + (match[1]?.length ?? 0);
    return [{ from, to: from + (inner ?? outer).length, insert: newId }];
  });
}

/** The first part of a `place` is the node of this workflow; the others are items, and nodes of called workflows. */
function cassetteEdits(data: JsonValue, { id, newId }: NodeRename): readonly FileEdit[] {
  const texts = listAt(data, 'entries').flatMap((entry, index) => {
    const site = member(entry, 'place');
    const found = typeof site === 'string' ? rangeInSite(site, id.split('/')) : undefined;
    if (found === undefined) return [];
    return [{ path: ['entries', index, 'place'], changes: [{ ...found, insert: newId }] }];
  });
  return texts.length === 0 ? [] : [{ kind: 'changeTexts', texts }];
}

/** The range of the last of these names in a site, if the site begins with them; items and calls stand between them. */
function rangeInSite(site: string, names: readonly string[]): { from: number; to: number } | undefined {
  const parts = [...site.matchAll(/[^/]+/g)].filter(([part]) => /^[A-Za-z_]/.test(part));
  if (!names.every((name, at) => parts[at]?.[0] === name)) return undefined;
  const last = parts[names.length - 1];
  return last && { from: last.index, to: last.index + last[0].length };
}

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

function listAt(value: JsonValue | undefined, key: string): readonly JsonValue[] {
  const list = member(value, key);
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

function unclearLines(text: string, id: string): number[] {
  const file = new EditableFile(text.replace(/^\ufeff/, ''));
  const node = nodeOf(file, id);
  const unclear = referencesIn(nodesAround(file, node)).filter(
    (each) => each.hasUnclearReads && each.text.includes(node.id),
  );
  return unclear.map(({ path }) => file.text.slice(0, file.offsetOf(path)).split('\n').length);
}
