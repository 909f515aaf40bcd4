// The rules that concern several nodes at once. Each is a function from the nodes to problems.
import { parameterProblem } from '../../nodes/chat-request.ts';
import { actionOf, nodeTypes, targetOf } from '../../nodes/catalogue.ts';
import type { NodeDoubt } from '../../nodes/node-type.ts';
import { type Fields, writtenFields } from '../../nodes/fields.ts';
import type { Value, Template } from '../../expressions/value.ts';
import type { FileProblem, PathStep } from '../file-problem.ts';
import { keysOfSeveralCalls } from './own-keys.ts';
import { skippedReads } from './skipped-reads.ts';
import { entriesOf, valuesIn } from './values-in.ts';
import { dependenciesOf, findCycles } from '../graph.ts';
import type { NodePath } from '../node-path.ts';
import { nodeReads, parsedFields } from '../node-reads.ts';
import { repeatOf, type NodeOf, type WorkflowNode } from '../workflow.ts';
import type { JsonValue } from '../../../base/json-value.ts';

/** A node that parsed, and its place in the file. */
export type PlacedNode = {
  readonly node: WorkflowNode;
  readonly path: NodePath;
  /** Nodes of its body; empty for a node without one. */
  readonly body: readonly PlacedNode[];
};

/** Errors between nodes, among the nodes that parsed. */
export const checkNodes = (placed: readonly PlacedNode[]): FileProblem[] => [
  ...cycles(placed),
  ...outputFieldsTwice(placed),
  ...outputsNextToUnknown(placed),
  ...failuresOfNoCall(placed),
  ...concurrencyOfOne(placed),
  ...secretsOfNoBody(placed),
  ...sharedRepeats(placed),
  ...cookiesOfSessions(placed),
  ...formsOfNoJson(placed),
  ...callsOfNothing(placed),
];

/** Warnings and notes about nodes that are otherwise right. */
export const doubtfulNodes = (placed: readonly PlacedNode[], data: JsonValue): FileProblem[] => [
  // Only outputs of the file go to clients.
  ...oddOutputs(placed),
  ...doubtsOfList(placed, data),
  ...placed.flatMap(({ body }) => doubtsOfList(body, data)),
];

const doubtsOfList = (placed: readonly PlacedNode[], data: JsonValue): FileProblem[] => [
  ...unreadNodes(placed),
  ...typeDoubts(placed),
  ...oddTexts(placed),
  ...idleConcurrency(placed),
  ...unchangedAuthorization(placed),
  ...keysOfSeveralCalls(placed),
  ...skippedReads(placed, data),
];

function cycles(placed: readonly PlacedNode[]): FileProblem[] {
  const paths = new Map(placed.map(({ node, path }) => [node.id, path]));
  return findCycles(dependenciesOf(placed.map(({ node }) => node))).map((cycle) => ({
    message: `These nodes wait for each other: ${[...cycle, ...cycle.slice(0, 1)].join(' -> ')}`,
    path: [...(paths.get(cycle[0] ?? '') ?? []), 'id'],
  }));
}

function outputFieldsTwice(placed: readonly PlacedNode[]): FileProblem[] {
  const definedBy = new Map<string, string>();
  return outputFields(placed).flatMap(({ node, name, path }) => {
    const first = definedBy.get(name);
    definedBy.set(name, first ?? node.id);
    if (first === undefined) return [];
    const message = `The output field ${JSON.stringify(name)} is already given by the node "${first}"`;
    return [{ message, path, atKey: true }];
  });
}

/** Fields that an expression gives are unknown until it runs: another output node could have the same. */
function outputsNextToUnknown(placed: readonly PlacedNode[]): FileProblem[] {
  const outputs = placed.filter(({ node }) => node.type === 'output');
  if (outputs.length < 2) return [];
  return outputs
    .filter(({ node }) => node.type === 'output' && node.config.fields.kind !== 'object')
    .map(({ node, path }) => ({
      message: `"${node.id}" gives its fields by an expression: it must be the only output node`,
      path: [...path, 'fields'],
    }));
}

const secretsOfNoBody = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed.flatMap(({ node, path }) => {
    if (node.type !== 'http' || node.config.request.body !== undefined) return [];
    const { auth } = node.config;
    if (auth === undefined || !('body' in auth)) return [];
    const message = 'The secret goes into a field of the body, and the request has no body';
    return [{ message, path: [...path, 'auth', 'body'] }];
  });

