// Reverts a change, except for entries that were edited since.

type Change = {
  /** Undefined if there was no value. */
  readonly before: unknown;
  readonly after: unknown;
};

/** The value `now` without the change. Records are reverted entry by entry; entries edited since stay. */
export function revertChange(now: unknown, { before, after }: Change): unknown {
  if (isSame(now, after)) return before;
  if (!isRecord(now) || !isRecord(after) || !isRecord(before)) return now;
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const entries = [...names].map((name) => [
    name,
    revertChange(entryOf(now, name), { before: entryOf(before, name), after: entryOf(after, name) }),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown;
}

/** True if two values of settings are equal: texts, numbers, lists or records. */
export function isSame(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return JSON.stringify(one) === JSON.stringify(other);
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads own properties only: a workflow may be named like a property of every object, such as `toString`. */
const entryOf = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;
