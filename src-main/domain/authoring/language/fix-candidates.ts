// Edits that may fix a problem of a workflow file, best first. Who calls: quick-fixes.ts, which checks each of them.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { meantName } from '../../closest-name.ts';
import type { WorkflowEdit } from '../edit/edit-workflow.ts';
import { isNodeType, nodeTypeNames, nodeTypes, type NodeType } from '../../nodes/catalogue.ts';
import { fieldKeyword } from '../../nodes/field-kind.ts';
import type { FileProblem, PathStep } from '../../workflow/file-problem.ts';
import { fileNodes, innerId, nodePathOf, nodesAt, ownerOf } from '../../workflow/node-path.ts';
import { nodeParser } from '../../workflow/parse-node.ts';
import { readFile } from '../../workflow/read-file.ts';
import { formatVersion } from '../../workflow/workflow-keys.ts';
import { schemaOf } from './completion.ts';
import type { LanguageContext } from './language-context.ts';
import { schemasAt } from './schema-at.ts';
import { skippedReadFixes } from './skipped-read-fixes.ts';
import { listIn, valueAt } from '../../workflow/value-at.ts';
import { parseText } from '../../expressions/parse-value.ts';
import { itemNames } from '../../expressions/scope.ts';

export type FixCandidate = { readonly title: string; readonly edits: readonly WorkflowEdit[] };

type Problem = FileProblem & {
  /** The file as data. */
  readonly data: JsonValue;
  readonly context: LanguageContext;
};

export function fixCandidates(
  text: string,
  problem: FileProblem,
  context: LanguageContext,
): readonly FixCandidate[] {
  const data = readFile(text).document?.data ?? null;
  return fixers.flatMap((fixer) => fixer({ ...problem, data, context }));
}

type Fixer = (problem: Problem) => readonly FixCandidate[];

/** Each knows problems by their messages, which say what is wrong there. */
const fixers: readonly Fixer[] = [
  ({ message, path, atKey, offset, data }) => {
    const meant = meantName(message);
    if (meant === undefined) return [];
    const title = `Change to ${JSON.stringify(meant)}`;
    if (atKey === true) return [{ title, edits: [{ kind: 'renameKey', path, key: meant }] }];
    if (offset !== undefined) return replacedName({ data, path, offset }, meant);
    return [{ title, edits: [{ kind: 'setValue', path: existing(data, path), value: meant }] }];
  },
  ({ message, path, offset, data }) => {
    const name = /^Unknown name "(.+?)"; fields of the row/.exec(message)?.[1];
    const fields = listIn(data, nodesAt(path)).flatMap((node) => Object.keys(objectIn(node, 'fields')));
    if (name === undefined || offset === undefined || !fields.includes(name)) return [];
    return replacedName({ data, path, offset }, `row.${name}`);
  },
  ({ message, path, offset, data }) => {
    const written = /is a (?:node|variable): write ((?:nodes|vars)\.\w+)$/.exec(message)?.[1];
    if (written === undefined || offset === undefined) return [];
    return replacedName({ data, path, offset }, written);
  },
  ({ message, path }) =>
    /^Unknown key /.test(message) && !message.includes('put a space')
      ? [{ title: `Remove ${JSON.stringify(path.at(-1))}`, edits: [{ kind: 'removeItem', path }] }]
      : [],
  ({ message, path }) => {
    const digits = /^The number (.+) loses digits: put quotes around it$/.exec(message)?.[1];
    if (digits === undefined) return [];
    return [{ title: 'Put quotes around it', edits: [{ kind: 'setValue', path, value: digits }] }];
  },
  missingKey,
  missingNode,
  ({ message, path, data }) => {
    const id = /^Nothing reads the node "(.+)"$/.exec(message)?.[1];
    if (id === undefined) return [];
    const nodes = nodesAt(path);
    const output = listIn(data, nodes).findIndex((node) => valueAt(node, ['type']) === 'output');
    const fields = [...nodes, output, 'fields'];
    return [
      {
        title: `Add nodes.${id} to the output`,
        edits: [{ kind: 'insertKey', path: fields, key: id, value: `=nodes.${id}` }],
      },
      {
        title: `Delete the node ${JSON.stringify(id)}`,
        edits: [{ kind: 'deleteNodes', ids: [nameOf(id, path, data)] }],
      },
    ];
  },
  oddOutput,
  ({ message, data }) => {
    const name = /^There is no variable "([A-Za-z]\w{0,63})"/.exec(message)?.[1];
    if (name === undefined) return [];
    const edit =
      valueAt(data, ['vars']) === undefined
        ? { path: [], key: 'vars', value: { [name]: null }, before: 'nodes' }
        : { path: ['vars'], key: name, value: null };
    return [{ title: `Add the variable ${JSON.stringify(name)}`, edits: [{ kind: 'insertKey', ...edit }] }];
  },
  ({ message, path }) =>
    /^A node with "nodes" calls no other workflow/.test(message)
      ? [{ title: 'Remove "workflow"', edits: [{ kind: 'removeItem', path }] }]
      : [],
  ({ message, path }) =>
    /^The header authorization carries the secret as it is/.test(message)
      ? [{ title: 'Leave "header" out for a bearer token', edits: [{ kind: 'removeItem', path }] }]
      : [],
  skippedReadFixes,
  ({ message, path }) =>
    / is already given by the node /.test(message)
      ? [{ title: 'Remove this field', edits: [{ kind: 'removeItem', path }] }]
      : [],
  ({ message, path, data }) => {
    const id = /^The id "(.+?)" is already taken/.exec(message)?.[1];
    if (id === undefined) return [];
    const value = freeId(id, listIn(data, nodesAt(path)));
    return [{ title: `Change to ${JSON.stringify(value)}`, edits: [{ kind: 'setValue', path, value }] }];
  },
];

