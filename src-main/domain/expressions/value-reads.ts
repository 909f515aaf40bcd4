// Where code reads one value of a node: `nodes.id.key`.
import type { AnyNode } from 'acorn';
import { childrenOf } from './tree.ts';

export type ValueRead = { readonly node: AnyNode; readonly key: string; readonly around: readonly AnyNode[] };

/** The reads of one value of the node: `nodes.id.key`. */
export function readsOfValues(
  tree: AnyNode,
  id: string,
  around: readonly AnyNode[] = [],
): readonly ValueRead[] {
  const key = tree.type === 'MemberExpression' && isNode(tree.object, id) ? nameOf(tree) : undefined;
  if (key !== undefined) return [{ node: tree, key, around }];
  return childrenOf(tree).flatMap((child) => readsOfValues(child, id, [...around, tree]));
}

const isNode = (node: AnyNode, id: string): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'nodes' &&
  nameOf(node) === id;

function nameOf({ property, computed }: AnyNode & { readonly type: 'MemberExpression' }): string | undefined {
  if (property.type === 'Identifier') return computed ? undefined : property.name;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
}
