// The URL of a call, as an author writes it: text, a template, or an expression. A row must not choose the host of a
// template, nor leave the part of the URL that it fills in. Judged on the syntax tree; what only running the code can
// tell, the row worker checks (executor/worker/url-text.ts).
import type { AnyNode, CallExpression, TaggedTemplateExpression } from 'acorn';
import { invariant } from '../../base/invariant.ts';
import { beginsOrigin, hasWholeOrigin } from '../upstream/url-start.ts';
import type { Parsed } from './code-problem.ts';
import { variableText } from './fixed-text.ts';
import { checkCode } from './parse-expression.ts';
import { parseText } from './parse-value.ts';
import type { Scope } from './scope.ts';
import { readLeadingExpression } from './syntax.ts';
import { childrenOf } from './tree.ts';
import type { Expression, InUrl, Template, Value } from './value.ts';

export function parseUrl(text: string, scope: Scope): Parsed<Value> {
  const parsed = parseText(text, scope);
  if (!parsed.ok) return parsed;
  const value = withVariables(parsed.value, scope);
  if (value.kind !== 'template' && value.kind !== 'expression') return { ok: true, value };
  const checked = value.kind === 'template' ? checkTemplate(value, scope) : checkExpression(value);
  if (checked.problem === undefined) return { ok: true, value: checked.value };
  const offset = Math.max(0, text.indexOf('{{'));
  return { ok: false, problems: [{ message: checked.problem, offset }] };
}

/**
 * The URL with the values of variables in it that stand before its path. They are the same for every row, so the host is
 * known before a run. A variable without a value stays: it is one that no run accepts.
 */
function withVariables(value: Value, scope: Scope): Value {
  if (value.kind === 'expression') {
    const url = variableText(value, scope);
    return url === undefined ? value : { kind: 'literal', value: url };
  }
  if (value.kind !== 'template') return value;
  let start = '';
  let used = 0;
  for (const part of value.parts) {
    const isVariable = typeof part !== 'string';
    const text = isVariable ? (hasWholeOrigin(start) ? undefined : variableText(part, scope)) : part;
    if (text === undefined) break;
    start += text;
    used += 1;
  }
  if (used === value.parts.length) return { kind: 'literal', value: start };
  return { kind: 'template', parts: [...(start === '' ? [] : [start]), ...value.parts.slice(used)] };
}

type Checked = { readonly value: Value; readonly problem?: string };

function checkTemplate(template: Template, scope: Scope): Checked {
  const parts = template.parts.map((part) => (typeof part === 'string' ? part : unencoded(part, scope)));
  const start = template.parts.slice(0, 2);
  const problem = startProblem(start.map((part) => (typeof part === 'string' ? part : treeOf(part))));
  return { value: { kind: 'template', parts }, ...(problem === undefined ? {} : { problem }) };
}

/** The argument of an author's own encodeURIComponent, which is then checked and encoded like any other value. */
function unencoded(part: Expression, scope: Scope): Expression {
  // A thousand placeholders need not all be parsed again.
  if (!part.source.includes('encodeURIComponent')) return part;
  const tree = treeOf(part);
  const argument = isEncoding(tree) ? tree.arguments[0] : undefined;
  if (argument === undefined || argument.type === 'SpreadElement') return part;
  const read = readLeadingExpression(part.source.slice(argument.start, argument.end));
  const inner = read.ok ? checkCode('expression', read.value, scope) : read;
  invariant(inner.ok, 'a part of an expression that was parsed can be parsed by itself');
  return { ...inner.value, source: part.source };
}

function checkExpression(expression: Expression): Checked {
  const tree = treeOf(expression);
  const [problem] = urlTags(tree).flatMap((tag) => startProblem(partsOf(tag)) ?? []);
  const start = isUrlTag(tree) ? tree.quasi.quasis[0]?.value.cooked : undefined;
  const doubt = doubtOf(tree);
  const inUrl: InUrl = {
    ...(typeof start === 'string' && hasWholeOrigin(start) ? { start } : {}),
    ...(doubt === undefined ? {} : { doubt }),
  };
  const value = Object.keys(inUrl).length === 0 ? expression : { ...expression, inUrl };
  return { value, ...(problem === undefined ? {} : { problem }) };
}

