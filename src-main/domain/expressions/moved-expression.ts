// Whether an expression can be evaluated elsewhere with the same value. Who calls: extract and inline of the editor.
import type { AnyNode, MemberExpression } from 'acorn';
import { blockNames, childrenOf, hoistedNames, patternNames } from './tree.ts';

/** An expression of a tree, with the nodes around it from the top of the tree in. */
export type FoundExpression = { readonly node: AnyNode; readonly around: readonly AnyNode[] };

/** The expression that is written in exactly that range; undefined if there is none. */
export function expressionIn(tree: AnyNode, from: number, to: number): FoundExpression | undefined {
  const around: AnyNode[] = [];
  let node: AnyNode | undefined = tree;
  while (node !== undefined && node.start <= from && node.end >= to) {
    if (node.start === from && node.end === to && isExpression(node, around.at(-1))) return { node, around };
    around.push(node);
    node = childrenOf(node).find((child) => child.start <= from && child.end >= to);
  }
  return undefined;
}

function isExpression({ type, ...node }: AnyNode, parent: AnyNode | undefined): boolean {
  if (type === 'Identifier' || type === 'Literal') return parent === undefined || !isName(node, parent);
  if (type === 'TemplateLiteral') return parent?.type !== 'TaggedTemplateExpression';
  return type.endsWith('Expression') && !/^(Arrow|Function|Class|Assignment|Update|Await|Yield)/.test(type);
}

/** True for a key, or for a variable that is bound. */
function isName({ start }: { readonly start: number }, parent: AnyNode): boolean {
  if (parent.type === 'MemberExpression') return !parent.computed && start === parent.property.start;
  if (parent.type === 'Property') return parent.shorthand || (!parent.computed && start === parent.key.start);
  if (parent.type === 'VariableDeclarator') return start === parent.id.start;
  return /Pattern|Function|Class|Definition|Catch|Label|Rest|Break|Continue|Meta/.test(parent.type);
}

/** Names that the code around an expression declares. */
export function declaredAround(around: readonly AnyNode[]): ReadonlySet<string> {
  return new Set(
    around.flatMap((node, index): readonly string[] => {
      if ('params' in node)
        return ['arguments', ...node.params.flatMap(patternNames), ...hoistedNames(node.body)];
      if (node.type === 'CatchClause' && node.param) return patternNames(node.param);
      return index === 0 ? [...hoistedNames(node), ...blockNames(node)] : blockNames(node);
    }),
  );
}

/** Names in the expression that may be variables. */
export const namesUsed = (node: AnyNode): readonly string[] =>
  node.type === 'Identifier'
    ? [node.name]
    : childrenOf(node)
        .filter((child) => child.type !== 'Identifier' || !isName(child, node) || isShorthand(node))
        .flatMap(namesUsed);

const isShorthand = (node: AnyNode): boolean => node.type === 'Property' && node.shorthand;

/** Why the expression cannot be replaced by a constant with its value; undefined if it can. */
export function replacementProblem({ node, around }: FoundExpression): string | undefined {
  const parent = around.at(-1);
  if (parent === undefined) return undefined;
  if (/^(Call|New)/.test(parent.type) && 'callee' in parent && parent.callee === node)
    return 'Select the call with its arguments';
  if (parent.type === 'TaggedTemplateExpression') return 'Select the text behind it too';
  if (isChanged(node, parent)) return 'The code changes it';
  if (parent.type === 'MemberExpression' && parent.object === node)
    return memberProblem(node, parent, around);
  const name = parent.type === 'VariableDeclarator' ? patternNames(parent.id)[0] : undefined;
  const isChangedLater = name !== undefined && around.slice(0, 1).some((top) => isChangedBelow(top, name));
  return isChangedLater ? `The code changes "${name}"` : undefined;
}

/** Why a member of the expression's value stands in the way. */
function memberProblem(
  node: AnyNode,
  member: MemberExpression,
  around: readonly AnyNode[],
): string | undefined {
  const next = around.at(-2);
  if (next !== undefined && isChanged(member, next)) return 'The code changes it';
  if (around.some(({ type }) => type === 'ChainExpression') && hasOptionalLink(node))
    return 'Select all of the chain with "?."';
  if (next?.type !== 'CallExpression' || next.callee !== member) return undefined;
  const { property } = member;
  return property.type === 'Identifier' && mutating.has(property.name)
    ? `"${property.name}" changes it: select the call too`
    : undefined;
}

/** True if a link of the chain may be left out. */
function hasOptionalLink(node: AnyNode): boolean {
  if (node.type === 'MemberExpression') return node.optional || hasOptionalLink(node.object);
  return node.type === 'CallExpression' && (node.optional || hasOptionalLink(node.callee));
}

const mutating: ReadonlySet<string> = new Set(
  'sort reverse push pop shift unshift splice fill copyWithin add set delete clear'.split(' '),
);

