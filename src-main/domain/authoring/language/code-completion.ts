// Completions in expressions, templates and code: names, and members with the values that they had.
import { isJsonObject, type JsonObject } from '../../../base/json-value.ts';
import { codeKindAt } from '../edit/workflow-nodes.ts';
import { codeTail, type CodeTail } from '../../expressions/code-tail.ts';
import type { CodeKind } from '../../expressions/find-references.ts';
import { compartmentGlobals } from '../../expressions/scope.ts';
import type { Caret } from './caret.ts';
import type { Completion, Completions, CompletionSite } from './completion-site.ts';
import { membersOfKind, sampleMembers, type Member } from './members.ts';
import { declaredFields, samplesOf } from './samples.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import { nodePathOf, nodesAt, ownerOf } from '../../workflow/node-path.ts';
import { listIn, valueAt } from '../../workflow/value-at.ts';
import { valueStart, writtenCode, writtenValue } from './written-value.ts';

/** Undefined where no code can stand. */
export function codeCompletions(site: CompletionSite): Completions | undefined {
  const { caret } = site;
  const node = nodeOf(site);
  const kind = node && codeKindAt(node, pathInNode(caret));
  if (node === undefined || kind === undefined) return undefined;
  const code = codeBefore(kind, caret);
  if (code === undefined) return caret.text === '' ? readingValues(site, node) : undefined;
  const tail = codeTail(code);
  if (tail === undefined) return { from: site.offset, options: [] };
  const from = caret.at - tail.prefix.length;
  const members = tail.chain.length === 0 ? names(site, node) : chainMembers(tail.chain, site, node);
  const options = members.flatMap((member) => optionOf(member, { site, tail, from }) ?? []);
  return { from: site.offset - tail.prefix.length, options };
}

const nodeOf = ({ caret, isTests }: CompletionSite): JsonObject | undefined =>
  isTests ? undefined : nodeAt(caret);

/** The node of a workflow file, if the caret is in a value of it that may hold code. */
export function nodeAt(caret: Caret): JsonObject | undefined {
  const path = nodePathOf(caret.path);
  const [key] = pathInNode(caret);
  if (caret.isKey || path === undefined || key === undefined) return undefined;
  const node = valueAt(caret.data, path);
  return isJsonObject(node) && !neverCode.has(String(key)) ? node : undefined;
}

/** The path from the node around the caret on; empty outside of nodes. */
export const pathInNode = ({ path }: Caret): readonly PathStep[] =>
  path.slice(nodePathOf(path)?.length ?? path.length);

/** Keys that hold no code, whatever the type of the node. */
const neverCode = new Set(['id', 'type', 'after', 'retry', 'timeout', 'mock', 'auth']);

/** The code before the caret; undefined in plain text. */
export function codeBefore(kind: CodeKind, { text, at }: Caret): string | undefined {
  const before = text.slice(0, at);
  if (kind === 'body') return before;
  if (before.startsWith('=')) return before.slice(1);
  if (kind === 'expression') return before;
  const open = before.lastIndexOf('{{');
  return open > before.lastIndexOf('}}') ? before.slice(open + 2) : undefined;
}

/** For an empty value: expressions that read the row or a node. */
function readingValues({ caret, offset, context }: CompletionSite, node: JsonObject): Completions {
  const isJson = caret.style !== 'plain';
  const others = otherNodes(caret, node).filter(({ type }) => type !== 'input');
  const nodeReads = (isBefore: boolean): Member[] =>
    others
      .filter((other) => other.isBefore === isBefore)
      .map(({ id }) => ({ name: `=nodes.${id}`, detail: 'node' }));
  const known = { data: caret.data, context, node, nodes: nodesAt(caret.path) };
  const fields = sampleMembers(samplesOf(['row'], known)).filter(({ name }) => /^[\w$]+$/.test(name));
  const reads: Member[] = [
    ...nodeReads(true),
    ...fields.map(({ name, ...note }) => ({ name: `=row.${name}`, ...note })),
    ...nodeReads(false),
  ];
  return {
    from: caret.style === 'block' ? offset : valueStart(caret),
    options: reads.map(({ name, ...note }) => {
      const insert = writtenValue(name, caret, isJson);
      return { label: name, ...note, ...(insert === name ? {} : { insert }) };
    }),
  };
}

