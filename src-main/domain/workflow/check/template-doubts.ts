// Braces in texts that look like a placeholder of another tool, or like half of one: the text is valid, and hardly what
// its author meant. Who calls: check-workflow.ts.
import type { JsonValue } from '../../../base/json-value.ts';
import type { Template, Value } from '../../expressions/value.ts';
import type { FileProblem, PathStep } from '../file-problem.ts';
import { parsedFields } from '../node-reads.ts';
import type { WorkflowNode } from '../workflow.ts';

type Doubt = Pick<FileProblem, 'message' | 'path'>;

/** The doubtful texts of a node; paths begin at the node. */
export const templateDoubts = (node: WorkflowNode): Doubt[] => doubtsIn(parsedFields(node), []);

function doubtsIn(part: unknown, path: readonly PathStep[]): Doubt[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('kind' in part) return doubtsOf(part as Value, path);
  return entriesOf(part).flatMap(([step, inner]) =>
    isPair(inner) ? doubtsIn(inner[1], [...path, inner[0]]) : doubtsIn(inner, [...path, step]),
  );
}

const entriesOf = (part: object): (readonly [PathStep, unknown])[] =>
  Array.isArray(part) ? [...part.entries()] : Object.entries(part);

/** A name with its value, as in the fields of an output. */
const isPair = (part: unknown): part is [string, object] =>
  Array.isArray(part) && part.length === 2 && typeof part[0] === 'string' && typeof part[1] === 'object';

function doubtsOf(value: Value, path: readonly PathStep[]): Doubt[] {
  switch (value.kind) {
    case 'object':
      return value.entries.flatMap(([name, entry]) => doubtsOf(entry, [...path, name]));
    case 'list':
      return value.items.flatMap((item, index) => doubtsOf(item, [...path, index]));
    case 'template':
      return textDoubts(value.parts).map((message) => ({ message, path }));
    case 'literal':
      return literalDoubts(value.value, path);
    default:
      return [];
  }
}

function literalDoubts(json: JsonValue, path: readonly PathStep[]): Doubt[] {
  if (typeof json === 'string') return textDoubts([json]).map((message) => ({ message, path }));
  if (typeof json !== 'object' || json === null) return [];
  return entriesOf(json).flatMap(([step, inner]) => literalDoubts(inner as JsonValue, [...path, step]));
}

function textDoubts(parts: Template['parts']): string[] {
  const isBeforeValue = (text: string, index: number): boolean =>
    index < parts.length - 1 && text.endsWith('$');
  const texts = parts.filter((part) => typeof part === 'string');
  return [
    ...(hasStrayEnd(texts.join('')) ? [strayEnd] : []),
    ...(parts.some((part, index) => typeof part === 'string' && isBeforeValue(part, index)) ? [dollar] : []),
  ];
}

const strayEnd = 'This text has a }} without a {{ before it: it stays as it is';
const dollar =
  "The $ before {{ stays in the text. Leave it out, or write {{ '$' }} where a dollar sign is meant";

/** True for a `}}` that closes no brace of the text; JSON in a text closes its own. */
function hasStrayEnd(text: string): boolean {
  let depth = 0;
  for (const [brace] of text.matchAll(/\{|\}\}?/g)) {
    if (brace === '{') depth += 1;
    else if (brace === '}}' && depth === 0) return true;
    else depth = Math.max(0, depth - brace.length);
  }
  return false;
}