const isChanged = (node: AnyNode, parent: AnyNode): boolean =>
  ('left' in parent && /^(Assignment|ForIn|ForOf)/.test(parent.type) && parent.left === node) ||
  parent.type === 'UpdateExpression' ||
  (parent.type === 'UnaryExpression' && parent.operator === 'delete');

/** True if code assigns to a part of the variable, or calls a method that changes it. */
function isChangedBelow(tree: AnyNode, name: string): boolean {
  const isIt = (node: AnyNode): boolean =>
    node.type === 'Identifier' ? node.name === name : node.type === 'MemberExpression' && isIt(node.object);
  const isHere =
    (tree.type === 'AssignmentExpression' && isIt(tree.left)) ||
    (tree.type === 'UpdateExpression' && isIt(tree.argument)) ||
    (tree.type === 'CallExpression' &&
      tree.callee.type === 'MemberExpression' &&
      isIt(tree.callee.object) &&
      tree.callee.property.type === 'Identifier' &&
      mutating.has(tree.callee.property.name));
  return isHere || childrenOf(tree).some((child) => isChangedBelow(child, name));
}

/** True if the expression may be left unevaluated, or its failure be caught. */
export function isConditional({ node, around }: FoundExpression): boolean {
  return [...around.slice(1), node].some((child, index) => {
    const parent = around[index];
    if (parent === undefined) return false;
    if ('params' in parent || parent.type === 'AssignmentPattern' || parent.type === 'TryStatement')
      return true;
    if (parent.type === 'ConditionalExpression' || parent.type === 'IfStatement')
      return parent.test !== child;
    if (parent.type === 'LogicalExpression') return parent.right === child;
    if (parent.type === 'ChainExpression') return !isHeadOf(parent.expression, node);
    if (/^(For|While|DoWhile|Switch)/.test(parent.type)) return true;
    return 'body' in parent && Array.isArray(parent.body) && mayEndBefore(parent.body, child);
  });
}

const isHeadOf = (chain: AnyNode, node: AnyNode): boolean =>
  chain === node ||
  (chain.type === 'MemberExpression' && isHeadOf(chain.object, node)) ||
  (chain.type === 'CallExpression' && isHeadOf(chain.callee, node)) ||
  (chain.start <= node.start && chain.end >= node.end && !/^(Member|Call)/.test(chain.type));

const mayEndBefore = (statements: readonly AnyNode[], statement: AnyNode): boolean =>
  statements.slice(0, statements.indexOf(statement)).some(hasEnd);

const hasEnd = (node: AnyNode): boolean =>
  /^(Return|Throw|Break|Continue)/.test(node.type) || (!('params' in node) && childrenOf(node).some(hasEnd));

const roots: ReadonlySet<string> = new Set(['row', 'nodes', 'vars']);

/** Operators and forms that fail only if one of their parts does. */
const harmless: ReadonlySet<string> = new Set([
  'Literal',
  'TemplateElement',
  'ChainExpression',
  'UnaryExpression',
  'LogicalExpression',
  'ConditionalExpression',
  'TemplateLiteral',
]);

/** True if the expression gives a value for every row, whatever the row has. */
export function cannotFail(node: AnyNode): boolean {
  if (node.type === 'Identifier') return roots.has(node.name) || /^(undefined|NaN|Infinity)$/.test(node.name);
  if (node.type === 'MemberExpression') return !node.computed && isSafeOwner(node);
  const isHarmless = node.type === 'BinaryExpression' ? !/^in/.test(node.operator) : harmless.has(node.type);
  return isHarmless && childrenOf(node).every(cannotFail);
}

const isSafeOwner = ({ object, optional }: MemberExpression): boolean =>
  (object.type === 'Identifier' && roots.has(object.name)) || (optional && cannotFail(object));

/** A call in the expression that may give something else each time, or does more than give a value. */
export function unrepeatableCall(node: AnyNode): string | undefined {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const { callee } = node;
    const name = callee.type === 'MemberExpression' ? dotted(callee.object, callee.property) : dotted(callee);
    const isClock = name === 'Date' && node.arguments.length === 0;
    if (isClock || /^(Math\.random|Date\.now|uuid|console\.\w+)$/.test(name)) return name;
  }
  return childrenOf(node)
    .map(unrepeatableCall)
    .find((name) => name !== undefined);
}

const dotted = (...nodes: readonly AnyNode[]): string =>
  nodes.map((node) => (node.type === 'Identifier' ? node.name : '')).join('.');

/** True if the expression needs no parentheses, whatever stands around it. */
export const isPrimary = (node: AnyNode): boolean =>
  /^(Identifier|MemberExpression|CallExpression|TemplateLiteral|ArrayExpression)$/.test(node.type) ||
  (node.type === 'Literal' && typeof node.value !== 'number');
