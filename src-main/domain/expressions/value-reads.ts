// Where code reads the value of a node: `nodes.id.key`.
import type { AnyNode } from 'acorn';
import { blockNames, childrenOf, hoistedNames } from './tree.ts';

export type ValueRead = { readonly node: AnyNode; readonly key: string; readonly around: readonly AnyNode[] };

/** The reads of one value of the node: `nodes.id.key`. */
export function readsOfValues(
  tree: AnyNode,
  id: string,
  around: readonly AnyNode[] = [],
): readonly ValueRead[] {
  const key = tree.type === 'MemberExpression' && idOf(tree.object) === id ? nameOf(tree) : undefined;
  if (key !== undefined) return [{ node: tree, key, around }];
  return childrenOf(tree).flatMap((child) => readsOfValues(child, id, [...around, tree]));
}

/** A read of a member of a node's value without `?.`, which fails if the node has no value. */
export type CertainRead = {
  /** Id of the node. */
  readonly id: string;
  /** Where the read begins. */
  readonly offset: number;
};

/** Reads that each run of the code makes, in the order of the text. One in a branch, a callback or behind `&&` may be left out. */
export const certainReads = (tree: AnyNode): readonly CertainRead[] =>
  [...blockNames(tree), ...hoistedNames(tree)].includes('nodes') ? [] : certainReadsIn(tree);

function certainReadsIn(tree: AnyNode): readonly CertainRead[] {
  const inner = evaluatedChildren(tree).flatMap(certainReadsIn);
  if (tree.type !== 'MemberExpression' || tree.optional) return inner;
  const id = idOf(tree.object);
  return id === undefined ? inner : [{ id, offset: tree.object.start }, ...inner];
}

/** The children that are evaluated whenever the node is. */
function evaluatedChildren(node: AnyNode): readonly AnyNode[] {
  if (node.type === 'Program' || node.type === 'BlockStatement') {
    // A statement with branches may end the code.
    const first = node.body.findIndex(({ type }) => branching.test(type));
    return first < 0 ? node.body : node.body.slice(0, first + 1);
  }
  if (node.type === 'CallExpression' && isOptional(node)) return [node.callee];
  if (node.type === 'MemberExpression' && isOptional(node)) return [node.object];
  if (node.type === 'AssignmentExpression' && !/[&|?]{2}=/.test(node.operator))
    return [node.left, node.right];
  const children = childrenOf(node);
  const first = onlyFirst.test(node.type) ? 1 : children.length;
  return onlyLater.test(node.type) ? [] : children.slice(0, first);
}

/** Nodes of which only the first part is evaluated each time: the test, or the left side. */
const onlyFirst =
  /^(?:If|Switch|While)Statement$|^(?:Conditional|Logical|Assignment)Expression$|^AssignmentPattern$/;

/** Nodes that evaluate nothing, or each part only sometimes. */
const onlyLater = /Function|Class|^(?:For|ForIn|ForOf|DoWhile|Try|Labeled)Statement$/;

const branching = /^(?:If|Switch|For|ForIn|ForOf|While|DoWhile|Try|Labeled|Block)Statement$/;

/** True in a chain with `?.`, which ends where that finds nothing. */
function isOptional(node: AnyNode): boolean {
  let at = node;
  while (at.type === 'MemberExpression' || at.type === 'CallExpression') {
    if (at.optional) return true;
    at = at.type === 'MemberExpression' ? at.object : at.callee;
  }
  return false;
}

/** The id in `nodes.<id>`; undefined for any other code. */
const idOf = (node: AnyNode): string | undefined =>
  node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.object.name === 'nodes'
    ? nameOf(node)
    : undefined;

function nameOf({ property, computed }: AnyNode & { readonly type: 'MemberExpression' }): string | undefined {
  if (property.type === 'Identifier') return computed ? undefined : property.name;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
}
