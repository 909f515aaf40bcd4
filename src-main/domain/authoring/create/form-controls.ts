// Makes the controls of a form from JSON Schema: one walk for the nodes of all types.
import { invariant } from '../../../base/invariant.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { valueAt } from '../../workflow/value-at.ts';
import { fieldKeyword, initialKeyword, type FieldKind } from '../../nodes/field-kind.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import type { JsonSchema } from '../../workflow/workflow-schema.ts';
import type { FormAlternative, FormControl, NodeField, UnknownKey } from './node-field.ts';

/** The node that a form is made for, and what is around it. */
export type FormContext = {
  /** The node as it is in the file; it may be invalid. */
  readonly node: JsonObject;
  /** Ids of nodes that can run before this one. */
  readonly nodesBefore: readonly string[];
  /** The value at a path of the node, as the file has it. */
  readonly writtenAt: (path: readonly PathStep[]) => string;
};

type Path = readonly PathStep[];
type ObjectSchema = JsonSchema & { readonly properties: Record<string, JsonSchema> };

/** A longer list is edited as JSON. */
const maxItems = 100;

/** The fields of an object, in the order of its schema. */
export function fieldsOf(
  { properties, required }: ObjectSchema,
  path: Path,
  context: FormContext,
): NodeField[] {
  return Object.entries(properties).map(([key, property]) => ({
    ...fieldOf(property, [...path, key], context),
    ...(required?.includes(key) === true ? {} : optional(property, context)),
  }));
}

/** The keys of an object that its schema does not have. */
export function unknownKeys({ properties }: ObjectSchema, path: Path, context: FormContext): UnknownKey[] {
  const value = valueAt(context.node, path);
  return Object.keys(isJsonObject(value) ? value : {})
    .filter((key) => !Object.hasOwn(properties, key))
    .map((key) => ({ path: [...path, key], written: context.writtenAt([...path, key]) }));
}

function fieldOf(schema: JsonSchema, path: Path, context: FormContext): NodeField {
  const { title, description, default: usual } = schema;
  return {
    path,
    label: String(path.at(-1)),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    isRequired: true,
    ...(usual === undefined ? {} : { default: usual as JsonValue }),
    control: controlOf(schema, path, context),
  };
}

function controlOf(schema: JsonSchema, path: Path, context: FormContext): FormControl {
  const kind = schema[fieldKeyword] as FieldKind | undefined;
  if (kind === 'after') return { kind, nodes: context.nodesBefore };
  const value = valueAt(context.node, path);
  if (value !== undefined && value !== null && isOfAnotherForm(schema, value)) return { kind: 'json' };
  if (kind !== undefined) return { kind };
  if (schema.anyOf?.every(isNumberOrName) === true)
    return { kind: 'numberOrName', names: schema.anyOf.flatMap((each) => each.enum ?? []).map(String) };
  if (schema.anyOf !== undefined)
    return { kind: 'either', options: schema.anyOf.map((each) => alternativeOf(each, path, context)) };
  if (isObjectSchema(schema)) {
    return {
      kind: 'group',
      fields: fieldsOf(schema, path, context),
      unknown: unknownKeys(schema, path, context),
    };
  }
  return entriesOrList(schema, path, context) ?? scalarControl(schema);
}

function entriesOrList(schema: JsonSchema, path: Path, context: FormContext): FormControl | undefined {
  const value = valueAt(context.node, path);
  if (isSchema(schema.additionalProperties)) {
    const each = schema.additionalProperties;
    const names = Object.keys(isJsonObject(value) ? value : {});
    const entries = names.map((name) => fieldOf(each, [...path, name], context));
    return { kind: 'entries', entries, newEntry: initialOf(each) };
  }
  if (!isSchema(schema.items)) return undefined;
  const each = schema.items;
  const count = Array.isArray(value) ? value.length : 0;
  if (count > maxItems) return { kind: 'json' };
  const items = Array.from({ length: count }, (_, index) => fieldOf(each, [...path, index], context));
  return { kind: 'list', items, newItem: initialOf(each) };
}

function scalarControl({ type, enum: options, const: constant, minimum, maximum }: JsonSchema): FormControl {
  if (constant !== undefined) return { kind: 'choice', options: [String(constant)] };
  if (options !== undefined) return { kind: 'choice', options: options.map(String) };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'number' || type === 'integer') {
    return {
      kind: 'number',
      isInteger: type === 'integer',
      ...(minimum === undefined ? {} : { min: minimum }),
      ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { max: maximum }),
    };
  }
  invariant(type === 'string', `a form has a control for each schema: ${JSON.stringify(type)}`);
  return { kind: 'plain' };
}

function alternativeOf(schema: JsonSchema, path: Path, context: FormContext): FormAlternative {
  const value = valueAt(context.node, path);
  return {
    title: schema.title ?? '',
    initial: initialOf(schema),
    isChosen: value !== undefined && !isOfAnotherForm(schema, value),
    ...(schema.const === undefined ? { control: controlOf(schema, path, context) } : {}),
  };
}

/** A key that may be absent, with its smallest valid value. A node that can wait for no other one has no value for `after`. */
function optional(
  schema: JsonSchema,
  { nodesBefore }: FormContext,
): Pick<NodeField, 'isRequired' | 'initial'> {
  const initial = schema[fieldKeyword] === 'after' ? nodesBefore.at(-1) : initialOf(schema);
  return { isRequired: false, ...(initial === undefined ? {} : { initial }) };
}

/** A value to begin with: empty where only the user knows what stands there. */
function initialOf(schema: JsonSchema): JsonValue {
  const {
    [initialKeyword]: initial,
    default: usual,
    const: constant,
    enum: [first] = [],
    minimum,
    type,
    anyOf,
  } = schema;
  if (initial !== undefined) return initial as JsonValue;
  const known = usual ?? constant ?? first ?? minimum;
  if (anyOf?.[0] !== undefined && type === undefined) return initialOf(anyOf[0]);
  if (known !== undefined) return known as JsonValue;
  if (isObjectSchema(schema)) {
    const { properties, required = [] } = schema;
    return Object.fromEntries(required.map((key) => [key, initialOf(properties[key] ?? {})]));
  }
  return emptyOf(schema);
}

/** An empty value of the schema's type; null for data that can be anything. */
function emptyOf({ type, pattern, [fieldKeyword]: kind }: JsonSchema): JsonValue {
  if (kind === 'expression' && pattern === '^=') return '=[]';
  if (kind === 'expression' || kind === 'value') return '';
  if (type === 'array') return [];
  if (type === 'object') return {};
  return type === 'boolean' ? false : type === undefined ? null : '';
}

/** True if the value is a text where the schema has an object, and the like. A wrong number or text is none of these. */
function isOfAnotherForm({ type, anyOf, const: constant }: JsonSchema, value: JsonValue): boolean {
  if (anyOf !== undefined && type === undefined) return anyOf.every((each) => isOfAnotherForm(each, value));
  if (constant !== undefined) return value !== constant;
  const form = Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : undefined;
  if (type === 'array' || type === 'object') return form !== type;
  return type !== undefined && form !== undefined;
}

const isSchema = (schema: unknown): schema is JsonSchema =>
  typeof schema === 'object' && !Array.isArray(schema);

const isNumberOrName = (schema: JsonSchema): boolean =>
  schema.type === 'integer' ||
  schema.type === 'number' ||
  schema.enum !== undefined ||
  schema[fieldKeyword] === 'expression';

const isObjectSchema = (schema: JsonSchema): schema is ObjectSchema => schema.properties !== undefined;
