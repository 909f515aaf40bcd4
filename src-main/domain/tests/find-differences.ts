// Where two JSON values differ, down to the fields that a person has to look at.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import type { PathStep } from '../workflow/file-problem.ts';

export type ValueDifference = {
  readonly path: readonly PathStep[];
  /** Absent: nothing is expected there. */
  readonly expected?: JsonValue;
  /** Absent: nothing is there. */
  readonly actual?: JsonValue;
};

/**
 * All differences, in the order of the expected value. The order of an object's keys does not matter.
 * @param contains whether objects may have more keys than expected
 */
export function findDifferences(
  expected: JsonValue,
  actual: JsonValue,
  contains: boolean,
): ValueDifference[] {
  if (isJsonObject(expected) && isJsonObject(actual)) return ofObjects(expected, actual, contains);
  if (isList(expected) && isList(actual)) return ofLists(expected, actual, contains);
  return expected === actual ? [] : [{ path: [], expected, actual }];
}

/** True if both values are equal. The order of an object's keys does not matter. */
export const isSameValue = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  one === other || (isNested(one) && isNested(other) && findDifferences(one, other, false).length === 0);

const isNested = (value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] =>
  typeof value === 'object' && value !== null;

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

function ofObjects(expected: JsonObject, actual: JsonObject, contains: boolean): ValueDifference[] {
  const further = contains ? [] : Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  return [...Object.keys(expected), ...further].flatMap((key) =>
    ofEntries(key, [own(expected, key), own(actual, key)], contains),
  );
}

const own = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

function ofLists(
  expected: readonly JsonValue[],
  actual: readonly JsonValue[],
  contains: boolean,
): ValueDifference[] {
  const length = Math.max(expected.length, actual.length);
  return Array.from({ length }, (_, index) =>
    ofEntries(index, [expected[index], actual[index]], contains),
  ).flat();
}

function ofEntries(
  step: PathStep,
  [expected, actual]: readonly [JsonValue | undefined, JsonValue | undefined],
  contains: boolean,
): ValueDifference[] {
  if (expected === undefined) return actual === undefined ? [] : [{ path: [step], actual }];
  if (actual === undefined) return [{ path: [step], expected }];
  return findDifferences(expected, actual, contains).map((difference) => ({
    ...difference,
    path: [step, ...difference.path],
  }));
}