function names({ caret }: CompletionSite, node: JsonObject): readonly Member[] {
  return [
    { name: 'row', detail: 'the row' },
    { name: 'nodes', detail: 'values of nodes' },
    ...(valueAt(caret.data, ['vars']) === undefined ? [] : [{ name: 'vars', detail: 'variables' }]),
    ...(Object.hasOwn(node, 'each')
      ? [
          { name: 'item', detail: 'item of each' },
          { name: 'index', detail: 'number of the item' },
        ]
      : []),
    ...(pathInNode(caret)[0] === 'repeat'
      ? [
          { name: 'previous', detail: 'the last answer' },
          { name: 'round', detail: 'number of the call' },
        ]
      : []),
    ...compartmentGlobals.map((name) => ({ name, detail: 'JavaScript' })),
  ];
}

function chainMembers(
  chain: readonly string[],
  { caret, context }: CompletionSite,
  node: JsonObject,
): readonly Member[] {
  const known = { data: caret.data, context, node, nodes: nodesAt(caret.path) };
  if (chain[0] === 'nodes' && chain.length === 1)
    return otherNodes(caret, node).map(({ id, type }) => {
      const [example] = samplesOf(['nodes', id], known);
      return { name: id, detail: typeof type === 'string' ? type : 'node', ...exampleInfo(example) };
    });
  const samples = samplesOf(chain, known);
  const isRowOfFile = chain.length === 1 && chain[0] === 'row' && ownerOf(known.nodes) === undefined;
  const described = isRowOfFile ? declaredFields(caret.data) : {};
  return [...sampleMembers(samples, described), ...membersOfKind(samples, chain)];
}

type OtherNode = {
  readonly id: string;
  readonly type: unknown;
  /** True if the node at the caret has it in `after`. */
  readonly isBefore: boolean;
};

/** The other nodes around the caret; first those that its node waits for. */
function otherNodes({ data, path }: CompletionSite['caret'], node: JsonObject): readonly OtherNode[] {
  const after = [node['after']].flat();
  const others = listIn(data, nodesAt(path)).flatMap((other) => {
    const id = valueAt(other, ['id']);
    if (typeof id !== 'string' || id === node['id']) return [];
    return [{ id, type: valueAt(other, ['type']), isBefore: after.includes(id) }];
  });
  return others.sort((one, other) => Number(other.isBefore) - Number(one.isBefore));
}

const exampleInfo = (example: unknown): { readonly info?: string } => {
  const json = example === undefined ? undefined : JSON.stringify(example);
  return json === undefined ? {} : { info: json.length > 120 ? `${json.slice(0, 120)}…` : json };
};

function optionOf(
  { name, ...note }: Member,
  { site, tail, from }: { readonly site: CompletionSite; readonly tail: CodeTail; readonly from: number },
): Completion | undefined {
  const { caret, offset } = site;
  if (tail.form === 'bracket') {
    const isEasy = /^[^'"\\]*$/.test(name);
    const insertion = isEasy ? writtenCode(name, { caret, from, offset }) : undefined;
    return insertion === undefined || insertion.from < offset - tail.prefix.length
      ? undefined
      : { label: name, ...note, ...(insertion.insert === name ? {} : { insert: insertion.insert }) };
  }
  if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return { label: name, ...note };
  const dot = caret.text.slice(0, from).search(/\??\.\s*$/);
  if (dot < 0) return undefined;
  const isOptional = caret.text.charAt(dot) === '?';
  const code = `${isOptional ? '?.' : ''}['${name.replaceAll(/['\\]/g, String.raw`\$&`)}']`;
  const insertion = writtenCode(code, { caret, from: dot, offset });
  return insertion === undefined ? undefined : { label: name, ...note, ...insertion };
}