/** `parameters` may say how a model is asked for JSON, where `json` checks it. */
const formsOfNoJson = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed.flatMap(({ node, path }) => {
    if (node.type !== 'llm' || node.config.json !== undefined) return [];
    return writtenFields(node.config.parameters).flatMap(([name]) => {
      const message = parameterProblem(name, false);
      return message === undefined ? [] : [{ message, path: [...path, 'parameters', name] }];
    });
  });

/** A workflow node calls another workflow, or has a body. */
const callsOfNothing = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed.flatMap(({ node, path }) => {
    if (node.type !== 'workflow') return [];
    const { workflow, nodes } = node.config;
    if ((workflow === undefined) === (nodes === true)) return [];
    return nodes === undefined
      ? [{ message: 'Missing key "workflow"', path: [...path, 'workflow'] }]
      : [
          {
            message: 'A node with "nodes" calls no other workflow: leave "workflow" out',
            path: [...path, 'workflow'],
            atKey: true,
          },
        ];
  });

/** A repeated call waits for another answer to the same request. */
const sharedRepeats = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed
    .filter(({ node }) => 'share' in node.config && repeatOf(node) !== undefined)
    .map(({ path }) => ({
      message:
        'With "share" the call would always get its first answer: put "repeat" into a workflow of its own, and call that workflow',
      path: [...path, 'share'],
      atKey: true,
    }));

/** A session sends its own header with cookies, and a request has one at most. */
const cookiesOfSessions = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed.flatMap(({ node, path }) => {
    if (node.type !== 'http' || node.config.session === undefined) return [];
    const { request, repeat, auth } = node.config;
    const has = (headers: Fields | undefined): boolean =>
      writtenFields(headers).some(([name]) => name === 'cookie');
    const cookieHeaders = [
      ...(has(request.headers) ? [['request', 'headers']] : []),
      ...(has(repeat?.next?.headers) ? [['repeat', 'next', 'headers']] : []),
      ...(auth !== undefined && 'header' in auth && auth.header === 'cookie' ? [['auth', 'header']] : []),
    ];
    const message = 'The session sends the header cookie: leave that header or "session" out';
    return cookieHeaders.map((keys) => ({ message, path: [...path, ...keys] }));
  });

/** Earlier versions put `Bearer` before the secret there. */
const unchangedAuthorization = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed.flatMap(({ node, path }) => {
    const auth = targetOf('call', node)?.auth;
    if (auth === undefined || !('header' in auth) || auth.header !== 'authorization') return [];
    const message =
      'The header authorization carries the secret as it is, such as "Basic …". For a bearer token leave "header" out';
    return [{ severity: 'note', message, path: [...path, 'auth', 'header'], atKey: true }];
  });

/** `retry.on` names failures of calls, which other nodes do not have. */
const failuresOfNoCall = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed
    .filter(
      ({ node }) => node.retry?.on !== undefined && !['call', 'workflow'].includes(actionOf(node.type) ?? ''),
    )
    .map(({ node, path }) => ({
      message: `"on" names failures of calls, and a node of type ${node.type} makes none: leave it out`,
      path: [...path, 'retry', 'on'],
      atKey: true,
    }));

const concurrencyOfOne = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed
    .filter(({ node }) => node.concurrency !== undefined && node.each === undefined)
    .map(({ path }) => ({
      message: '"concurrency" needs "each": without it the node has one item',
      path: [...path, 'concurrency'],
      atKey: true,
    }));

/** Items that compute run one after the other, whatever the file says. */
const idleConcurrency = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed
    .filter(
      ({ node }) =>
        node.concurrency !== undefined && !['call', 'workflow', 'wait'].includes(actionOf(node.type) ?? ''),
    )
    .map(({ node, path }) => ({
      severity: 'warning',
      message: `"concurrency" has no effect: items of a node of type ${node.type} never wait`,
      path: [...path, 'concurrency'],
      atKey: true,
    }));

function unreadNodes(placed: readonly PlacedNode[]): FileProblem[] {
  const used = new Set(placed.flatMap(({ node }) => [...nodeReads(node), ...node.after]));
  return placed
    .filter(({ node }) => !nodeTypes[node.type].hasEffect && !used.has(node.id))
    .map(({ node, path }) => ({
      severity: 'warning',
      message: `Nothing reads the node "${node.id}"`,
      path: [...path, 'id'],
    }));
}

