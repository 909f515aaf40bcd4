// The part of a JSON Schema that describes the value at a path of a file.
import { isJsonObject, type JsonValue } from '../../../base/json-value.ts';
import type { FieldKind, fieldKeyword } from '../../nodes/field-kind.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import { valueAt } from '../../workflow/value-at.ts';

/** The part of JSON Schema that the schemas of files use. */
export type FileSchema = {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly default?: JsonValue;
  readonly anyOf?: readonly FileSchema[];
  readonly oneOf?: readonly FileSchema[];
  readonly items?: FileSchema;
  readonly properties?: { readonly [name: string]: FileSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | FileSchema;
  readonly [fieldKeyword]?: FieldKind;
  /** Path of the schema in that of the file, behind `#/`. */
  readonly $ref?: string;
};

/** All schemas that a value at the path may follow. Of the types of nodes, the one that the data names. */
export function schemasAt(
  schema: FileSchema,
  path: readonly PathStep[],
  data: JsonValue | undefined,
): readonly FileSchema[] {
  const resolved = (each: FileSchema): FileSchema =>
    each.$ref === undefined ? each : (valueAt(schema, each.$ref.split('/').slice(1)) as FileSchema);
  let found = choices(schema, data);
  for (const [index, step] of path.entries()) {
    const value = valueAt(data, path.slice(0, index + 1));
    found = found.flatMap((each) => inner(each, step)).flatMap((each) => choices(resolved(each), value));
  }
  return found;
}

function inner({ properties, items, additionalProperties }: FileSchema, step: PathStep): FileSchema[] {
  if (typeof step === 'number') return items === undefined ? [] : [items];
  const property = properties !== undefined && Object.hasOwn(properties, step) ? properties[step] : undefined;
  if (property !== undefined) return [property];
  return typeof additionalProperties === 'object' ? [additionalProperties] : [];
}

/** The schema itself, or each of those that it is a choice of. */
function choices(schema: FileSchema, value: JsonValue | undefined): FileSchema[] {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined) return [schema];
  const all = branches.flatMap((branch) => choices(branch, value));
  const type = isJsonObject(value) ? value['type'] : undefined;
  const typed = all.filter(({ properties }) => properties?.['type']?.const === type);
  // The description stands at the choice, not in its branches.
  const { description } = schema;
  return (type !== undefined && typed.length > 0 ? typed : all).map((branch) =>
    description === undefined ? branch : { description, ...branch },
  );
}
