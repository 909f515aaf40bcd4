import type { Value } from '../../expressions/value.ts';
import type { PathStep } from '../file-problem.ts';

/** A literal, expression or template of a node, with its path. */
export type PlacedValue = {
  readonly value: Exclude<Value, { kind: 'object' | 'list' }>;
  readonly path: readonly PathStep[];
};

/** The values in parsed parts of a node, without objects and lists, whose members stand for them. */
export function valuesIn(part: unknown, path: readonly PathStep[]): readonly PlacedValue[] {
  if (typeof part !== 'object' || part === null) return [];
  if ('kind' in part) return membersOf(part as Value, path);
  return entriesOf(part).flatMap(([step, inner]) =>
    isPair(inner) ? valuesIn(inner[1], [...path, inner[0]]) : valuesIn(inner, [...path, step]),
  );
}

function membersOf(value: Value, path: readonly PathStep[]): readonly PlacedValue[] {
  switch (value.kind) {
    case 'object':
      return value.entries.flatMap(([name, entry]) => membersOf(entry, [...path, name]));
    case 'list':
      return value.items.flatMap((item, index) => membersOf(item, [...path, index]));
    default:
      return [{ value, path }];
  }
}

export const entriesOf = (part: object): readonly (readonly [PathStep, unknown])[] =>
  Array.isArray(part) ? [...part.entries()] : Object.entries(part);

/** A name with its value, as in the fields of an output. */
const isPair = (part: unknown): part is [string, object] =>
  Array.isArray(part) && part.length === 2 && typeof part[0] === 'string' && typeof part[1] === 'object';