function oddOutputs(placed: readonly PlacedNode[]): FileProblem[] {
  return outputFields(placed).flatMap(({ name, value, path }) => {
    const kind = oddKind(value);
    if (kind === undefined) return [];
    const message = `The output field ${JSON.stringify(name)} is ${kind}; clients of the API expect text, a number or a list`;
    return [{ severity: 'warning', message, path }];
  });
}

/** The interface document names strings, numbers and arrays only; expressions show their kind when they run. */
function oddKind(value: Value): string | undefined {
  if (value.kind === 'object') return 'an object';
  if (value.kind !== 'literal' || Array.isArray(value.value)) return undefined;
  if (value.value === null) return 'null';
  if (typeof value.value === 'boolean') return 'true or false';
  return typeof value.value === 'object' ? 'an object' : undefined;
}

function typeDoubts(placed: readonly PlacedNode[]): FileProblem[] {
  return placed.flatMap(({ node, path: at }) => {
    const definition = nodeTypes[node.type];
    if (!('doubts' in definition)) return [];
    // A node's type and config belong together by construction, which a look-up by type cannot express.
    const doubts = definition.doubts as (config: unknown) => readonly NodeDoubt[];
    return doubts(node.config).map(({ message, path }) => ({
      severity: 'warning' as const,
      message,
      path: [...at, ...path],
    }));
  });
}

const oddTexts = (placed: readonly PlacedNode[]): FileProblem[] =>
  placed.flatMap(({ node, path: at }) =>
    templateDoubts(node).map(({ message, path }) => ({
      severity: 'warning' as const,
      message,
      path: [...at, ...path],
    })),
  );

type OutputField = {
  readonly node: NodeOf<'output'>;
  readonly name: string;
  readonly value: Value;
  readonly path: readonly PathStep[];
};

const outputFields = (placed: readonly PlacedNode[]): OutputField[] =>
  placed.flatMap(({ node, path }) =>
    node.type === 'output'
      ? writtenFields(node.config.fields).map(([name, value]) => ({
          node,
          name,
          value,
          path: [...path, 'fields', name],
        }))
      : [],
  );

// Braces in texts that look like a placeholder of another tool, or like half of one: the text is valid, and hardly what
// its author meant.

type Doubt = Pick<FileProblem, 'message' | 'path'>;

/** The doubtful texts of a node; paths begin at the node. */
const templateDoubts = (node: WorkflowNode): Doubt[] =>
  valuesIn(parsedFields(node), []).flatMap(({ value, path }) =>
    value.kind === 'template'
      ? textDoubts(value.parts).map((message) => ({ message, path }))
      : value.kind === 'literal'
        ? literalDoubts(value.value, path)
        : [],
  );

function literalDoubts(json: JsonValue, path: readonly PathStep[]): Doubt[] {
  if (typeof json === 'string') return textDoubts([json]).map((message) => ({ message, path }));
  if (typeof json !== 'object' || json === null) return [];
  return entriesOf(json).flatMap(([step, inner]) => literalDoubts(inner as JsonValue, [...path, step]));
}

function textDoubts(parts: Template['parts']): string[] {
  const isBeforeValue = (text: string, index: number): boolean =>
    index < parts.length - 1 && text.endsWith('$');
  const texts = parts.filter((part) => typeof part === 'string');
  return [
    ...(hasStrayEnd(texts.join('')) ? [strayEnd] : []),
    ...(parts.some((part, index) => typeof part === 'string' && isBeforeValue(part, index)) ? [dollar] : []),
  ];
}

const strayEnd = 'This text has a }} without a {{ before it: it stays as it is';
const dollar =
  "The $ before {{ stays in the text. Leave it out, or write {{ '$' }} where a dollar sign is meant";

/** True for a `}}` that closes no brace of the text; JSON in a text closes its own. */
function hasStrayEnd(text: string): boolean {
  let depth = 0;
  for (const [brace] of text.matchAll(/\{|\}\}?/g)) {
    if (brace === '{') depth += 1;
    else if (brace === '}}' && depth === 0) return true;
    else depth = Math.max(0, depth - brace.length);
  }
  return false;
}
