import type { JsonValue } from '../../base/json-value.ts';
import { isNodeType, nodeTypes } from '../nodes/catalogue.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import { readFile } from '../workflow/read-file.ts';
import { valueAt } from './value-at.ts';

/** The value at a path of a node, as the documentation of the node's type has it. */
export function exampleValue(type: string, path: readonly PathStep[]): JsonValue | undefined {
  if (!isNodeType(type)) return undefined;
  const example = readFile(nodeTypes[type].example).document?.data;
  // Each item of a list is like the first one.
  return valueAt(example, [0, ...path.map((step) => (typeof step === 'number' ? 0 : step))]);
}