function treeOf({ source }: Expression): AnyNode {
  const read = readLeadingExpression(source);
  invariant(read.ok, 'an expression that was parsed can be parsed again');
  return read.value.tree;
}

/** The texts and expressions of a url`…`. */
function partsOf({ quasi }: TaggedTemplateExpression): (string | AnyNode)[] {
  return quasi.quasis
    .flatMap((text, index) => [text.value.cooked ?? '', quasi.expressions[index] ?? ''])
    .filter((part) => part !== '');
}

/** Why the parts may not begin a URL: what comes before the path must stand in the file. */
function startProblem([first, second]: readonly (string | AnyNode)[]): string | undefined {
  if (typeof first === 'string')
    return second === undefined || hasWholeOrigin(first) || !beginsOrigin(first) ? undefined : openHost;
  if (first === undefined) return undefined;
  if (readsRow(first)) return startOfRow;
  // What follows may not go on with the host.
  return second === undefined || (typeof second === 'string' && /^[/?#]/.test(second)) ? undefined : openHost;
}

const example = 'https://api.example.com/{{ row.id }}';
const openHost = `A value may not be part of the host of a URL: write the host and the "/" behind it before the first value, as in ${example}`;
const startOfRow = `A URL cannot begin with a value of a row or a node: write the host before it, as in ${example}; a row that holds a whole URL needs an expression, such as "=row.url"`;

/** Names whose values differ from row to row. All others stand for the same in every row. */
const rowData: ReadonlySet<string> = new Set(['row', 'nodes', 'item', 'index']);

function readsRow(node: AnyNode): boolean {
  switch (node.type) {
    case 'Identifier':
      return rowData.has(node.name);
    case 'MemberExpression':
      return readsRow(node.object) || (node.computed && readsRow(node.property));
    case 'Property':
      return (node.computed && readsRow(node.key)) || readsRow(node.value);
    default:
      return childrenOf(node).some(readsRow);
  }
}

/** A call of the global function, which nothing in an expression can replace. */
const isEncoding = (node: AnyNode): node is CallExpression =>
  node.type === 'CallExpression' &&
  node.callee.type === 'Identifier' &&
  node.callee.name === 'encodeURIComponent';

const isUrlTag = (node: AnyNode): node is TaggedTemplateExpression =>
  node.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'url';

const urlTags = (node: AnyNode): TaggedTemplateExpression[] => [
  ...(isUrlTag(node) ? [node] : []),
  ...childrenOf(node).flatMap(urlTags),
];

function doubtOf(tree: AnyNode): InUrl['doubt'] {
  if (urlTags(tree).some(({ quasi }) => quasi.expressions.some(isEncoding))) return 'encodedTwice';
  return buildsUnencoded(tree) ? 'unencoded' : undefined;
}

/** True if an expression builds text from a value of the row that is not encoded. */
function buildsUnencoded(node: AnyNode): boolean {
  if (isEncoding(node) || isUrlTag(node)) return false;
  // What a text does not carry, no text inside it carries into it.
  return joinsText(node) ? carriesRow(node) : valuesIn(node).some(buildsUnencoded);
}

const joiningMethods: ReadonlySet<string> = new Set(['concat', 'join', 'replace', 'replaceAll']);

function joinsText(node: AnyNode): boolean {
  switch (node.type) {
    case 'TemplateLiteral':
    case 'TaggedTemplateExpression':
      return true;
    case 'BinaryExpression':
      return node.operator === '+';
    case 'CallExpression': {
      const { callee } = node;
      const name = callee.type === 'MemberExpression' ? callee.property : undefined;
      return name?.type === 'Identifier' && joiningMethods.has(name.name);
    }
    default:
      return false;
  }
}

/** True if the value can contain text of the row. */
function carriesRow(node: AnyNode): boolean {
  if (isEncoding(node) || isUrlTag(node)) return false;
  return node.type === 'Identifier' ? rowData.has(node.name) : valuesIn(node).some(carriesRow);
}

/** The children that the value can be made of. What only chooses between values of the file is not among them. */
function valuesIn(node: AnyNode): AnyNode[] {
  switch (node.type) {
    case 'MemberExpression':
      return [node.object];
    case 'Property':
      return [node.value];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate];
    default:
      return childrenOf(node);
  }
}
