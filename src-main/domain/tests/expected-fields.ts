// The expectation of a new test about outputs: exact values of some fields, and the types of others. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import type { NewTest } from './add-test.ts';

/** Fields of the outputs that a new test checks. It does not check the others. */
export type ExpectedFields = {
  /** Fields that have to keep their values. */
  readonly values: readonly string[];
  /** Fields whose values only have to be of the same types. */
  readonly types: readonly string[];
};

/** @param fields absent: all fields, with their values */
export function expectedOutputs(
  outputs: readonly (JsonObject | null)[],
  fields?: ExpectedFields,
): Pick<NewTest['expect'], 'contains' | 'rows' | 'fields'> {
  if (fields === undefined) return { rows: outputs };
  const { values, types } = fields;
  const rules = types.map((name) => [name, { schema: { type: typesOf(outputs, name) } }] as const);
  const known = outputs.filter((output) => output !== null);
  const isPart = known.some((output) => Object.keys(output).some((name) => !values.includes(name)));
  const hasRows = values.length > 0 || types.length === 0 || known.length < outputs.length;
  return {
    ...(hasRows && isPart ? { contains: true } : {}),
    ...(hasRows ? { rows: outputs.map((output) => output && withFields(output, values)) } : {}),
    ...(rules.length > 0 ? { fields: Object.fromEntries(rules) } : {}),
  };
}

const withFields = (output: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(output).filter(([name]) => names.includes(name)));

/** The type of a field in the outputs, or all of its types. */
function typesOf(outputs: readonly (JsonObject | null)[], name: string): string | readonly string[] {
  const types = new Set(
    outputs.flatMap((output) =>
      output === null ? [] : [typeOf(Object.hasOwn(output, name) ? (output[name] ?? null) : null)],
    ),
  );
  const [type = 'null', ...others] = types;
  return others.length === 0 ? type : [...types];
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : typeof value;
}
