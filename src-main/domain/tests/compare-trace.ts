// Compares how nodes ended in rows with the expectation of a test.
import type { JsonObject } from '../../base/json-value.ts';
import type { FileEdit } from '../authoring/edit/file-edit.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import { findDifferences, type ValueDifference } from './find-differences.ts';

/** The nodes of one row, as traced or as expected. */
export type RowNodes = {
  /** From 1. */
  readonly row: number;
  /** By node id: objects with `status`, `attempts` and, where the node gave one, `value`. */
  readonly nodes: JsonObject;
};

/** Differences from the expectation. Each path begins with the index of the row, from 0, then the node's id. */
export function compareTrace(expected: readonly RowNodes[], traced: readonly RowNodes[]): ValueDifference[] {
  const nodesOf = tracedNodes(traced);
  return expected.flatMap(({ row, nodes }) =>
    findDifferences(nodes, nodesOf(row), true).map((difference) => ({
      ...difference,
      path: [row - 1, ...difference.path],
    })),
  );
}

/** Makes a test expect what came. A node or a part of one that is not there is expected no more. */
export function traceEdits(
  base: readonly PathStep[],
  expected: readonly RowNodes[],
  traced: readonly RowNodes[],
): FileEdit[] {
  const nodesOf = tracedNodes(traced);
  return expected.flatMap(({ row, nodes }, index) => {
    const actual = nodesOf(row);
    const differing = findDifferences(nodes, actual, true).map(({ path: [node = '', part] }) => [node, part]);
    const parts = new Map(differing.map((path) => [JSON.stringify(path), path]));
    return [...parts.values()].map((path) => editOf([...base, index, 'nodes'], path, actual));
  });
}

function editOf(
  base: readonly PathStep[],
  [node = '', part]: readonly (PathStep | undefined)[],
  actual: JsonObject,
): FileEdit {
  const known = ownObject(actual, String(node));
  if (part === undefined || known === undefined) return { kind: 'removeItem', path: [...base, node] };
  const value = Object.hasOwn(known, part) ? known[part] : undefined;
  const path = [...base, node, part];
  return value === undefined ? { kind: 'removeItem', path } : { kind: 'setValue', path, value };
}

/** The nodes of a row by its number; none for a row that was not traced. */
function tracedNodes(traced: readonly RowNodes[]): (row: number) => JsonObject {
  const byRow = new Map(traced.map(({ row, nodes }) => [row, nodes]));
  return (row) => byRow.get(row) ?? {};
}

const ownObject = (object: JsonObject, key: string): JsonObject | undefined =>
  Object.hasOwn(object, key) ? (object[key] as JsonObject) : undefined;
