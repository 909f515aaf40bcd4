// Names of the keys that an object of a file can have.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { isNodeType, nodeTypeNames, nodeTypes, type NodeType } from '../../nodes/catalogue.ts';
import { fieldKeyword } from '../../nodes/field-kind.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import type { CompletionSite, KnownName } from './completion-site.ts';
import { declaredFields } from './samples.ts';
import { schemasAt, type FileSchema } from './schema-at.ts';
import { fileNodes, nodePathOf, nodesAt, ownerOf, type NodesPath } from '../../workflow/node-path.ts';
import { listIn, valueAt } from '../../workflow/value-at.ts';

/** Keys that are missing, those that must be there first. */
export function keyNames(site: CompletionSite): readonly KnownName[] {
  const { caret, schema } = site;
  const path = caret.isKey ? caret.path.slice(0, -1) : caret.path;
  const object = valueAt(caret.data, path);
  const taken = isJsonObject(object) ? Object.keys(object) : [];
  const own = caret.isKey ? String(caret.path.at(-1)) : undefined;
  const schemas = schemasAt(schema, path, caret.data);
  const names = [...fromSchemas(schemas, untypedNode(site, path)), ...namesOfFile(site, path)];
  const seen = new Set(taken.filter((key) => key !== own));
  return names.filter(({ name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

/** True for a node that has no type yet: only the keys that each type has make sense. */
const untypedNode = ({ caret, isTests }: CompletionSite, path: readonly PathStep[]): boolean => {
  const type = valueAt(caret.data, [...path, 'type']);
  const isNode = !isTests && nodePathOf(path)?.length === path.length;
  return isNode && (typeof type !== 'string' || !isNodeType(type));
};

function fromSchemas(schemas: readonly FileSchema[], isUntyped: boolean): KnownName[] {
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const names = schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([name]) => !isUntyped || everyNodeHas.has(name))
      .map(([name, { title, description }]) => ({
        name,
        detail: required.has(name) ? 'required' : (title ?? 'optional'),
        ...(description === undefined ? {} : { info: description }),
      })),
  );
  return names.toSorted((one, other) => Number(required.has(other.name)) - Number(required.has(one.name)));
}

const everyNodeHas = new Set(['id', 'type', 'when', 'each', 'retry', 'timeout', 'onError', 'after', 'mock']);

/** Names that the workflow has: fields in rows, nodes in tests. */
function namesOfFile({ workflow, isTests, caret }: CompletionSite, path: readonly PathStep[]): KnownName[] {
  if (!isTests) {
    const node = nodePathOf(path);
    const isInput = node !== undefined && valueAt(caret.data, [...node, 'type']) === 'input';
    const [key, ...row] = path.slice(node?.length);
    return isInput && key === 'testRows' && row.length === 1 ? fieldNames(declaredFields(workflow)) : [];
  }
  const [list, , ...rest] = path;
  if (list !== 'tests') return [];
  const key = rest.filter((step) => typeof step === 'string').join('.');
  const nodes = listIn(workflow, fileNodes).filter(isJsonObject);
  switch (key) {
    case 'rows':
      return fieldNames(declaredFields(workflow));
    case 'mocks':
      return nodeNames(nodes.filter(({ mock }) => isJsonObject(mock)));
    case 'expect.rows':
      return nodes
        .filter(({ type }) => type === 'output')
        .flatMap(({ fields }) => (isJsonObject(fields) ? Object.keys(fields) : []))
        .map((name) => ({ name, detail: 'output' }));
    case 'expect.trace.nodes':
      return nodeNames(nodes);
    default:
      return [];
  }
}

const nodeNames = (nodes: readonly JsonValue[]): KnownName[] =>
  nodes.flatMap((node) => {
    const [id, type] = [valueAt(node, ['id']), valueAt(node, ['type'])];
    if (typeof id !== 'string' || id === '') return [];
    return [{ name: id, ...(typeof type === 'string' && isNodeType(type) ? { detail: type } : {}) }];
  });

const fieldNames = (fields: JsonObject): KnownName[] =>
  Object.entries(fields).map(([name, field]) => {
    const [type, description] = [valueAt(field, ['type']), valueAt(field, ['description'])];
    return {
      name,
      ...(typeof type === 'string' ? { detail: type } : {}),
      ...(typeof description === 'string' ? { info: description } : {}),
    };
  });

/**
 * Values that can stand at a key of a file: choices of its schema, and names of nodes, secrets, files and mocks.
 */
export function valueNames(site: CompletionSite): readonly KnownName[] {
  const named = site.isTests ? namesInTests(site) : namesInWorkflow(site);
  return named ?? fromSchema(site);
}

function fromSchema({ caret, schema }: CompletionSite): readonly KnownName[] {
  const parent = caret.path.slice(0, -1);
  const siblings = valueAt(caret.data, parent);
  // A choice of objects is made by their types, and the value itself is no type yet.
  const schemas = schemasAt(schema, caret.path, siblings === undefined ? null : caret.data);
  const values = schemas.flatMap(({ enum: choices, const: only, type }) =>
    choices !== undefined ? choices : only !== undefined ? [only] : type === 'boolean' ? [true, false] : [],
  );
  return [...new Set(values)].map((value) => ({
    name: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

function namesInWorkflow(site: CompletionSite): readonly KnownName[] | undefined {
  const { path, data } = site.caret;
  const ofNode = nodePathOf(path);
  const [key, inner, ...deeper] = path.slice(ofNode?.length);
  if (ofNode === undefined || deeper.length > 1) return undefined;
  const node = valueAt(data, ofNode);
  if (key === 'after') return afterNames(listIn(data, nodesAt(path)), node);
  if (key === 'auth' && path.at(-1) === 'secret') return namesOf(site.context.secrets, 'secret');
  if (inner !== undefined) return undefined;
  if (key === 'type')
    return typesIn(nodesAt(path)).map((name) => ({
      name,
      detail: nodeTypes[name].title,
      info: nodeTypes[name].summary,
    }));
  const type = valueAt(node, ['type']);
  return typeof type === 'string' && isNodeType(type) ? namesOfServer(node, site) : undefined;
}

/** Types of the nodes of a list: a body has no input node. */
const typesIn = (nodes: NodesPath): readonly NodeType[] =>
  ownerOf(nodes) === undefined ? nodeTypeNames : nodeTypeNames.filter((type) => type !== 'input');

/** Names for a key of a node, by the kind of the key's field. */
function namesOfServer(
  node: JsonValue | undefined,
  { caret: { path, data }, schema, context }: CompletionSite,
): readonly KnownName[] | undefined {
  const { workflowId, workflowIds, rowFiles, tables } = context;
  if (path.at(-1) === 'testRows' || (path.at(-1) === 'file' && path.at(-2) === 'testRows'))
    return namesOf(rowFiles, 'rows');
  const kinds = schemasAt(schema, path, data).map((each) => each[fieldKeyword]);
  switch (kinds[0]) {
    case 'workflow':
      return namesOf(
        workflowIds.filter((id) => id !== workflowId),
        'workflow',
      );
    case 'table':
      return namesOf(rowFiles, 'table');
    case 'column':
      return columnNames(valueAt(node, ['table']), tables);
    default:
      return undefined;
  }
}

function afterNames(nodes: readonly JsonValue[], node: JsonValue | undefined): readonly KnownName[] {
  const after = valueAt(node, ['after']);
  const taken = new Set(Array.isArray(after) ? (after as readonly JsonValue[]) : []);
  const others = nodes.filter((each) => each !== node && valueAt(each, ['type']) !== 'input');
  return nodeNames(others).filter(({ name }) => !taken.has(name));
}

const columnNames = (
  table: JsonValue | undefined,
  tables: CompletionSite['context']['tables'],
): readonly KnownName[] => namesOf(tables.find(({ path }) => path === table)?.columns ?? [], 'column');

function namesInTests({ caret, context, workflow }: CompletionSite): readonly KnownName[] | undefined {
  const [list, , key, inner] = caret.path;
  if (list !== 'tests') return undefined;
  if (key === 'rows' && inner === undefined) return namesOf(context.rowFiles, 'rows');
  if (key !== 'mocks' || inner === undefined) return undefined;
  const node = listIn(workflow, fileNodes).find((each) => valueAt(each, ['id']) === inner);
  const mocks = valueAt(node, ['mock']);
  return isJsonObject(mocks) ? namesOf(Object.keys(mocks), `mock of ${inner}`) : [];
}

const namesOf = (names: readonly string[], detail: string): readonly KnownName[] =>
  names.map((name) => ({ name, detail }));
