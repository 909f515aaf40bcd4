// The reach of a workflow, for users to review before they trust it: the hosts that it calls, the secrets that it
// sends along, and all of its code. Pure: made of the parsed workflow alone.
import { targetOf } from '../nodes/catalogue.ts';
import type { Value, Expression } from '../expressions/value.ts';
import { secretOf } from '../nodes/call-auth.ts';
import type { ActionTargets } from '../nodes/node-type.ts';
import { innerId } from '../workflow/node-path.ts';
import { isExpression, parsedFields } from '../workflow/node-reads.ts';
import type { Workflow, WorkflowNode } from '../workflow/workflow.ts';

type CallUse = {
  /** Id of the node; `<node>/<id>` in a body. */
  readonly nodeId: string;
  /** Line of the node in the file, from 1. */
  readonly line: number;
  /** Scheme, host and port; null where they are computed when the workflow runs. */
  readonly origin: string | null;
  /** As its author wrote it. */
  readonly url: string;
  /** Name of the secret that is sent along. */
  readonly secret?: string;
};

export type Reach = {
  readonly calls: readonly CallUse[];
  /** Ids of the workflows that it runs on its rows. Each is trusted for itself. */
  readonly workflows: readonly string[];
  /** Every expression that is more than a path into the row, and every body of code, in the order of the file. */
  readonly code: readonly CodeUse[];
};

export function findReach({ nodes }: Pick<Workflow, 'nodes'>): Reach {
  const all = nodes.flatMap((node) => [
    node,
    ...(node.body ?? []).map((inner) => ({ ...inner, id: innerId(node.id, inner.id) })),
  ]);
  return {
    calls: all.flatMap((node) => {
      const call = targetOf('call', node);
      return call === undefined ? [] : toUses(node, call);
    }),
    workflows: [...new Set(all.flatMap((node) => targetOf('workflow', node)?.workflowId ?? []))],
    code: all.flatMap(codeOf),
  };
}

/** The call, and that of the token endpoint before it. */
function toUses({ id, line }: WorkflowNode, { url, auth }: ActionTargets['call']): readonly CallUse[] {
  const secret = auth === undefined ? {} : { secret: secretOf(auth) };
  const urls: Value[] = [url];
  if (auth !== undefined && 'oauth2' in auth) urls.push({ kind: 'literal', value: auth.oauth2.tokenUrl });
  return urls.map((each) => ({
    nodeId: id,
    line,
    origin: originOf(each) ?? null,
    url: writtenText(each),
    ...secret,
  }));
}

/** Stands for all hosts: an author who changes the workflow can choose any of them. */
const anyHost = 'a host computed at run time';

/**
 * Hosts, secrets and workflows that trust covers, each as a text. Code is not among them: the sandbox confines code to
 * this reach, and a change of code is the commonest edit that a user makes.
 */
export const reachKeys = ({ calls, workflows }: Reach): readonly string[] => [
  ...new Set(
    calls.flatMap(({ origin, secret }) => {
      const host = origin ?? anyHost;
      return secret === undefined ? [host] : [host, `the secret ${secret} to ${host}`];
    }),
  ),
  ...workflows.map((id) => `the workflow ${id}`),
];

/** Keys of the reach that the user has not seen, and the computed host always; empty when trust covers the reach. */
export const reachBeyond = (reach: Reach, seen: readonly string[]): readonly string[] =>
  reachKeys(reach).filter((key) => key === anyHost || !seen.includes(key));

/**
 * Scheme, host and port of an address, as far as every row has the same. Strict on purpose: whatever a URL parser might
 * read in another way than a person does (user names, backslashes, other alphabets) is no plain origin.
 */
const plainOrigin =
  /^(https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?)([/?#]|$)/i;

/** Undefined where rows decide, or where it could be misread. In lower case. */
function originOf(url: Value): string | undefined {
  if (url.kind === 'literal') return typeof url.value === 'string' ? plain(url.value, true) : undefined;
  // The row worker holds a url`…` to the origin that it begins with.
  const [first] =
    url.kind === 'template' ? url.parts : [url.kind === 'expression' ? url.inUrl?.start : undefined];
  // Without the slash that ends the host, what is filled in would go on with it.
  return typeof first === 'string' ? plain(first, false) : undefined;
}

function plain(text: string, isWhole: boolean): string | undefined {
  const [, origin, end] = plainOrigin.exec(text) ?? [];
  return origin === undefined || (end === '' && !isWhole) ? undefined : origin.toLowerCase();
}

/** The value as it stands in the file. */
function writtenText(value: Value): string {
  switch (value.kind) {
    case 'literal':
      return typeof value.value === 'string' ? value.value : JSON.stringify(value.value);
    case 'template':
      return value.parts.map((part) => (typeof part === 'string' ? part : `{{ ${part.source} }}`)).join('');
    case 'expression':
    case 'body':
      return `=${value.source}`;
    case 'object':
    case 'list':
      return '…';
  }
}

type CodeUse = {
  readonly nodeId: string;
  /** Line of the node in the file, from 1. */
  readonly line: number;
  /** Where in the node: `when`, `values.host`, `code`. */
  readonly keyPath: string;
  /** As its author wrote it. */
  readonly source: string;
};

/** `row.tags[0].name`, `nodes.lead?.host`: looks something up and computes nothing. */
const path = /^\s*[A-Za-z_$][\w$]*(\s*(\?\.|\.)\s*[A-Za-z_$][\w$]*|\[\d+\]|\['[^'\\]*'\]|\["[^"\\]*"\])*\s*$/;

/** The node's code, paths left out. */
function codeOf(node: WorkflowNode): CodeUse[] {
  return expressionsIn(parsedFields(node), [])
    .filter(({ expression }) => expression.kind === 'body' || !path.test(expression.source))
    .map(({ keyPath, expression }) => ({
      nodeId: node.id,
      line: node.line,
      keyPath: keyPath.join('.'),
      source: expression.source,
    }));
}

type Found = { readonly keyPath: readonly string[]; readonly expression: Expression };

function expressionsIn(part: unknown, keyPath: readonly string[]): Found[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part))
    return part.flatMap((item, index) => expressionsIn(...inList(item, index, keyPath)));
  if (isExpression(part)) return [{ keyPath, expression: part }];
  if (isTemplate(part)) return part.parts.flatMap((inside) => expressionsIn(inside, keyPath));
  // A literal is the author's data, whatever it looks like.
  if ('kind' in part && part.kind === 'literal') return [];
  return Object.entries(part).flatMap(([key, inside]) =>
    expressionsIn(inside, isWrapper(part, key) ? keyPath : [...keyPath, key]),
  );
}

/** An object or a list of values holds them under a key that the file does not have. */
const isWrapper = (part: object, key: string): boolean =>
  'kind' in part &&
  ((part.kind === 'list' && key === 'items') || (part.kind === 'object' && key === 'entries'));

const isTemplate = (part: object): part is { readonly parts: readonly unknown[] } =>
  'kind' in part && part.kind === 'template' && 'parts' in part && Array.isArray(part.parts);

/** Names with values are lists of pairs: they go by their name, everything else by its number. */
const inList = (item: unknown, index: number, keyPath: readonly string[]): [unknown, string[]] =>
  Array.isArray(item) && typeof item[0] === 'string'
    ? [item[1] as unknown, [...keyPath, item[0]]]
    : [item, [...keyPath, String(index)]];
