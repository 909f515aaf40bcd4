// Values that can stand at a key of a file: choices of its schema, and names of nodes, secrets, files and mocks.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { nodeTypeNames, nodeTypes } from '../nodes/catalogue.ts';
import type { CompletionSite, KnownName } from './completion-site.ts';
import { nodeNames } from './key-names.ts';
import { schemasAt } from './schema-at.ts';
import { listIn, valueAt } from './value-at.ts';

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
  const [list, index, key, inner] = path;
  if (list !== 'nodes' || typeof index !== 'number' || path.length > 5) return undefined;
  if (key === 'after') return afterNames(listIn(data, ['nodes']), index);
  if (key === 'auth' && path.at(-1) === 'secret') return namesOf(site.context.secrets, 'secret');
  if (inner !== undefined) return undefined;
  if (key === 'type')
    return nodeTypeNames.map((name) => ({
      name,
      detail: nodeTypes[name].title,
      info: nodeTypes[name].summary,
    }));
  const node = valueAt(data, [list, index]);
  const type = valueAt(node, ['type']);
  return typeof type === 'string' ? namesOfServer(`${type}.${String(key)}`, node, site) : undefined;
}

/** @param key type of the node, and the key */
function namesOfServer(
  key: string,
  node: JsonValue | undefined,
  { context }: CompletionSite,
): readonly KnownName[] | undefined {
  const { workflowId, workflowIds, rowFiles, tables } = context;
  switch (key) {
    case 'workflow.workflow':
      return namesOf(
        workflowIds.filter((id) => id !== workflowId),
        'workflow',
      );
    case 'lookup.table':
      return namesOf(rowFiles, 'table');
    case 'lookup.key':
      return columnNames(valueAt(node, ['table']), tables);
    case 'input.testRows':
      return namesOf(rowFiles, 'rows');
    default:
      return undefined;
  }
}

function afterNames(nodes: readonly JsonValue[], index: number): readonly KnownName[] {
  const { [index]: node } = nodes;
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
  const node = listIn(workflow, ['nodes']).find((each) => valueAt(each, ['id']) === inner);
  const mocks = valueAt(node, ['mock']);
  return isJsonObject(mocks) ? namesOf(Object.keys(mocks), `mock of ${inner}`) : [];
}

const namesOf = (names: readonly string[], detail: string): readonly KnownName[] =>
  names.map((name) => ({ name, detail }));
