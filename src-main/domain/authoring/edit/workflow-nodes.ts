// The nodes of a workflow under edit, with every reference to a node and the place where it is written. Works on files
// with mistakes too.
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { findReferences, type CodeKind, type FoundReferences } from '../../expressions/find-references.ts';
import { isNodeType, type NodeType } from '../../nodes/catalogue.ts';
import { schemaWithSlots, type NodeSchema } from '../../nodes/node-schema.ts';
import { refuse } from '../../nodes/slot-problems.ts';
import type { Slots } from '../../nodes/slots.ts';
import { fileJson } from '../../workflow/file-document.ts';
import { fileNodes, listsIn, type NodesPath } from '../../workflow/node-path.ts';
import { listIn } from '../../workflow/value-at.ts';
import { checkPart } from '../../workflow/check/schema-problems.ts';
import { z } from 'zod';
import { describePath, type EditableFile, type NodeRead, type Path } from './editable-file.ts';

/** A node as its author wrote it; it may be invalid. */
export type WrittenNode = {
  /** By which nodes of its list name it. */
  readonly id: string;
  /** In its list of nodes. */
  readonly index: number;
  readonly path: Path;
  readonly json: JsonObject;
};

/** A text of a node that holds code. */
type CodeText = { readonly path: Path; readonly kind: CodeKind; readonly text: string };

/** References in one text. */
export type TextReferences = CodeText & FoundReferences & { readonly node: WrittenNode };

/** Nodes of a list that have an id, in file order. */
export const writtenNodes = (file: EditableFile, list: NodesPath = fileNodes): readonly WrittenNode[] =>
  nodesOfList(fileJson(file.root), list);

const nodesOfList = (data: JsonValue, list: NodesPath): readonly WrittenNode[] =>
  listIn(data, list).flatMap((json, index) => {
    const id = isJsonObject(json) ? json['id'] : undefined;
    return isJsonObject(json) && typeof id === 'string' ? [{ id, index, path: [...list, index], json }] : [];
  });

/** The nodes of each list of the file: its own, then those of bodies. */
export function writtenLists(file: EditableFile): readonly (readonly WrittenNode[])[] {
  const data = fileJson(file.root);
  return listsIn(data).map((list) => nodesOfList(data, list));
}

/** The node with this id; one of a body is named `<node>/<id>`. Throws a RefusedEdit if there is none, or more than one. */
export function nodeOf(file: EditableFile, id: string): WrittenNode {
  const [first = '', inner] = id.split('/');
  const node = nodeIn(file, fileNodes, first);
  return inner === undefined ? node : nodeIn(file, [...node.path, 'nodes'], inner);
}

function nodeIn(file: EditableFile, list: NodesPath, id: string): WrittenNode {
  const [node, second] = writtenNodes(file, list).filter((each) => each.id === id);
  if (second !== undefined)
    file.refuse(`There are two nodes ${JSON.stringify(id)}`, file.offsetOf(second.path));
  return node ?? file.refuse(`There is no node ${JSON.stringify(id)}`);
}

/** The list of nodes that a node is in; its path begins with that of the list. */
export const listOf = ({ path }: WrittenNode): NodesPath => path.slice(0, -1);

/** The nodes of the same list. */
export const nodesAround = (file: EditableFile, node: WrittenNode): readonly WrittenNode[] =>
  writtenNodes(file, listOf(node));

/** The list of the file, or that of the body of a node. Throws a RefusedEdit for a node without a body. */
export function listWithin(file: EditableFile, nodeId: string | undefined): NodesPath {
  if (nodeId === undefined) return fileNodes;
  const list = [...nodeOf(file, nodeId).path, 'nodes'];
  const isBody = listsIn(fileJson(file.root)).some((each) => isSameJson(each, list));
  return isBody ? list : file.refuse(`The node ${JSON.stringify(nodeId)} has no body`);
}

/** All texts of the nodes that hold code, with the references in them. */
export const referencesIn = (nodes: readonly WrittenNode[]): readonly TextReferences[] =>
  nodes.flatMap((node) =>
    codeTexts(node.json).map(({ path, kind, text }) => ({
      ...{ node, kind, text, path: [...node.path, ...path] },
      ...findReferences(kind, text),
    })),
  );

