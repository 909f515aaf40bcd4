// Renames a field of the input or of the output in the workflow and its tests. All of them change, or none. References are
// found by the syntax tree; lines where a reference may be hidden are named.
import { isJsonObject, type JsonValue } from '../../../base/json-value.ts';
import type { FieldReference } from '../../expressions/find-names.ts';
import { findReferences } from '../../expressions/find-references.ts';
import { nodePathOf } from '../../workflow/node-path.ts';
import { fileJson } from '../../workflow/file-document.ts';
import { editResult, EditSession, type EditResult } from './edit-text.ts';
import { EditableFile, type EditRefusal, type Path } from './editable-file.ts';
import type { FileEdit } from './file-edit.ts';
import { errorChange, memberAt, outputKeys, rowKeys, ruleTexts } from './test-fields.ts';
import type { TextChange } from './text-changes.ts';
import {
  referencesIn,
  writtenLists,
  writtenNodes,
  type TextReferences,
  type WrittenNode,
} from './workflow-nodes.ts';

export type FieldRename = {
  readonly of: 'input' | 'output';
  readonly name: string;
  readonly newName: string;
};

/** Texts of a workflow file and of its tests files. */
export type FieldRenameFiles = { readonly workflow: string; readonly tests: readonly string[] };

export type FieldRenameResult =
  | {
      readonly workflow: readonly TextChange[];
      readonly tests: readonly (readonly TextChange[])[];
      /** Lines of the workflow, from 1, that read the whole row or have a mistake. */
      readonly unclearLines: readonly number[];
      /** Names of files with rows that keep the old name. */
      readonly rowFiles: readonly string[];
      readonly refusal?: undefined;
    }
  | { readonly refusal: EditRefusal & { readonly file: keyof FieldRenameFiles; readonly index: number } };

export function renameFieldInFiles(files: FieldRenameFiles, rename: FieldRename): FieldRenameResult {
  const unclearLines: number[] = [];
  const rowFiles = new Set<string>();
  const nodeIds: string[] = [];
  const workflow = editResult(() => {
    const session = new EditSession(files.workflow);
    const nodes = writtenNodes(session.file);
    nodeIds.push(...nodes.filter((node) => isOwner(node, rename)).map(({ id }) => id));
    unclearLines.push(...renameInWorkflow(session, nodes, rename));
    for (const file of testRowFiles(nodes)) rowFiles.add(file);
    return session.changes();
  });
  if (workflow.refusal !== undefined) return { refusal: { ...workflow.refusal, file: 'workflow', index: 0 } };
  const tests: (readonly TextChange[])[] = [];
  for (const [index, text] of files.tests.entries()) {
    const renamed = renameInTests(text, { ...rename, nodeIds }, rowFiles);
    if (renamed.refusal !== undefined) return { refusal: { ...renamed.refusal, file: 'tests', index } };
    tests.push(renamed.changes);
  }
  return { workflow: workflow.changes, tests, unclearLines, rowFiles: [...rowFiles] };
}

const isOwner = ({ json }: WrittenNode, { of }: FieldRename): boolean => json['type'] === of;

const testRowFiles = (nodes: readonly WrittenNode[]): readonly string[] =>
  nodes.flatMap(({ json }) => {
    const testRows = json['testRows'];
    const file = isJsonObject(testRows) ? testRows['file'] : testRows;
    return typeof file === 'string' ? [file] : [];
  });

/** Returns the lines where a reference may be hidden. */
function renameInWorkflow(
  session: EditSession,
  nodes: readonly WrittenNode[],
  rename: FieldRename,
): readonly number[] {
  const { file } = session;
  const owners = new Set([
    ...(rename.of === 'input' ? ['row'] : []),
    ...nodes.filter((node) => isOwner(node, rename)).map(({ id }) => `nodes.${id}`),
  ]);
  const texts = referencesIn(nodes);
  const isOf = (name: string) => (each: FieldReference) => owners.has(each.owner) && each.name === name;
  checkClear(file, texts, rename);
  const taken = texts.find((text) => text.fieldReferences.some(isOf(rename.newName)));
  if (taken !== undefined) refuseTaken(file, rename, taken.path);
  const found = texts.map(({ path, fieldReferences }) => ({
    path,
    changes: fieldReferences.filter(isOf(rename.name)).map((each) => changeOf(each, rename.newName)),
  }));
  const keys = nodes.filter((node) => isOwner(node, rename)).flatMap((node) => keysOf(node, rename));
  const lines = unclearLines(file, texts, rename);
  renameIn(session, { texts: found, keys }, rename);
  return lines;
}

