// Says which output of a hosted service belongs to which row. Works on the bytes of the answer, since `JSON.parse` puts keys
// such as "10" in another order.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { JsonObjects } from '../rows/json-objects.ts';
import { parseExactJson, quoteInexactIntegers } from '../rows/exact-json.ts';
import { newline } from '../rows/line-bytes.ts';
import { decodeUtf8 } from './hosted-answers.ts';
import type { MatchKind } from './hosted-attempt.ts';
import type { MatchFields } from './hosted-connection.ts';

const [space, carriageReturn, tab] = [0x20, 0x0d, 0x09];
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The outputs of an answer in the order in which they stand there, each as one line without its end; undefined if the answer
 * is not a successful one of the interface. Numbers stay as they are written, but for integers that no double holds.
 */
export function* readEntries(answer: Uint8Array): Generator<undefined, readonly string[] | undefined> {
  const data = dataOf(onOneLine(answer));
  if (data === undefined) return undefined;
  const { bytes } = data;
  const objects = new JsonObjects(bytes);
  const entries: string[] = [];
  let at = skipBlanks(bytes, data.from + 1);
  if (bytes[at] === closeObject) return entries;
  for (;;) {
    const value = skipBlanks(bytes, afterColon(bytes, at));
    const end = objects.endOf(value);
    if (end < 0) return undefined;
    entries.push(quoteInexactIntegers(decodeUtf8(bytes.subarray(value, end))));
    yield undefined;
    const next = skipBlanks(bytes, end);
    if (bytes[next] === closeObject) return entries;
    if (bytes[next] !== comma) return undefined;
    at = skipBlanks(bytes, next + 1);
  }
}

/** Line breaks between values become blanks: inside a text, JSON has none. */
function onOneLine(answer: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(answer);
  for (let at = 0; at < bytes.length; at += 1)
    if (bytes[at] === newline || bytes[at] === carriageReturn) bytes[at] = space;
  return bytes;
}

/** Where the member `data` of the answer begins; undefined if the answer is no object, or not a success. */
function dataOf(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly from: number } | undefined {
  // A byte order mark that a proxy left.
  const start = skipBlanks(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (new JsonObjects(bytes).endOf(start) < 0) return undefined;
  let from: number | undefined;
  let at = skipBlanks(bytes, start + 1);
  while (bytes[at] === quote) {
    const name = textAt(bytes, at);
    const value = skipBlanks(bytes, afterColon(bytes, at));
    const end = endOfValue(bytes, value);
    if (name === 'success' && decodeUtf8(bytes.subarray(value, end)).trim() === 'false') return undefined;
    if (name === 'data' && bytes[value] === openObject) from = value;
    at = skipBlanks(bytes, skipBlanks(bytes, end) + 1);
  }
  return from === undefined ? undefined : { bytes, from };
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === space || bytes[at] === tab) at += 1;
  return at;
}

/** Behind the text that begins at `from`. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at + 1;
}

const textAt = (bytes: Uint8Array, from: number): unknown =>
  JSON.parse(decodeUtf8(bytes.subarray(from, endOfText(bytes, from))));

/** Behind the colon of the member whose name begins at `from`; the bytes are valid JSON. */
function afterColon(bytes: Uint8Array, from: number): number {
  const at = skipBlanks(bytes, endOfText(bytes, from));
  return bytes[at] === colon ? at + 1 : at;
}

/** Behind the value that begins at `from`, in valid JSON. */
function endOfValue(bytes: Uint8Array, from: number): number {
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfText(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (depth === 0 && (byte === comma || byte === closeObject)) return at;
    if (byte === openObject || byte === openList) depth += 1;
    if (byte === closeObject || byte === closeList) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return at;
}

export type Alignment = {
  readonly by: MatchKind;
  readonly fields?: MatchFields;
  /** Index of each row's entry; undefined: it has none. */
  readonly entryOf: readonly (number | undefined)[];
};

/**
 * Finds the entry of each row. A field is named by the user, or has the same name in rows and outputs; its values must
 * tell all rows apart, and each entry must have the value of one row. Without such a field the order decides if there are
 * as many entries as rows, which nothing proves.
 * @param rows lines of JSON @param entries as `readEntries` returns them
 */
export function* alignOutputs(
  rows: readonly string[],
  entries: readonly string[],
  named?: MatchFields,
): Generator<undefined, Alignment> {
  if (rows.length === 1 && entries.length <= 1)
    return { by: 'one', entryOf: [entries.length === 1 ? 0 : undefined] };
  const candidates = named === undefined ? sameNamed(rows[0], entries[0]) : [named];
  const found: Alignment[] = [];
  for (const fields of candidates) {
    const entryOf = yield* byField(rows, entries, fields);
    if (entryOf !== undefined) found.push({ by: 'field', fields, entryOf });
  }
  const [first, ...others] = found;
  const agree = others.every((other) => other.entryOf.every((entry, row) => entry === first?.entryOf[row]));
  if (first !== undefined && agree) return first;
  const isOrdered = named === undefined && rows.length === entries.length;
  return {
    by: isOrdered ? 'order' : 'none',
    entryOf: rows.map((_, index) => (isOrdered ? index : undefined)),
  };
}

/** Fields of a row and an output that have the same name and a value that can tell rows apart. */
function sameNamed(row: string | undefined, entry: string | undefined): readonly MatchFields[] {
  if (row === undefined || entry === undefined) return [];
  const outputs = fieldsOf(entry);
  return Object.keys(fieldsOf(row))
    .filter((name) => Object.hasOwn(outputs, name) && valueKey(outputs[name]) !== undefined)
    .map((name) => ({ output: name, input: name }));
}

function* byField(
  rows: readonly string[],
  entries: readonly string[],
  { output, input }: MatchFields,
): Generator<undefined, Alignment['entryOf'] | undefined> {
  const rowOf = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const key = valueKey(fieldOf(row, input));
    if (key === undefined || rowOf.has(key)) return undefined;
    rowOf.set(key, index);
    yield undefined;
  }
  const entryOf = new Array<number | undefined>(rows.length).fill(undefined);
  for (const [index, entry] of entries.entries()) {
    const key = valueKey(fieldOf(entry, output));
    const row = key === undefined ? undefined : rowOf.get(key);
    if (row === undefined || entryOf[row] !== undefined) return undefined;
    entryOf[row] = index;
    yield undefined;
  }
  return entryOf;
}

const fieldOf = (line: string, name: string): JsonValue | undefined => {
  const fields = fieldsOf(line);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
};

const fieldsOf = (line: string): { readonly [name: string]: JsonValue } => {
  const value = parseExactJson(line);
  return isJsonObject(value) ? value : {};
};

/** Texts and numbers only: others tell no rows apart. The number 1 and the text "1" differ. */
const valueKey = (value: JsonValue | undefined): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? JSON.stringify(value)
    : undefined;
