// Copies values that author code returned to plain JSON data, before another node or the output uses them. Values are not
// frozen in place: a copy reads each property once, so a getter cannot return something else later.
import { NodeError } from './node-error.ts';

/**
 * The value as JSON would carry it, with all its lists and objects frozen; `undefined` stays, so that a node can have no
 * value. NaN and infinities become null, `undefined` in a list too, in an object it leaves the key out, dates become
 * ISO text. Throws NodeError for what JSON cannot carry.
 */
export function plainCopy(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      // Adding zero turns -0 into 0, as JSON does.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object':
      if (value === null) return null;
      if (value instanceof Promise)
        throw new NodeError('a promise cannot be stored as JSON: await it in a code node');
      // The value is too deep for recursion, or circular. JSON.stringify tells the two apart and names the circle.
      return depth > deepest ? throughJson(value) : copyObject(value, depth);
    default:
      throw cannotStore(value);
  }
}

const deepest = 1000;

const cannotStore = (value: unknown): NodeError =>
  new NodeError(`${names[typeof value] ?? 'this value'} cannot be stored as JSON`);

const names: Partial<Record<string, string>> = {
  function: 'a function',
  symbol: 'a symbol',
  bigint: 'a BigInt (convert it with Number or String)',
};

function copyObject(value: object, depth: number): unknown {
  if (Array.isArray(value)) return copyList(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return throughJson(value);
  const source = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(source)) {
    const entry = source[key];
    if (typeof entry === 'function' && key === 'toJSON') return throughJson(value);
    if (entry === undefined || typeof entry === 'function' || typeof entry === 'symbol') continue;
    setOwn(copy, key, plainCopy(entry, depth + 1));
  }
  return Object.freeze(copy);
}

function copyList(value: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const entry = value[index];
    const isNothing = entry === undefined || typeof entry === 'function' || typeof entry === 'symbol';
    copy.push(isNothing ? null : plainCopy(entry, depth + 1));
  }
  return Object.freeze(copy);
}

/** Converts dates, boxed values and class instances by the rules of JSON. */
function throughJson(value: object): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : freezeParsed(JSON.parse(text));
}

/**
 * Sets an own property for any key. Assigning to `__proto__` would change the prototype, and the engine refuses to assign to
 * a property of a frozen prototype, such as `constructor`.
 */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key in objectPrototype) {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

const objectPrototype: object = Object.prototype;

/** Freezes data from JSON.parse, which has no cycles and no getters. */
export function freezeParsed<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const entry of value) if (typeof entry === 'object') freezeParsed(entry);
  } else {
    const source = value as Record<string, unknown>;
    for (const key in source) if (typeof source[key] === 'object') freezeParsed(source[key]);
  }
  return Object.freeze(value);
}

/** Characters that JSON may escape; testing for them takes half the time of JSON.stringify. */
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

// Pieces are appended one by one: joining pieces that were joined before makes a worker a tenth slower.

/** Appends the JSON of an expression's value to a text, without a copy of the value. */
export function withJson(text: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return needsEscape.test(value) ? text + JSON.stringify(value) : text + '"' + value + '"';
    case 'number':
      // -0 reads "0" here as it does in JSON.
      return text + (Number.isFinite(value) ? String(value) : 'null');
    case 'boolean':
      return text + (value ? 'true' : 'false');
    case 'undefined':
      return text + 'null';
    case 'object':
      return value === null ? text + 'null' : withObject(text, value);
    default:
      throw cannotStore(value);
  }
}

function withObject(text: string, value: object): string {
  if (value instanceof Promise)
    throw new NodeError('a promise cannot be stored as JSON: await it in a code node');
  const list = Array.isArray(value) ? withList(text, value) : undefined;
  return list ?? text + (JSON.stringify(value) ?? 'null');
}

/**
 * For a list of texts, numbers and truth values; undefined for any other. JSON.stringify takes twice as long: it has no
 * quick way for frozen lists.
 */
function withList(before: string, list: readonly unknown[]): string | undefined {
  if ('toJSON' in list) return undefined;
  const { length } = list;
  let text = before + '[';
  for (let index = 0; index < length; index += 1) {
    const entry = list[index];
    if (typeof entry !== 'string' && typeof entry !== 'number' && typeof entry !== 'boolean')
      return undefined;
    if (index > 0) text += ',';
    text = withJson(text, entry);
  }
  return text + ']';
}

/** The value as part of a text: empty for null and undefined, JSON for lists and objects. */
export function textOfValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'undefined':
      return '';
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object': {
      if (value === null) return '';
      const plain = plainCopy(value);
      return typeof plain === 'object' ? JSON.stringify(plain) : textOfValue(plain);
    }
    default:
      throw new NodeError(`a ${typeof value} cannot be written into a text`);
  }
}
