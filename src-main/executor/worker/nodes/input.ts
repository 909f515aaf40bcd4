import type { FieldSpec } from '../../../domain/nodes/input.ts';
import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';

/** Checks the row against the fields that the workflow names; other fields pass. */
export const runInput: MakeRunner<'input'> = ({ fields = [] }) => {
  return ({ input }) => {
    for (const [name, spec] of fields) checkField(input as Record<string, unknown>, name, spec);
    return input;
  };
};

function checkField(row: Record<string, unknown>, name: string, { type, required }: FieldSpec): void {
  const value = Object.hasOwn(row, name) ? row[name] : undefined;
  if (value === undefined || value === null) {
    if (required) throw new NodeError(`field "${name}" is ${value === null ? 'null' : 'missing'} (required)`);
    return;
  }
  const actual = Array.isArray(value) ? 'array' : typeof value;
  if (type !== 'any' && actual !== type)
    throw new NodeError(`field "${name}" is ${withArticle(actual)}, not ${withArticle(type)}`);
}

const withArticle = (type: string): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
