import type { JsonValue } from '../../base/json-value.ts';
import type { PathStep } from './file-problem.ts';

/** The value at a path; undefined where the path leads nowhere. */
export const valueAt = (value: JsonValue | undefined, path: readonly PathStep[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as { readonly [key: string]: JsonValue })[step]
        : undefined,
    value,
  );

/** The list at a path; empty for any other value. */
export function listIn(value: JsonValue | undefined, path: readonly PathStep[]): readonly JsonValue[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}
