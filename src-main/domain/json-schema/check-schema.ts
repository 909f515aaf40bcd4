// The part of JSON Schema that is supported for a model's answer. Any other keyword is an error in the workflow file, so
// that authors rely only on checks that are made.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { didYouMean } from '../closest-name.ts';

type SchemaProblem = { readonly message: string; readonly path: readonly (string | number)[] };

const schemaTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

/** A keyword's value, checked; undefined when it is right. */
type Check = (value: JsonValue) => string | undefined;

const isCount: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'Expected a whole number from 0';
const isNumber: Check = (value) => (typeof value === 'number' ? undefined : 'Expected a number');
const isTextList: Check = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    ? undefined
    : 'Expected a list of names';
const isValueList: Check = (value) =>
  Array.isArray(value) && value.length > 0 ? undefined : 'Expected a list with at least one value';
const isAnything: Check = () => undefined;

const isType: Check = (value) => {
  const types = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  return types.length > 0 && types.every((type) => (schemaTypes as readonly JsonValue[]).includes(type))
    ? undefined
    : `Expected one of ${schemaTypes.join(', ')}, or a list of them`;
};

const isPattern: Check = (value) => {
  if (typeof value !== 'string') return 'Expected a regular expression';
  try {
    return new RegExp(value, 'u') instanceof RegExp ? undefined : '';
  } catch {
    // The engine's words name its own internals.
    return `${JSON.stringify(value)} is not a regular expression`;
  }
};

const keywords: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', isType],
  ['enum', isValueList],
  ['const', isAnything],
  ['required', isTextList],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['pattern', isPattern],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  // These tell the model something and ask nothing of its answer.
  ...['$schema', 'title', 'description', 'default', 'examples', 'format'].map(
    (name) => [name, isAnything] as const,
  ),
]);

/** Keywords that hold further schemas. */
const around = ['properties', 'items', 'additionalProperties', 'anyOf'] as const;

const schemaKeywords: readonly string[] = [...around, ...keywords.keys()];

/** Problems of a schema, unknown keywords included. A schema is at most as deep as a workflow file may be. */
export function checkSchema(schema: JsonValue): SchemaProblem[] {
  if (!isJsonObject(schema)) return [{ message: 'Expected a JSON Schema: names with values', path: [] }];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    checkKeyword(keyword, value).map(({ message, path }) => ({ message, path: [keyword, ...path] })),
  );
}

function checkKeyword(keyword: string, value: JsonValue): SchemaProblem[] {
  switch (keyword) {
    case 'properties':
      if (!isJsonObject(value)) return [{ message: 'Expected names with schemas', path: [] }];
      return checkEach(Object.entries(value));
    case 'anyOf':
      if (!Array.isArray(value) || value.length === 0) return [{ message: 'Expected schemas', path: [] }];
      return checkEach([...(value as readonly JsonValue[]).entries()]);
    case 'additionalProperties':
      return typeof value === 'boolean' ? [] : checkSchema(value);
    case 'items':
      return checkSchema(value);
  }
  const check = keywords.get(keyword);
  const message =
    check === undefined
      ? `The keyword ${JSON.stringify(keyword)} is not understood${didYouMean(keyword, schemaKeywords)}`
      : check(value);
  return message === undefined ? [] : [{ message, path: [] }];
}

const checkEach = (schemas: readonly (readonly [string | number, JsonValue])[]): SchemaProblem[] =>
  schemas.flatMap(([step, schema]) =>
    checkSchema(schema).map(({ message, path }) => ({ message, path: [step, ...path] })),
  );