/** Refuses a rename while code reads fields by names that only running it could tell. */
function checkClear(file: EditableFile, texts: readonly TextReferences[], { of, name }: FieldRename): void {
  if (of !== 'input') return;
  const computed = texts.find(({ unclearRowReads }) => unclearRowReads.some((each) => each.isComputed));
  if (computed !== undefined)
    file.refuse(
      `row[…] has a computed key here, which may be ${JSON.stringify(name)}: write row.<field>`,
      file.offsetOf(computed.path),
    );
}

const refuseTaken = (file: EditableFile, { newName }: FieldRename, path: Path): never =>
  file.refuse(`There is a field ${JSON.stringify(newName)} already`, file.offsetOf(path));

function unclearLines(
  file: EditableFile,
  texts: readonly TextReferences[],
  { of, name }: FieldRename,
): readonly number[] {
  const unclear = texts.filter(
    ({ text, hasUnclearReads, unclearRowReads }) =>
      (hasUnclearReads && text.includes(name)) || (of === 'input' && unclearRowReads.length > 0),
  );
  return unclear.map(({ path }) => file.lineOf(file.offsetOf(path)));
}

/** The local variable of `{ email }` keeps its name. */
const changeOf = ({ from, to, isShorthand }: FieldReference, newName: string): TextChange =>
  isShorthand ? { from, to: from, insert: `${newName}: ` } : { from, to, insert: newName };

function keysOf({ path, json }: WrittenNode, { of, name }: FieldRename): readonly Path[] {
  const fields = memberAt(json['fields'], name) === undefined ? [] : [[...path, 'fields', name]];
  return of === 'output' ? fields : [...fields, ...rowKeys(json['testRows'], [...path, 'testRows'], name)];
}

type Found = {
  readonly texts: readonly { readonly path: Path; readonly changes: readonly TextChange[] }[];
  readonly keys: readonly Path[];
};

function renameIn(session: EditSession, { texts, keys }: Found, rename: FieldRename): void {
  const { file } = session;
  const changed = texts.filter(({ changes }) => changes.length > 0);
  const { name, newName } = rename;
  const [first] = changed;
  if (newName === '') file.refuse('A field has a name');
  if (first !== undefined && !/^[A-Za-z_$][\w$]*$/.test(newName))
    file.refuse(
      `Code reads ${JSON.stringify(name)} here: its name needs letters, digits and "_"`,
      file.offsetOf(first.path),
    );
  for (const path of keys)
    if (memberAt(file.jsonAt(path.slice(0, -1)), newName) !== undefined) refuseTaken(file, rename, path);
  if (changed.length > 0) session.edit({ kind: 'changeTexts', texts: changed });
  for (const path of keys) {
    const key = String(path.at(-1));
    const edit: FileEdit = { kind: 'renameKey', path, key: newName + key.slice(name.length) };
    session.edit(edit);
  }
}

function renameInTests(
  text: string,
  rename: FieldRename & { readonly nodeIds: readonly string[] },
  rowFiles: Set<string>,
): EditResult {
  // Most tests files name the field; one that does not need not be valid.
  if (!text.includes(rename.name)) return { changes: [] };
  return editResult(() => {
    const session = new EditSession(text);
    const tests = memberAt(fileJson(session.file.root), 'tests');
    const list = Array.isArray(tests) ? (tests as readonly JsonValue[]) : [];
    const found = list.map((test, index) => foundInTest(test, ['tests', index], rename));
    for (const test of list) for (const file of filesOf(test, rename)) rowFiles.add(file);
    for (const [index, test] of list.entries()) checkRules(session.file, test, { index, rename });
    renameIn(
      session,
      { texts: found.flatMap(({ texts }) => texts), keys: found.flatMap(({ keys }) => keys) },
      rename,
    );
    return session.changes();
  });
}

/** Refuses a rename while a rule may read the field of the output, which no syntax tree tells. */
function checkRules(
  file: EditableFile,
  test: JsonValue,
  { index, rename: { of, name } }: { readonly index: number; readonly rename: FieldRename },
): void {
  if (of !== 'output') return;
  const rules = ruleTexts(memberAt(test, 'expect'), ['tests', index, 'expect']);
  const reading = rules.find(({ text }) => text.includes('output') && text.includes(name));
  if (reading !== undefined)
    file.refuse(
      `This rule may read ${JSON.stringify(name)} of the output: change it first`,
      file.offsetOf(reading.path),
    );
}

