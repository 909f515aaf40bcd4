// Values that a chain of names has in code, as far as the file and the rows seen so far show them.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { chainOf } from '../../expressions/code-tail.ts';
import { isNodeType, nodeTypes } from '../../nodes/catalogue.ts';
import type { Sample } from '../../nodes/node-type.ts';
import { fileNodes, ownerOf, type NodesPath } from '../../workflow/node-path.ts';
import { listIn, valueAt } from '../../workflow/value-at.ts';
import type { LanguageContext } from './language-context.ts';

type Known = {
  readonly data: JsonValue;
  readonly context: LanguageContext;
  /** The node whose code is looked at. */
  readonly node: JsonObject | undefined;
  /** The list of nodes that the code can read. */
  readonly nodes: NodesPath;
};

/** Nodes that read nodes: deeper chains are not followed. */
const maxDepth = 5;

/** @param chain its first name is `row`, `nodes`, `vars`, `item` or another one, which has no samples */
export function samplesOf([root, ...rest]: readonly string[], known: Known, depth = 0): readonly Sample[] {
  if (depth > maxDepth) return [];
  const samples = simpleSamples(root, known, depth);
  if (samples !== undefined) return membersOf(samples, rest);
  if (root === 'item') {
    const { each } = known.node ?? {};
    const chain = typeof each === 'string' ? chainOf(each.replace(/^=/, '')) : undefined;
    return chain === undefined ? [] : membersOf(samplesOf(chain, known, depth + 1), ['[]', ...rest]);
  }
  const [id, ...inner] = rest;
  return root === 'nodes' && id !== undefined ? membersOf(nodeSamples(id, known, depth), inner) : [];
}

/** Undefined for a name whose samples depend on a node. */
function simpleSamples(root: string | undefined, known: Known, depth: number): readonly Sample[] | undefined {
  if (root === 'row') return rows(known, depth);
  if (root === 'vars') return [valueAt(known.data, ['vars'])];
  if (root === 'previous') return known.node && writtenSamples(known.node, known, maxDepth);
  if (root === 'round') return [2];
  return root === 'index' ? [0] : undefined;
}

/** Names of the fields that the input node declares. */
export const declaredFields = (data: JsonValue): JsonObject => {
  const fields = valueAt(inputOf(data), ['fields']);
  return isJsonObject(fields) ? fields : {};
};

const inputOf = (data: JsonValue): JsonValue | undefined =>
  listIn(data, fileNodes).find((node) => valueAt(node, ['type']) === 'input');

function rows(known: Known, depth: number): readonly Sample[] {
  const { data, context } = known;
  const owner = ownerOf(known.nodes);
  if (owner !== undefined) {
    const node = valueAt(data, owner);
    return [sampleOf(valueAt(node, ['row']), { ...known, node: objectOf(node), nodes: fileNodes }, depth)];
  }
  const declared = Object.fromEntries(
    Object.entries(declaredFields(data)).map(([name, field]) => [name, emptyOf(valueAt(field, ['type']))]),
  );
  return [...context.seen.row, ...listIn(inputOf(data), ['testRows']), declared];
}

/** A value of a declared type that says nothing but its type. */
function emptyOf(type: JsonValue | undefined): Sample {
  switch (type) {
    case 'string':
      return '';
    case 'number':
      return NaN;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return undefined;
  }
}

function nodeSamples(id: string, known: Known, depth: number): readonly Sample[] {
  const node = listIn(known.data, known.nodes).find((each) => valueAt(each, ['id']) === id);
  if (!isJsonObject(node)) return [];
  const { nodes: seenNodes } = known.context.seen;
  // Values of nodes in bodies are in no trace.
  const isSeen = ownerOf(known.nodes) === undefined && Object.hasOwn(seenNodes, id);
  const seen = isSeen ? (seenNodes[id] ?? []) : [];
  const mocks = node['mock'];
  const mocked = isJsonObject(mocks) ? Object.values(mocks).filter((mock) => !isErrorMock(mock)) : [];
  const isCollected = valueAt(node, ['repeat', 'collect']) !== undefined;
  const written = isCollected ? [[]] : writtenSamples(node, { ...known, node }, depth);
  return [...seen, ...mocked, ...(node['each'] === undefined ? written : [written])];
}

const objectOf = (node: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(node) ? node : undefined;

const isErrorMock = (mock: JsonValue): boolean =>
  isJsonObject(mock) && (Object.hasOwn(mock, 'error') || Object.hasOwn(mock, 'attempts'));

/** Values that the keys of the node show, without a run. */
function writtenSamples(node: JsonObject, known: Known, depth: number): readonly Sample[] {
  const { type } = node;
  if (typeof type !== 'string' || !isNodeType(type)) return [];
  return nodeTypes[type].samples(node, {
    sampleOf: (written) => sampleOf(written, known, depth),
    rows: () => rows(known, depth),
    columnsOf: (table) => known.context.tables.find(({ path }) => path === table)?.columns ?? [],
  });
}

function sampleOf(value: JsonValue | undefined, known: Known, depth: number): Sample {
  if (typeof value === 'string') {
    if (!value.startsWith('=')) return value.includes('{{') ? '' : value;
    const chain = chainOf(value.slice(1));
    return chain === undefined ? undefined : samplesOf(chain, known, depth + 1)[0];
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => sampleOf(item, known, depth));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sampleOf(item, known, depth)]));
}

function membersOf(samples: readonly Sample[], names: readonly string[]): readonly Sample[] {
  return names.reduce<readonly Sample[]>(
    (values, name) =>
      values.flatMap((value): readonly Sample[] => {
        if (typeof value !== 'object' || value === null) return [];
        if (Array.isArray(value)) return name === '[]' ? (value as readonly Sample[]).slice(0, 20) : [];
        return Object.hasOwn(value, name) ? [(value as { readonly [key: string]: Sample })[name]] : [];
      }),
    samples,
  );
}
