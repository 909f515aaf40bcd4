// The outline of a workflow file, to draw its graph: the nodes with their lines, and the edges between them. A file
// with errors has an outline too: nodes that do not parse are in it, with the references found in their texts.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { isNodeType, nodeTypes } from '../nodes/catalogue.ts';
import type { FileDocument } from './file-document.ts';
import type { PathStep } from './file-problem.ts';
import { fileNodes, innerId, type NodePath, type NodesPath } from './node-path.ts';
import { expressionsIn, nodeReads, parsedFields } from './node-reads.ts';
import { nodeParser } from './parse-node.ts';
import { parsedNodeOf } from './parse-workflow.ts';
import { readFile } from './read-file.ts';
import { listIn } from './value-at.ts';
import type { WorkflowNode } from './workflow.ts';
import { maxNodes } from './workflow-keys.ts';

export type OutlineNode = {
  readonly id: string;
  /** Index in the list of nodes, which may also have nodes without an id. */
  readonly index: number;
  readonly path: NodePath;
  /** As the file has it, whether or not there is such a type. */
  readonly type: string;
  /** Title of the type; an unknown type's own name. */
  readonly title: string;
  /** One line that says what the node does. */
  readonly summary: string;
  /** First line of the comment above it; absent for none. */
  readonly note?: string;
  /** Its condition, and the list of its items, each on one line as the file has it; absent for none. */
  readonly when?: string;
  readonly each?: string;
  /** Its lines in the file, from 1, the last included. */
  readonly first: number;
  readonly last: number;
  /** Names in its value that the file lists, with their lines; absent for a node that lists none. */
  readonly members?: readonly (readonly [name: string, line: number])[];
  /** Paths from the node to its other texts that may be expressions, with their lines; absent for none. */
  readonly expressions?: readonly (readonly [path: readonly PathStep[], line: number])[];
  /** Absent for a node without a body. Ids of its nodes are `<node>/<id>`. */
  readonly body?: Outline;
};

export type OutlineEdge = {
  readonly from: string;
  readonly to: string;
  /**
   * `when`: only its condition reads the other node. `row`: it reads no other node, so it begins with the row. `after`: for
   * order alone.
   */
  readonly kind: 'reads' | 'when' | 'after' | 'row';
};

export type Outline = {
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly OutlineEdge[];
  /** There are more edges than anybody could tell apart: so many are not among them. */
  readonly edgesLeftOut: number;
};

/** Maximum edges that a page can draw and a reader can follow. */
const maxEdges = 2_000;

/** Maximum characters of the text on a node's card. */
const maxCardText = 120;

type Written = {
  readonly id: string;
  readonly json: JsonObject;
  readonly index: number;
  readonly path: NodePath;
};

/** Empty for a text that is not even YAML. Never throws on any text. */
export function outlineOf(text: string): Outline {
  const { document } = readFile(text);
  if (document === undefined || !isJsonObject(document.data))
    return { nodes: [], edges: [], edgesLeftOut: 0 };
  return outlineOfList(document, fileNodes);
}

function outlineOfList(document: FileDocument, list: NodesPath): Outline {
  const written = writtenNodes(listIn(document.data, list), list);
  return { nodes: written.map((node) => outlineNode(node, document)), ...drawable(edgesOf(written)) };
}

/** The outline of a body, whose ids are those by which its nodes are named outside of it. */
function bodyOutline({ id: nodeId, path, json }: Written, document: FileDocument): Outline | undefined {
  const list = [...path, 'nodes'];
  if (json['type'] !== 'workflow' || path.length > fileNodes.length + 1 || !Array.isArray(json['nodes']))
    return undefined;
  const { nodes, edges, edgesLeftOut } = outlineOfList(document, list);
  const named = (id: string): string => innerId(nodeId, id);
  return {
    nodes: nodes.map((node) => ({ ...node, id: named(node.id) })),
    edges: edges.map((edge) => ({ ...edge, from: named(edge.from), to: named(edge.to) })),
    edgesLeftOut,
  };
}

/** Nodes that have an id; of nodes with the same id, the first one. */
function writtenNodes(list: readonly JsonValue[], nodes: NodesPath): Written[] {
  const seen = new Set<string>();
  return list.slice(0, maxNodes).flatMap((json, index) => {
    const id = isJsonObject(json) ? json['id'] : undefined;
    if (!isJsonObject(json) || typeof id !== 'string' || seen.has(id)) return [];
    seen.add(id);
    return [{ id, json, index, path: [...nodes, index] }];
  });
}

function outlineNode(written: Written, document: FileDocument): OutlineNode {
  const { id, json, index, path } = written;
  const body = bodyOutline(written, document);
  const { type = '' } = json;
  const name = typeof type === 'string' ? type : '';
  const note = document.commentAbove(path);
  return {
    id,
    index,
    path,
    type: name,
    title: isNodeType(name) ? nodeTypes[name].title : name,
    summary: cardLine(name, json),
    ...(note === undefined ? {} : { note: shortened(note) }),
    ...oneLine('when', json),
    ...oneLine('each', json),
    ...document.linesOf(path),
    ...membersOf({ json, path, type: name }, document),
    ...expressionLines({ json, path, type: name }, document),
    ...(body === undefined ? {} : { body }),
  };
}

const oneLine = <Key extends string>(key: Key, json: JsonObject): { readonly [K in Key]?: string } => {
  const value = json[key];
  if (value === undefined) return {};
  const text = typeof value === 'string' ? value : JSON.stringify(value).slice(0, maxShownValue);
  return { [key]: onOneLine(text) } as { readonly [K in Key]: string };
};

