// The form of one node in the text of a workflow file, or of the workflow itself: its fields, keys that nothing knows, and
// what is wrong where. Runs in the parser process, for the app's inspector.
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { commentOf } from '../edit/edit-candidates.ts';
import { EditableFile, RefusedEdit } from '../edit/editable-file.ts';
import { isNodeType, nodeTypeNames, nodeTypes, type NodeType } from '../../nodes/catalogue.ts';
import { nodeKeys } from '../../nodes/node-keys.ts';
import { nodeSchema } from '../../nodes/node-schema.ts';
import { itemNames } from '../../expressions/scope.ts';
import { slotsFor } from '../../nodes/slots.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import type { Issue } from '../../workflow/issue.ts';
import { outlineOf } from '../../workflow/outline.ts';
import { workflowProblems } from '../../workflow/parse-workflow.ts';
import { readFile } from '../../workflow/read-file.ts';
import { workflowKeys } from '../../workflow/workflow-keys.ts';
import { nodePathById } from '../../workflow/node-path.ts';
import { valueAt } from '../../workflow/value-at.ts';
import type { JsonSchema } from '../../workflow/workflow-schema.ts';
import { fieldsOf, unknownKeys, type FormContext } from './form-controls.ts';
import type { NodeField, UnknownKey } from './node-field.ts';

/** An issue of a node, at a path from the node; of a missing key, the path has it. */
export type FieldIssue = Pick<Issue, 'message' | 'severity' | 'line' | 'column'> & {
  readonly path: readonly PathStep[];
};

export type NodeForm = {
  readonly kind: 'form';
  /** Absent: the form of the workflow itself. */
  readonly nodeId?: string;
  /** Path of the node in the file; empty for the workflow. */
  readonly path: readonly PathStep[];
  /** Title and description of the type; both empty if there is no such type. */
  readonly title: string;
  readonly summary: string;
  /** The node, or the workflow, as it is in the file. */
  readonly node: JsonObject;
  /** The comment above the node; absent for none. */
  readonly note?: string;
  /** The id, the type and the keys of the type. */
  readonly fields: readonly NodeField[];
  /** Keys of every node, as far as this type has them. */
  readonly commonFields: readonly NodeField[];
  readonly unknown: readonly UnknownKey[];
  readonly issues: readonly FieldIssue[];
};

export type NodeFormResult =
  | NodeForm
  | { readonly kind: 'missing' }
  /** The text cannot be read; `line` counts from 1. */
  | { readonly kind: 'broken'; readonly line: number; readonly message: string };

/** @param nodeId null: the form of the workflow itself */
export function nodeForm(text: string, nodeId: string | null): NodeFormResult {
  const { document, issues } = readFile(text);
  if (document === undefined) {
    const [{ line, message } = { line: 1, message: 'The file is empty' }] = issues;
    return { kind: 'broken', line, message };
  }
  if (nodeId === null) return workflowForm(text, document.data);
  const path = nodePathById(document.data, nodeId);
  const node = path && valueAt(document.data, path);
  if (path === undefined || !isJsonObject(node)) return { kind: 'missing' };
  const type = node['type'];
  const readIn = readerOf(text, path);
  const note = readIn([], commentOf);
  return {
    kind: 'form',
    nodeId,
    path,
    node,
    ...(note === undefined ? {} : { note }),
    ...fieldsOfNode(typeof type === 'string' && isNodeType(type) ? type : undefined, {
      node,
      nodesBefore: nodesBefore(text, nodeId),
      writtenAt: (key) => readIn(key, writtenAt) ?? '',
    }),
    issues: issuesOf(text, path),
  };
}

/** Keys of the workflow that its form shows: the others are its identity and its nodes. */
const workflowFields = workflowKeys.omit({ $schema: true, rowbench: true, id: true, nodes: true });

