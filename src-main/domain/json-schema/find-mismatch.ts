// Whether a value is what a schema asks for. Only for schemas that `check-schema.ts` has passed.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { isSameValue, isOneOf } from '../tests/find-differences.ts';

/** The first way in which a value does not fit, naming its place (`answer.items[2].price`); undefined when it fits. */
export function findMismatch(schema: JsonObject, value: JsonValue, at: string): string | undefined {
  for (const rule of rules) {
    const mismatch = rule(schema, value, at);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

type Rule = (schema: JsonObject, value: JsonValue, at: string) => string | undefined;

const typeRule: Rule = ({ type }, value, at) => {
  if (type === undefined) return undefined;
  const types = (Array.isArray(type) ? type : [type]) as readonly string[];
  const actual = typeOf(value);
  const isOne = types.includes(actual) || (types.includes('number') && actual === 'integer');
  return isOne ? undefined : `${at} is of type ${actual}, not ${types.join(' or ')}`;
};

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const choiceRule: Rule = (schema, value, at) => {
  const { enum: choices, const: only } = schema;
  if (Array.isArray(choices) && !isOneOf(choices as readonly JsonValue[], value))
    return `${at} is none of ${choicesText(choices as readonly JsonValue[])}`;
  if (only !== undefined && !isSameValue(only, value)) return `${at} is not ${choicesText([only])}`;
  return undefined;
};

/** Maximum characters of the choices in a message; a schema may have thousands. */
const maxChoicesText = 500;

function choicesText(choices: readonly JsonValue[]): string {
  let text = '';
  for (const [index, choice] of choices.entries()) {
    text += `${index === 0 ? '' : ', '}${JSON.stringify(choice)}`;
    if (text.length > maxChoicesText) return `${text.slice(0, maxChoicesText)}…`;
  }
  return text;
}

const anyOfRule: Rule = ({ anyOf }, value, at) => {
  if (!Array.isArray(anyOf)) return undefined;
  const fits = (anyOf as readonly JsonObject[]).some(
    (schema) => findMismatch(schema, value, at) === undefined,
  );
  return fits ? undefined : `${at} fits none of the ${anyOf.length} schemas of "anyOf"`;
};

const objectRule: Rule = ({ properties, required, additionalProperties }, value, at) => {
  if (!isJsonObject(value)) return undefined;
  const known = isJsonObject(properties) ? properties : {};
  const missing = ((required ?? []) as readonly string[]).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at} has no ${JSON.stringify(missing)}`;
  for (const [name, entry] of Object.entries(value)) {
    const schema = Object.hasOwn(known, name) ? known[name] : additionalProperties;
    if (schema === false) return `${at} has ${JSON.stringify(name)}, which the schema does not know`;
    const mismatch = isJsonObject(schema) ? findMismatch(schema, entry, inside(at, name)) : undefined;
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
};

const listRule: Rule = ({ items, minItems, maxItems }, value, at) => {
  if (!Array.isArray(value)) return undefined;
  const list = value as readonly JsonValue[];
  if (list.length < bound(minItems, 0))
    return `${at} has ${list.length} entries, fewer than ${bound(minItems, 0)}`;
  if (list.length > bound(maxItems)) return `${at} has ${list.length} entries, more than ${bound(maxItems)}`;
  if (!isJsonObject(items)) return undefined;
  for (const [index, entry] of list.entries()) {
    const mismatch = findMismatch(items, entry, `${at}[${index}]`);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
};

const textRule: Rule = ({ minLength, maxLength, pattern }, value, at) => {
  if (typeof value !== 'string') return undefined;
  // JSON Schema counts characters, not UTF-16 units.
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (length < bound(minLength, 0)) return `${at} is shorter than ${bound(minLength, 0)} characters`;
  if (length > bound(maxLength)) return `${at} is longer than ${bound(maxLength)} characters`;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
    return `${at} does not match ${JSON.stringify(pattern)}`;
  return undefined;
};

const numberRule: Rule = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }, value, at) => {
  if (typeof value !== 'number') return undefined;
  if (value < bound(minimum, -Infinity)) return `${at} is below ${bound(minimum)}`;
  if (value > bound(maximum)) return `${at} is above ${bound(maximum)}`;
  if (value <= bound(exclusiveMinimum, -Infinity)) return `${at} is not above ${bound(exclusiveMinimum)}`;
  if (value >= bound(exclusiveMaximum)) return `${at} is not below ${bound(exclusiveMaximum)}`;
  return undefined;
};

const rules: readonly Rule[] = [typeRule, choiceRule, anyOfRule, objectRule, listRule, textRule, numberRule];

const bound = (value: JsonValue | undefined, otherwise = Infinity): number =>
  typeof value === 'number' ? value : otherwise;

const inside = (at: string, name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${at}.${name}` : `${at}[${JSON.stringify(name)}]`;
