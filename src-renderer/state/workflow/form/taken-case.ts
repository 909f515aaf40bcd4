// The case of a switch that a row takes, by the values of the conditions.
import type { JsonObject, PreviewedField, PreviewedValue } from '#contract';
import type { FieldPath } from './form-edits.ts';

/** Path of the case, or of the default; undefined if it is not known, or the node is no switch. */
export function takenCase(node: JsonObject, fields: readonly PreviewedField[]): FieldPath | undefined {
  const { type, cases } = node;
  if (type !== 'switch' || !Array.isArray(cases)) return undefined;
  for (const index of cases.keys()) {
    const condition = fields.find(
      ({ path: [list, at, key] }) => list === 'cases' && at === index && key === 'when',
    );
    if (condition === undefined || condition.error !== undefined) return undefined;
    if (condition.value !== undefined && isTruthy(condition.value)) return ['cases', index];
  }
  return ['default'];
}

function isTruthy({ kind, text }: PreviewedValue): boolean {
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number') return Number(text) !== 0;
  return kind === 'text' ? text !== '' : kind !== 'null';
}
