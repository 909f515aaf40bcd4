import type { JsonObject } from '../../base/json-value.ts';
import type { Workflow } from './workflow.ts';

/** Longer rows than this would hide the rest of a line that is to be pasted. */
const longestRow = 200;

/** A row to try a workflow with: its own first test row where it is short; else one with its declared fields. */
export function sampleRow(workflow: Workflow): JsonObject {
  const input = workflow.nodes.find((node) => node.type === 'input');
  const { testRows, fields = [] } = input?.config ?? {};
  const first = Array.isArray(testRows) ? testRows[0] : undefined;
  if (first !== undefined && JSON.stringify(first).length <= longestRow) return first;
  return Object.fromEntries(fields.map(([name, { type }]) => [name, samples[type]]));
}

const samples = { string: 'text', number: 1, boolean: true, array: [], object: {}, any: 'text' } as const;