/** Characters of a list or an object that stands where an expression is usual. */
const maxShownValue = 80;

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Keys of the nodes whose value has a member for each name below it. */
const memberKeys: Readonly<Record<string, string>> = { input: 'fields', set: 'values', output: 'fields' };

function membersOf(
  { json, path, type }: Pick<Written, 'json' | 'path'> & { readonly type: string },
  document: FileDocument,
): Pick<OutlineNode, 'members'> {
  const key = memberKeys[type];
  const members = key === undefined ? undefined : json[key];
  if (key === undefined || !isJsonObject(members)) return {};
  return {
    members: Object.keys(members).map((name) => [
      name,
      document.positionOf({ path: [...path, key, name], atKey: true }).line,
    ]),
  };
}

/** The node without the nodes of its body. */
const ownKeys = (json: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([key]) => key !== 'nodes'));

/** Keys whose text is an expression without a mark. */
const bareKeys: readonly PathStep[] = ['when', 'each', 'that'];

function expressionLines(
  { json, path, type }: Pick<Written, 'json' | 'path'> & { readonly type: string },
  document: FileDocument,
): Pick<OutlineNode, 'expressions'> {
  const memberKey = memberKeys[type];
  const paths = expressionPaths(ownKeys(json), []).filter(
    ([key, , deeper]) => key !== memberKey || deeper !== undefined,
  );
  if (paths.length === 0) return {};
  return {
    expressions: paths.map((inner) => [
      inner,
      document.positionOf({ path: [...path, ...inner], atKey: true }).line,
    ]),
  };
}

function expressionPaths(value: JsonValue, path: readonly PathStep[]): readonly (readonly PathStep[])[] {
  if (typeof value === 'string') {
    const isExpression =
      value.startsWith('=') || value.includes('{{') || bareKeys.includes(path.at(-1) ?? '');
    return isExpression ? [path] : [];
  }
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((each, index) => expressionPaths(each, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => expressionPaths(each, [...path, key]));
}

/** The node's card text on one line; empty for an unknown type. */
function cardLine(type: string, written: JsonObject): string {
  return isNodeType(type) ? shortened(onOneLine(nodeTypes[type].card(written))) : '';
}

const shortened = (text: string): string =>
  text.length <= maxCardText ? text : `${[...text.slice(0, maxCardText)].slice(0, -1).join('')}…`;

/** At most `maxEdges` edges: above that each node keeps an equal number, data before order, the last ones of each. */
function drawable(ofNodes: readonly (readonly OutlineEdge[])[]): Omit<Outline, 'nodes'> {
  const total = ofNodes.reduce((sum, { length }) => sum + length, 0);
  if (total <= maxEdges) return { edges: ofNodes.flat(), edgesLeftOut: 0 };
  const most = Math.floor(maxEdges / ofNodes.length);
  const edges = ofNodes.flatMap((ofNode) => ofNode.toReversed().sort(dataFirst).slice(0, most));
  return { edges, edgesLeftOut: total - edges.length };
}

const dataFirst = (one: OutlineEdge, other: OutlineEdge): number =>
  Number(one.kind === 'after') - Number(other.kind === 'after');

/** Those that lead to each node. */
function edgesOf(written: readonly Written[]): OutlineEdge[][] {
  const ids = new Set(written.map(({ id }) => id));
  const parse = nodeParser({ nodeIds: ids });
  const input = written.find(({ json }) => json['type'] === 'input')?.id;
  return written.map(({ id, json, path }) => {
    const parsed = (): WorkflowNode | undefined => {
      const result = parse({ json, path, line: 1 });
      return result.ok ? result.value : undefined;
    };
    // The check of the text has parsed its nodes.
    const node = parsedNodeOf(json) ?? parsed();
    const isFrom = isOther(id, ids);
    const reads = new Set((node === undefined ? namedIn(ownKeys(json)) : nodeReads(node)).filter(isFrom));
    const elsewhere = new Set(
      node === undefined ? namedIn({ ...json, when: null }) : readsBesidesCondition(node),
    );
    const after = new Set(textsIn(json['after']).filter((other) => isFrom(other) && !reads.has(other)));
    const edges: OutlineEdge[] = [
      ...[...reads].map((from) => ({ from, to: id, kind: elsewhere.has(from) ? 'reads' : 'when' }) as const),
      ...[...after].map((from) => ({ from, to: id, kind: 'after' as const })),
    ];
    // Every node sees the row: an edge for each of them would say nothing.
    if (edges.length > 0 || input === undefined || id === input) return edges;
    return [{ from: input, to: id, kind: 'row' }];
  });
}

const readsBesidesCondition = (node: WorkflowNode): readonly string[] =>
  expressionsIn({ ...parsedFields(node), when: undefined }).flatMap(({ nodeRefs }) => nodeRefs);

const isOther =
  (id: string, ids: ReadonlySet<string>) =>
  (other: string): boolean =>
    other !== id && ids.has(other);

const reference = /\bnodes(?:\.([\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(?:"([^"]*)"|'([^']*)')\s*\])/gu;

const namedIn = (json: JsonValue): string[] =>
  textsIn(json).flatMap((text) =>
    [...text.matchAll(reference)].flatMap(([, plain, double, single]) => plain ?? double ?? single ?? []),
  );

/** All texts in a value, which is no deeper than a file may be. */
function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((part) => textsIn(part));
}
