// Functions on lists for author code. They return new lists; items are as they were.
import { countArgument, kindOf, listArgument, millisOfDate } from './arguments.ts';
import { rangeError, typeError } from '../bounded-builtins.ts';

type KeyOf = (item: unknown) => unknown;

export function groupBy(list: unknown, key: unknown): object {
  const keyOf = keyFunction('groupBy', key);
  const groups = new Map<string, unknown[]>();
  for (const item of listArgument('groupBy', list)) {
    const name = String(plainKey('groupBy', keyOf(item)));
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return Object.fromEntries(groups);
}

export function unique(list: unknown, key?: unknown): unknown[] {
  const keyOf = key === undefined ? (item: unknown) => item : keyFunction('unique', key);
  const seen = new Set<unknown>();
  return listArgument('unique', list).filter((item) => {
    const value = keyOf(item);
    const identity =
      typeof value === 'object' && value !== null ? `json ${JSON.stringify(value)}` : identityOf(value);
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}

/** Texts get a mark, so that none equals the JSON of an object. */
const identityOf = (value: unknown): unknown => (typeof value === 'string' ? `text ${value}` : value);

export function sortBy(list: unknown, key: unknown, order: unknown = 'ascending'): unknown[] {
  if (order !== 'ascending' && order !== 'descending')
    throw typeError("sortBy: the order is 'ascending' or 'descending'");
  const keyOf = keyFunction('sortBy', key);
  const keyed = listArgument('sortBy', list).map((item) => ({ item, value: sortKey(keyOf(item)) }));
  const sign = order === 'ascending' ? 1 : -1;
  keyed.sort((one, other) => {
    const [a, b] = [one.value, other.value];
    // Items without the key come last in both orders.
    if (a.rank === missing || b.rank === missing) return a.rank - b.rank;
    if (a.rank !== b.rank) return sign * (a.rank - b.rank);
    return a.key === b.key ? 0 : sign * (a.key < b.key ? -1 : 1);
  });
  return keyed.map(({ item }) => item);
}

const missing = 3;

function sortKey(value: unknown): { readonly rank: number; readonly key: number | bigint | string } {
  const key = plainKey('sortBy', value);
  if (key === null || key === undefined || Number.isNaN(key)) return { rank: missing, key: 0 };
  if (typeof key === 'boolean') return { rank: 0, key: Number(key) };
  return typeof key === 'string' ? { rank: 2, key } : { rank: 1, key };
}

export function chunk(list: unknown, size: unknown): unknown[][] {
  const items = listArgument('chunk', list);
  const length = countArgument('chunk', size, { min: 1, max: Number.MAX_SAFE_INTEGER });
  const chunks: unknown[][] = [];
  for (let from = 0; from < items.length; from += length) chunks.push(items.slice(from, from + length));
  return chunks;
}

function keyFunction(name: string, key: unknown): KeyOf {
  if (typeof key === 'function') return (item) => (key as KeyOf)(item);
  if (typeof key !== 'string')
    throw typeError(`${name} takes the name of a property or a function, and got ${kindOf(key)}`);
  return (item) =>
    typeof item === 'object' && item !== null && Object.hasOwn(item, key)
      ? (item as { readonly [key: string]: unknown })[key]
      : undefined;
}

type PlainKey = string | number | bigint | boolean | null | undefined;

function plainKey(name: string, value: unknown): PlainKey {
  const time = millisOfDate(value);
  if (time !== undefined) return isoText(name, time);
  if (typeof value === 'object' ? value === null : typeof value !== 'function' && typeof value !== 'symbol')
    return value as PlainKey;
  throw typeError(`${name}: the key of an item is ${kindOf(value)}; it must be a text, number or boolean`);
}

function isoText(name: string, time: number): string {
  if (Number.isNaN(time)) throw rangeError(`${name}: the key of an item is an invalid Date`);
  return new Date(time).toISOString();
}