/** Replaces the name that begins at an offset of a text. */
function replacedName(
  {
    data,
    path,
    offset,
  }: { readonly data: JsonValue; readonly path: readonly PathStep[]; readonly offset: number },
  by: string,
): readonly FixCandidate[] {
  const text = valueAt(data, path);
  if (typeof text !== 'string') return [];
  const name = /^["'`]?([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(text.slice(offset));
  if (name?.[1] === undefined) return [];
  const from = offset + name[0].length - name[1].length;
  const changes = [{ from, to: from + name[1].length, insert: by }];
  return [
    {
      title: `Change to ${JSON.stringify(by)}`,
      edits: [{ kind: 'changeTexts', texts: [{ path, changes }] }],
    },
  ];
}

/** The path without its last step, where that is the only name of `after`. */
const existing = (data: JsonValue, path: readonly PathStep[]): readonly PathStep[] =>
  typeof valueAt(data, path.slice(0, -1)) === 'string' ? path.slice(0, -1) : path;

function missingKey({ message, path, data, context }: Problem): readonly FixCandidate[] {
  const key = /^Missing key "(.+)"$/.exec(message)?.[1];
  if (key === undefined) return [];
  const parent = path.slice(0, -1);
  const object = valueAt(data, parent);
  if (!isJsonObject(object)) return [];
  const [first, second] = Object.keys(object);
  const before =
    key === 'type' && first === 'id' ? second : ['id', 'type', 'rowbench'].includes(key) ? first : undefined;
  return missingValues(key, { path, object, data, context }).map((value) => ({
    title: `Add ${key}${typeof value === 'object' ? '' : `: ${String(value).split('\n')[0]}`}`,
    edits: [{ kind: 'insertKey', path: parent, key, value, ...(before === undefined ? {} : { before }) }],
  }));
}

type Missing = Pick<Problem, 'path' | 'data' | 'context'> & { readonly object: JsonObject };

function missingValues(key: string, { path, object, data, context }: Missing): readonly JsonValue[] {
  if (path.length === 1)
    return key === 'rowbench' ? [formatVersion] : key === 'id' ? [context.workflowId] : [];
  const node = nodePathOf(path);
  if (node === undefined) return [];
  const nodes = listIn(data, nodesAt(path));
  const written = valueAt(data, [...node, 'type']);
  const type = typeof written === 'string' ? written : 'node';
  const isOfNode = path.length === node.length + 1;
  if (isOfNode && key === 'id') return [freeId(type, nodes)];
  if (isOfNode && key === 'type') return fittingTypes(object, nodes);
  return isNodeType(type) ? valuesOfType(type, { path, data, context }) : [];
}

function valuesOfType(
  type: NodeType,
  { path, data, context }: Omit<Missing, 'object'>,
): readonly JsonValue[] {
  const { tables, workflowIds, workflowId } = context;
  const kind = schemasAt(schemaOf({ text: '' }), path, data)[0]?.[fieldKeyword];
  if (kind === 'table') return tables.slice(0, 1).map((table) => table.path);
  if (kind === 'workflow') return workflowIds.filter((id) => id !== workflowId).slice(0, 1);
  const value = exampleValue(type, path.slice(nodePathOf(path)?.length));
  return value === undefined ? [] : [value];
}

/** Types whose keys the node has. */
function fittingTypes(node: JsonObject, nodes: readonly JsonValue[]): readonly string[] {
  const ids = nodes.flatMap((each) => valueAt(each, ['id']) ?? []);
  const parse = nodeParser({ nodeIds: new Set(ids.filter((id) => typeof id === 'string')) });
  return nodeTypeNames
    .filter((type) => parse({ json: { ...node, type }, path: fileNodes, line: 1 }).ok)
    .slice(0, 2);
}

function missingNode({ message, path, data }: Problem): readonly FixCandidate[] {
  const type = /^The (?:workflow|body) has no node of type (input|output)$/.exec(message)?.[1];
  if (type === undefined) return [];
  const id = freeId(type === 'output' ? 'result' : type, listIn(data, path));
  return [
    {
      title: `Add an ${type} node`,
      edits: [
        type === 'input'
          ? { kind: 'addNode', node: { id, type }, index: 0 }
          : { kind: 'addNode', node: { id, type, fields: {} }, ...within(path, data) },
      ],
    },
  ];
}

/** The node whose body has the list of nodes, as edits name it. */
function within(path: readonly PathStep[], data: JsonValue): { readonly within?: string } {
  const owner = ownerOf(path);
  const id = owner && valueAt(data, [...owner, 'id']);
  return typeof id === 'string' ? { within: id } : {};
}

/** The id of a node at the path, as edits name it. */
function nameOf(id: string, path: readonly PathStep[], data: JsonValue): string {
  const { within: nodeId } = within(nodesAt(path), data);
  return nodeId === undefined ? id : innerId(nodeId, id);
}

function oddOutput({ message, path, data }: Problem): readonly FixCandidate[] {
  if (!/^The output field .* is (an object|null|true or false); /.test(message)) return [];
  const value = valueAt(data, path);
  if (value === null) return [{ title: 'Remove this field', edits: [{ kind: 'removeItem', path }] }];
  const text = value === undefined ? undefined : jsonTextOf(value);
  if (text === undefined) return [];
  return [{ title: 'Write it as text', edits: [{ kind: 'setValue', path, value: text }] }];
}

function freeId(id: string, nodes: readonly JsonValue[]): string {
  const taken = new Set(nodes.map((node) => valueAt(node, ['id'])));
  if (!taken.has(id)) return id;
  const stem = id.replace(/\d+$/, '');
  for (let number = 2; ; number += 1) if (!taken.has(`${stem}${number}`)) return `${stem}${number}`;
}

function objectIn(value: JsonValue, key: string): JsonObject {
  const object = valueAt(value, [key]);
  return isJsonObject(object) ? object : {};
}

/** The value at a path of a node, as the documentation of the node's type has it. */
function exampleValue(type: NodeType, path: readonly PathStep[]): JsonValue | undefined {
  const example = readFile(nodeTypes[type].example).document?.data;
  // Each item of a list is like the first one.
  return valueAt(example, [0, ...path.map((step) => (typeof step === 'number' ? 0 : step))]);
}

/** A value of the file as the text of its JSON: itself a text, or an expression if the value has expressions. */
function jsonTextOf(value: JsonValue): string | undefined {
  const script = scriptOf(value);
  if (script === undefined) return undefined;
  const json = JSON.stringify(value);
  return script === json ? json : `=JSON.stringify(${script})`;
}

/** The value as JavaScript; undefined if an expression in it has a mistake. */
function scriptOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return scriptOfText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([key, member]: [string, JsonValue]) => {
    const script = scriptOf(member);
    return script === undefined ? undefined : isList ? script : `${JSON.stringify(key)}:${script}`;
  });
  if (members.includes(undefined)) return undefined;
  return isList ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}

function scriptOfText(text: string): string | undefined {
  const parsed = parseText(text, { names: itemNames });
  if (!parsed.ok) return undefined;
  switch (parsed.value.kind) {
    case 'expression':
      return parsed.value.source;
    case 'template':
      return `\`${parsed.value.parts
        .map((part) =>
          typeof part === 'string' ? part.replaceAll(/[`\\$]/g, String.raw`\$&`) : `\${${part.source}}`,
        )
        .join('')}\``;
    default:
      return JSON.stringify(text);
  }
}
