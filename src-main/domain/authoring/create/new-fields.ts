// The input fields of a new workflow, made of the rows that it is for.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json-value.ts';

/** Types of a field that a value decides; `any`: its values have several. */
export const newFieldTypes = ['string', 'number', 'boolean', 'object', 'array', 'any'] as const;
type FieldType = (typeof newFieldTypes)[number];

export type NewField = { readonly name: string; readonly type: FieldType; readonly isRequired: boolean };

/** The fields of all rows, in the order in which they first occur. Required: those that every row fills. */
export function newFields(rows: readonly JsonObject[]): NewField[] {
  const found = new Map<string, { readonly types: Set<FieldType>; filled: number }>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      const field = found.get(name) ?? { types: new Set(), filled: 0 };
      found.set(name, field);
      if (value === undefined || value === null) continue;
      field.types.add(typeOf(value));
      field.filled += 1;
    }
  return [...found].map(([name, { types, filled }]) => {
    const [type = 'any'] = types;
    return { name, type: types.size === 1 ? type : 'any', isRequired: filled === rows.length };
  });
}

function typeOf(value: NonNullable<JsonValue>): FieldType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return isJsonObject(value) ? 'object' : 'array';
}
