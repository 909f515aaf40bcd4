// How nodes ended in rows, held against what a test expects of them.
import type { JsonObject } from '../../base/json-value.ts';
import type { WorkflowEdit } from '../workflow/edit-workflow.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import { findDifferences, type ValueDifference } from './find-differences.ts';

/** Of one row: by node id what is known, or expected, of it. */
export type RowNodes = {
  /** From 1. */
  readonly row: number;
  /** Objects with `status`, `attempts` and, where the node gave one, `value`. */
  readonly nodes: JsonObject;
};

/** What is not as expected; the path begins with the row's place, from 0, then the node's id. */
export const judgeTrace = (expected: readonly RowNodes[], traced: readonly RowNodes[]): ValueDifference[] =>
  expected.flatMap(({ row, nodes }) =>
    findDifferences(nodes, nodesOf(traced, row), true).map((difference) => ({
      ...difference,
      path: [row - 1, ...difference.path],
    })),
  );

/** Makes a test expect what came. A node or a part of one that is not there is expected no more. */
export const traceEdits = (
  place: readonly PathStep[],
  expected: readonly RowNodes[],
  traced: readonly RowNodes[],
): WorkflowEdit[] =>
  expected.flatMap(({ row, nodes }, index) => {
    const actual = nodesOf(traced, row);
    const differing = findDifferences(nodes, actual, true).map(({ path: [node = '', part] }) => [node, part]);
    const parts = new Map(differing.map((path) => [JSON.stringify(path), path]));
    return [...parts.values()].map((path) => editOf([...place, index, 'nodes'], path, actual));
  });

function editOf(
  place: readonly PathStep[],
  [node = '', part]: readonly (PathStep | undefined)[],
  actual: JsonObject,
): WorkflowEdit {
  const known = ownObject(actual, String(node));
  if (part === undefined || known === undefined) return { kind: 'delete', path: [...place, node] };
  const value = Object.hasOwn(known, part) ? known[part] : undefined;
  const path = [...place, node, part];
  return value === undefined ? { kind: 'delete', path } : { kind: 'set', path, value };
}

const nodesOf = (traced: readonly RowNodes[], row: number): JsonObject =>
  traced.find((each) => each.row === row)?.nodes ?? {};

const ownObject = (object: JsonObject, key: string): JsonObject | undefined =>
  Object.hasOwn(object, key) ? (object[key] as JsonObject) : undefined;