function workflowForm(text: string, data: JsonValue): NodeFormResult {
  if (!isJsonObject(data)) return { kind: 'missing' };
  // The nodes are most of the file, and have forms of their own.
  const node = 'nodes' in data ? { ...data, nodes: [] } : data;
  const context = { node, nodesBefore: [], writtenAt: () => '' };
  const schema = z.toJSONSchema(workflowFields, schemaOptions) as unknown as NodeJsonSchema;
  return {
    kind: 'form',
    path: [],
    title: 'Workflow',
    summary: 'What holds for all rows of a run. Choose a node in the graph to see its form.',
    node,
    fields: fieldsOf(schema, [], context),
    commonFields: [],
    unknown: [],
    issues: issuesOf(text, []).filter(({ path: [key] }) => String(key) in schema.properties),
  };
}

type Fields = Pick<NodeForm, 'title' | 'summary' | 'fields' | 'commonFields' | 'unknown'>;

function fieldsOfNode(type: NodeType | undefined, context: FormContext): Fields {
  const schema = schemaOf(type ?? 'set');
  const fields = fieldsOf(schema, [], context).map((field): NodeField =>
    field.label === 'type' ? { ...field, control: { kind: 'choice', options: nodeTypeNames } } : field,
  );
  // Without a type nothing is known but the keys that every node has.
  const own = fields.filter(({ label }) => type !== undefined || label === 'id' || label === 'type');
  const { title, summary } = type === undefined ? { title: '', summary: '' } : nodeTypes[type];
  return {
    title,
    summary,
    fields: own.filter(({ label }) => !commonKeys.has(label)),
    commonFields: own.filter(({ label }) => commonKeys.has(label)),
    unknown: type === undefined ? [] : unknownKeys(schema, [], context),
  };
}

const anySlots = slotsFor({ names: itemNames });
const commonKeys: ReadonlySet<string> = new Set(Object.keys(nodeKeys(anySlots, anySlots)));

const schemaOptions = { io: 'input', target: 'draft-2020-12', reused: 'inline' } as const;

type NodeJsonSchema = JsonSchema & { readonly properties: Record<string, JsonSchema> };
const schemas = new Map<NodeType, NodeJsonSchema>();

function schemaOf(type: NodeType): NodeJsonSchema {
  const known = schemas.get(type);
  if (known !== undefined) return known;
  const made = z.toJSONSchema(
    nodeSchema(type, { hasEach: true }),
    schemaOptions,
  ) as unknown as NodeJsonSchema;
  schemas.set(type, made);
  return made;
}

/** Ids of other nodes that do not wait for this one. */
function nodesBefore(text: string, nodeId: string): readonly string[] {
  const outline = outlineOf(text);
  const [outer = '', inner] = nodeId.split('/');
  const body = inner === undefined ? undefined : outline.nodes.find(({ id }) => id === outer)?.body;
  const { nodes, edges } = body ?? outline;
  const behind = new Set([nodeId]);
  // Adding to a set while it is walked goes on with what was added.
  for (const id of behind) for (const { from, to } of edges) if (from === id) behind.add(to);
  return nodes.flatMap(({ id }) => (behind.has(id) ? [] : (id.split('/').at(-1) ?? [])));
}

/** Reads a part of the file around a node; undefined where the text cannot be edited, for an anchor or a doubled key. */
function readerOf(text: string, around: readonly PathStep[]) {
  let file: EditableFile | undefined;
  return <T>(
    path: readonly PathStep[],
    read: (file: EditableFile, path: readonly PathStep[]) => T,
  ): T | undefined => {
    try {
      file ??= new EditableFile(text.replace(/^\ufeff/, ''));
      return read(file, [...around, ...path]);
    } catch (error) {
      if (error instanceof RefusedEdit) return undefined;
      throw error;
    }
  };
}

function writtenAt(file: EditableFile, path: readonly PathStep[]): string {
  const { entry } = file.locate(path);
  return file.text.slice(entry.valueStart, entry.end);
}

const issuesOf = (text: string, node: readonly PathStep[]): readonly FieldIssue[] =>
  workflowProblems(text)
    .filter(({ problem: { path } }) => node.every((step, at) => path[at] === step))
    .map(({ problem: { path }, issue: { message, severity, line, column } }) => ({
      path: path.slice(node.length),
      message,
      severity,
      line,
      column,
    }));
