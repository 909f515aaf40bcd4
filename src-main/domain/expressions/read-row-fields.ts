// Which fields of the row a piece of code reads, to find the field because of which it failed.
import type { AnyNode } from 'acorn';
import { findNames } from './find-names.ts';
import { itemNames, repeatNames } from './scope.ts';
import { readFunctionBody, readLeadingExpression } from './syntax.ts';
import { childrenOf } from './tree.ts';

/** Fields that the code reads, each once. What it reads only to throw it, such as for the text of an error, is left out. */
export function readRowFields(kind: 'expression' | 'body', source: string): readonly string[] | undefined {
  const read = kind === 'body' ? readFunctionBody(source) : readLeadingExpression(source);
  if (!read.ok) return undefined;
  const { tree } = read.value;
  const { fieldReferences, unclearRowReads } = findNames(tree, { names: [...itemNames, ...repeatNames] });
  const thrown = throwsIn(tree);
  const isThrown = (offset: number): boolean =>
    thrown.some(({ start, end }) => offset >= start && offset < end);
  if (unclearRowReads.some(({ offset }) => !isThrown(offset))) return undefined;
  const names = fieldReferences.filter(({ owner, from }) => owner === 'row' && !isThrown(from));
  return [...new Set(names.map(({ name }) => name))];
}

const throwsIn = (node: AnyNode): readonly AnyNode[] =>
  node.type === 'ThrowStatement' ? [node] : childrenOf(node).flatMap(throwsIn);