/** Ids in the key `after`, each with its path. */
export function afterEntries({
  json,
  path: ofNode,
}: WrittenNode): readonly { readonly id: string; readonly path: Path }[] {
  const { after } = json;
  const path = [...ofNode, 'after'];
  if (typeof after === 'string') return [{ id: after, path }];
  if (!Array.isArray(after)) return [];
  return (after as readonly JsonValue[]).flatMap((id, at) =>
    typeof id === 'string' ? [{ id, path: [...path, at] }] : [],
  );
}

/** Ids of the nodes that a node reads or waits for. */
export const dependenciesIn = (node: WrittenNode): ReadonlySet<string> =>
  new Set([
    ...afterEntries(node).map(({ id }) => id),
    ...referencesIn([node]).flatMap(({ references }) => references.map(({ id }) => id)),
  ]);

/** Fields of these nodes that name a node, in file order. */
export const readsOf = (file: EditableFile, nodes: readonly WrittenNode[], id: string): NodeRead[] =>
  nodes.flatMap((node) => {
    const paths = [
      ...referencesIn([node]).filter(({ references }) => references.some((each) => each.id === id)),
      ...afterEntries(node).filter((entry) => entry.id === id),
    ].map(({ path }) => path);
    return paths.map((path) => ({
      id: node.id,
      field: describePath(path.slice(node.path.length)),
      line: file.lineOf(file.offsetOf(path)),
    }));
  });

/** Kind of code that can stand at a path of the node; undefined where no code can. */
export const codeKindAt = (node: JsonObject, path: Path): CodeKind | undefined =>
  codeTexts(node).find((text) => isSameJson(text.path, path))?.kind;

/** Where code can stand in a node, the schema of its type says. */
export function codeTexts(json: JsonObject): readonly CodeText[] {
  const { type } = json;
  if (typeof type !== 'string' || !isNodeType(type)) return textsIn(json, [], 'text');
  const checked = checkPart(recordingSchema(type), json, []);
  if (checked.ok) return [];
  return checked.problems.flatMap(({ message, path }) => {
    const kind = kinds.find((each) => message === marker + each);
    const value = path.reduce<JsonValue | undefined>(memberOf, json);
    return kind === undefined || value === undefined ? [] : textsIn(value, path, kind);
  });
}

const kinds: readonly CodeKind[] = ['expression', 'text', 'body'];

/** In front of the kind, in the message of a problem. No other problem begins so. */
const marker = '\0code:';

/** Slots that report themselves as a problem with their path, instead of checking what is written there. */
const recordingSlots: Slots = {
  value: () => recorder('text'),
  text: () => recorder('text'),
  url: () => recorder('text'),
  fixedText: () => recorder('text'),
  expression: () => recorder('expression'),
  body: () => recorder('body'),
  wait: () => recorder('text'),
  fields: () => recorder('text'),
  computed: () => recorder('text'),
  knowing: () => recordingSlots,
};

/** Schemas are made once: to make one takes longer than to use it. */
const recordingSchemas = new Map<NodeType, NodeSchema>();

function recordingSchema(type: NodeType): NodeSchema {
  const slots = { every: recordingSlots, own: recordingSlots, onError: recordingSlots };
  const schema = recordingSchemas.get(type) ?? schemaWithSlots(type, slots);
  recordingSchemas.set(type, schema);
  return schema;
}

const recorder = <T>(kind: CodeKind): z.ZodType<T> =>
  z.unknown().transform((_, context): T => refuse(context, [{ message: marker + kind }]));

function textsIn(value: JsonValue, path: Path, kind: CodeKind): CodeText[] {
  if (typeof value === 'string') return [{ path, kind, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]: [string, JsonValue]) =>
    textsIn(part, [...path, Array.isArray(value) ? Number(key) : key], kind),
  );
}

function memberOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as { readonly [key: string]: JsonValue })[step];
}