function foundInTest(
  test: JsonValue,
  path: Path,
  rename: FieldRename & { readonly nodeIds: readonly string[] },
): Found {
  const expect = memberAt(test, 'expect');
  const at = [...path, 'expect'];
  const traced = tracedKeys(memberAt(expect, 'trace'), [...at, 'trace'], rename);
  if (rename.of === 'output') {
    const { keys, texts } = outputKeys(expect, at, rename);
    return { keys: [...keys, ...traced], texts };
  }
  const rules = ruleTexts(expect, at).map(({ path: where, text }) => ({
    path: where,
    changes: findReferences('expression', text)
      .fieldReferences.filter(({ owner, name }) => owner === 'row' && name === rename.name)
      .map((each) => changeOf(each, rename.newName)),
  }));
  const error = { path: [...at, 'error'], changes: errorChange(memberAt(expect, 'error'), rename) };
  return {
    keys: [...rowKeys(memberAt(test, 'rows'), [...path, 'rows'], rename.name), ...traced],
    texts: [...rules, error],
  };
}

function tracedKeys(
  trace: JsonValue | undefined,
  path: Path,
  { nodeIds, name }: FieldRename & { readonly nodeIds: readonly string[] },
): readonly Path[] {
  if (!Array.isArray(trace)) return [];
  return (trace as readonly JsonValue[]).flatMap((row, index) =>
    nodeIds.flatMap((id) => {
      const value = memberAt(memberAt(memberAt(row, 'nodes'), id), 'value');
      return memberAt(value, name) === undefined ? [] : [[...path, index, 'nodes', id, 'value', name]];
    }),
  );
}

const filesOf = (test: JsonValue, { of }: FieldRename): readonly string[] => {
  const rows = of === 'input' ? memberAt(test, 'rows') : memberAt(memberAt(test, 'expect'), 'rows');
  const file = typeof rows === 'string' ? rows : memberAt(rows, 'file');
  return typeof file === 'string' ? [file] : [];
};

/** A line of another workflow that names a field of this one. */
export type FieldCaller = { readonly line: number; readonly text: string };

/** Lines of another workflow that give the field to the workflow `calledId`, or read it from there. */
export function fieldCallers(
  text: string,
  calledId: string,
  { of, name }: Omit<FieldRename, 'newName'>,
): readonly FieldCaller[] {
  const file = new EditableFile(text.replace(/^\ufeff/, ''));
  const paths = writtenLists(file).flatMap((nodes) => {
    const { calling, owners } = callsOf(nodes, calledId);
    if (of === 'input') return calling.flatMap((node) => rowPaths(node, name));
    return referencesIn(nodes)
      .filter(({ fieldReferences }) =>
        fieldReferences.some((each) => owners.has(each.owner) && each.name === name),
      )
      .map(({ path }) => path);
  });
  return paths.map((path) => {
    const offset = file.offsetOf(path);
    const line = file.text.slice(file.lineStart(offset), file.lineEnd(offset)).trim();
    return { line: file.lineOf(offset), text: line };
  });
}

/** Changes of another workflow, so that its calls of the workflow `calledId` name the field as it is now. */
export function renameFieldInCaller(text: string, calledId: string, rename: FieldRename): EditResult {
  const { of, name, newName } = rename;
  return editResult(() => {
    const session = new EditSession(text);
    const found = writtenLists(session.file).map((nodes) => {
      const { calling, owners } = callsOf(nodes, calledId);
      const texts = referencesIn(of === 'output' ? nodes : []).map(({ path, fieldReferences }) => ({
        path,
        changes: fieldReferences
          .filter((each) => owners.has(each.owner) && each.name === name)
          .map((each) => changeOf(each, newName)),
      }));
      const keys = of === 'output' ? [] : calling.flatMap((node) => rowPaths(node, name));
      return { texts, keys: keys.filter(isInRow) };
    });
    renameIn(
      session,
      { texts: found.flatMap(({ texts }) => texts), keys: found.flatMap(({ keys }) => keys) },
      rename,
    );
    return session.changes();
  });
}

/** False for a row that an expression gives. */
const isInRow = (path: Path): boolean => path.length > (nodePathOf(path)?.length ?? 0) + 1;

function callsOf(nodes: readonly WrittenNode[], calledId: string) {
  const calling = nodes.filter(({ json }) => json['type'] === 'workflow' && json['workflow'] === calledId);
  return { calling, owners: new Set(calling.map(({ id }) => `nodes.${id}`)) };
}

/** The field in the row of a call; the whole row where an expression gives it. */
function rowPaths({ json: { row }, path: ofNode }: WrittenNode, name: string): readonly Path[] {
  const path = [...ofNode, 'row'];
  if (!isJsonObject(row)) return [path];
  return memberAt(row, name) === undefined ? [] : [[...path, name]];
}
