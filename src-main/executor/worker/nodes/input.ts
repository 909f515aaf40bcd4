import type { JsonValue } from '../../../base/json-value.ts';
import type { FieldSpec } from '../../../domain/nodes/input.ts';
import { isInexactIntegerText } from '../../../domain/rows/exact-json.ts';
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
  if (type === 'number' && isInexactIntegerText(value as JsonValue))
    throw new NodeError(
      `${name} is ${(value as string).slice(0, maxTextLength)}, which no number holds: declare it as string`,
    );
  if (type !== 'any' && actual !== type)
    throw new NodeError(`${name}: ${shown(value)} is not ${expected[type]}`);
}

const expected: Readonly<Record<Exclude<FieldSpec['type'], 'any'>, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Maximum characters of a text in a message. */
const maxTextLength = 60;

function shown(value: unknown): string {
  if (Array.isArray(value)) return expected.array;
  if (typeof value === 'object') return expected.object;
  const isLong = typeof value === 'string' && value.length > maxTextLength;
  return JSON.stringify(isLong ? `${value.slice(0, maxTextLength)}…` : value);
}
