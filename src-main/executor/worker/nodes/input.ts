import type { JsonValue } from '../../../base/json-value.ts';
import type { FieldSpec } from '../../../domain/nodes/input.ts';
import { isInexactIntegerText } from '../../../domain/rows/exact-json.ts';
import { numberForm, type DecimalMark } from '../../../domain/rows/files/number-forms.ts';
import { NodeError } from '../node-error.ts';
import type { MakeRunner } from './node-runner.ts';

/** Checks the row against the fields that the workflow names; other fields pass. */
export const runInput: MakeRunner<'input'> = ({ fields = [] }, { decimal }) => {
  return ({ input }) => {
    for (const [name, spec] of fields)
      checkField(input as Record<string, unknown>, { name, decimal, ...spec });
    return input;
  };
};

type CheckedField = FieldSpec & { readonly name: string; readonly decimal: DecimalMark | undefined };

function checkField(row: Record<string, unknown>, { name, type, required, decimal }: CheckedField): void {
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
    throw new NodeError(
      `${name}: ${shown(value)} is not ${expected[type]}${type === 'number' ? numberFormText(value, decimal) : ''}`,
    );
}

/** The form in which a text is no number, such as `1,5` with decimal point; empty if it is a number in no form. */
function numberFormText(value: unknown, decimal: DecimalMark | undefined): string {
  const form = typeof value === 'string' ? numberForm(value) : undefined;
  if (form === undefined) return '';
  if (decimal !== undefined) return ` with decimal ${decimal === ',' ? 'comma' : 'point'}`;
  if (form.decimal === ',') return ': it has a decimal comma';
  const isOpen = form.decimal === 'either' && String(value).includes(',');
  return isOpen ? ': its comma can stand before decimals or group digits' : '';
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
