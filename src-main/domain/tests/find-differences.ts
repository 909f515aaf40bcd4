// Where two JSON values differ, down to the fields that a person has to look at. Nesting takes no stack, and the work is
// linear in the size of both values.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import type { PathStep } from '../workflow/file-problem.ts';

export type ValueDifference = {
  readonly path: readonly PathStep[];
  /** Absent: nothing is expected there. */
  readonly expected?: JsonValue;
  /** Absent: nothing is there. */
  readonly actual?: JsonValue;
};

/** Two values at the same path; undefined: there is none. */
type Pair = {
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
  /** Absent: the outermost values. */
  readonly step?: PathStep;
  readonly outer?: Pair;
};

/**
 * All differences, in the order of the expected value. The order of an object's keys does not matter.
 * @param contains whether objects may have more keys than expected
 */
export const findDifferences = (
  expected: JsonValue,
  actual: JsonValue,
  contains: boolean,
): ValueDifference[] => [...eachDifference(expected, actual, contains)];

/** The differences one by one, so that a caller can stop. @param expected undefined: nothing is expected */
export function* eachDifference(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  contains: boolean,
): Generator<ValueDifference> {
  const stack: Pair[] = [{ expected, actual }];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const inner = innerPairs(pair, contains);
    if (inner === undefined) {
      if (pair.expected !== pair.actual) yield differenceOf(pair);
    } else for (let at = inner.length - 1; at >= 0; at -= 1) stack.push(inner[at] as Pair);
  }
}

/** True if both values are equal. The order of an object's keys does not matter. */
export const isSameValue = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  isSame(one, other, 0);

/** Levels that are compared by recursion, which is several times faster. */
const maxRecursion = 200;

function isSame(one: JsonValue | undefined, other: JsonValue | undefined, depth: number): boolean {
  if (one === other) return true;
  if (depth > maxRecursion) return eachDifference(one, other, false).next().done === true;
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((entry, at) => isSame(entry, other[at], depth + 1));
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key], depth + 1))
  );
}

/** The entries of two objects or two lists that are not the same; undefined for other values. */
function innerPairs(outer: Pair, contains: boolean): Pair[] | undefined {
  const { expected, actual } = outer;
  const pairs: Pair[] = [];
  const add = (step: PathStep, one: JsonValue | undefined, other: JsonValue | undefined): void => {
    if (one !== other) pairs.push({ expected: one, actual: other, step, outer });
  };
  if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of Object.keys(expected)) add(key, expected[key], own(actual, key));
    if (contains) return pairs;
    for (const key of Object.keys(actual))
      if (!Object.hasOwn(expected, key)) add(key, undefined, actual[key]);
    return pairs;
  }
  if (!isList(expected) || !isList(actual)) return undefined;
  const length = Math.max(expected.length, actual.length);
  for (let index = 0; index < length; index += 1) add(index, expected[index], actual[index]);
  return pairs;
}

function differenceOf(pair: Pair): ValueDifference {
  const path: PathStep[] = [];
  for (let at: Pair | undefined = pair; at?.step !== undefined; at = at.outer) path.push(at.step);
  const { expected, actual } = pair;
  return {
    path: path.reverse(),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  };
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

type Choices = { readonly plain: ReadonlySet<JsonValue>; readonly nested: readonly JsonValue[] };

/** A list of choices is prepared once: a rule asks for each row, a schema for each entry of a list. */
const preparedChoices = new WeakMap<readonly JsonValue[], Choices>();

/** True if one of the choices is equal to the value. Texts and numbers are looked up, however many choices there are. */
export function isOneOf(choices: readonly JsonValue[], value: JsonValue | undefined): boolean {
  const { plain, nested } = prepared(choices);
  if (typeof value !== 'object' || value === null) return value !== undefined && plain.has(value);
  return nested.some((choice) => isSameValue(choice, value));
}

function prepared(choices: readonly JsonValue[]): Choices {
  const known = preparedChoices.get(choices);
  if (known !== undefined) return known;
  const isNested = (choice: JsonValue): boolean => typeof choice === 'object' && choice !== null;
  const made = {
    plain: new Set(choices.filter((choice) => !isNested(choice))),
    nested: choices.filter(isNested),
  };
  preparedChoices.set(choices, made);
  return made;
}
