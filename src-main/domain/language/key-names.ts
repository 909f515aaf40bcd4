// Names of the keys that an object of a file can have.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { isNodeType } from '../nodes/catalogue.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import type { CompletionSite, KnownName } from './completion-site.ts';
import { declaredFields } from './samples.ts';
import { schemasAt, type FileSchema } from './schema-at.ts';
import { listIn, valueAt } from './value-at.ts';

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
  const isNode = !isTests && path.length === 2 && path[0] === 'nodes';
  return isNode && (typeof type !== 'string' || !isNodeType(type));
};

function fromSchemas(schemas: readonly FileSchema[], isUntyped: boolean): KnownName[] {
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const names = schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([name]) => !isUntyped || everyNodeHas.has(name))
      .map(([name, { description }]) => ({
        name,
        detail: required.has(name) ? 'required' : 'optional',
        ...(description === undefined ? {} : { info: description }),
      })),
  );
  return names.toSorted((one, other) => Number(required.has(other.name)) - Number(required.has(one.name)));
}

const everyNodeHas = new Set(['id', 'type', 'when', 'each', 'retry', 'timeout', 'onError', 'after', 'mock']);

/** Names that the workflow has: fields in rows, nodes in tests. */
function namesOfFile({ workflow, isTests, caret }: CompletionSite, path: readonly PathStep[]): KnownName[] {
  const [list, index, ...rest] = path;
  const key = rest.filter((step) => typeof step === 'string').join('.');
  if (!isTests) {
    const type = valueAt(caret.data, ['nodes', index ?? -1, 'type']);
    const isRow = list === 'nodes' && type === 'input' && key === 'testRows' && rest.length === 2;
    return isRow ? fieldNames(declaredFields(workflow)) : [];
  }
  if (list !== 'tests') return [];
  const nodes = listIn(workflow, ['nodes']).filter(isJsonObject);
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

export const nodeNames = (nodes: readonly JsonValue[]): KnownName[] =>
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
