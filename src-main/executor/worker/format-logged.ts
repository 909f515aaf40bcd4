// Formats values that author code logs as one text of bounded length. Getters, proxies and `toString` of such values may throw
// or return something else each time. So each property is read once, no method of the value is called, and the work is
// limited by the length of the text. A getter that never ends runs into the time limit of its attempt.

/** Maximum characters of one logged line. */
const longestLine = 8192;
const longestString = 4096;
const deepest = 4;
const maxEntries = 50;

/** The values with a space between them, texts as they are, other values much like JSON. Never throws. */
export function formatLogged(values: readonly unknown[]): string {
  const line = new Line();
  for (let at = 0; at < values.length && line.hasRoom; at += 1) {
    if (at > 0) line.write(' ');
    const value = values[at];
    if (typeof value === 'string') line.write(value);
    else writeValue(line, value, 0);
  }
  return line.text;
}

class Line {
  #text = '';
  #left = longestLine;

  get hasRoom(): boolean {
    return this.#left > 0;
  }

  get text(): string {
    return this.#left > 0 ? this.#text : `${this.#text}…`;
  }

  write(text: string): void {
    // Copied, since a slice would keep the whole text in memory.
    const piece = text.length > this.#left ? text.slice(0, this.#left) : text;
    this.#text += piece;
    this.#left -= Math.max(piece.length, 1);
  }
}

function writeValue(line: Line, value: unknown, depth: number): void {
  try {
    if (typeof value === 'object' && value !== null) writeObject(line, value, depth);
    else line.write(plainText(value));
  } catch {
    // A getter or trap of the value threw, or the stack is full.
    line.write('[cannot be shown]');
  }
}

function plainText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > longestString ? `${value.slice(0, longestString)}…` : value);
    case 'function':
      return '[function]';
    case 'symbol':
      return value.toString().slice(0, longestString);
    case 'bigint':
      // Writing the digits of a very large number would take seconds.
      return value < largest && value > -largest ? `${value}n` : '[large BigInt]';
    default:
      return Object.is(value, -0) ? '-0' : String(value);
  }
}

const largest = 2n ** 1024n;

function writeObject(line: Line, value: object, depth: number): void {
  if (Array.isArray(value)) return writeList(line, value, depth);
  const named = builtinText(value);
  if (named !== undefined) return line.write(named);
  if (depth >= deepest) return line.write('{…}');
  const keys = Object.keys(value);
  line.write('{');
  for (let at = 0; at < keys.length && line.hasRoom; at += 1) {
    if (at > 0) line.write(',');
    if (at === maxEntries) {
      line.write(`… ${keys.length - at} more`);
      break;
    }
    const key = keys[at] ?? '';
    line.write(`${plainText(key)}:`);
    writeValue(line, (value as Record<string, unknown>)[key], depth + 1);
  }
  line.write('}');
}

function writeList(line: Line, value: readonly unknown[], depth: number): void {
  if (depth >= deepest) return line.write('[…]');
  const { length } = value;
  line.write('[');
  for (let at = 0; at < length && line.hasRoom; at += 1) {
    if (at > 0) line.write(',');
    if (at === maxEntries) {
      line.write(`… ${length - at} more`);
      break;
    }
    writeValue(line, value[at], depth + 1);
  }
  line.write(']');
}

/** The text of builtins whose own properties say little; undefined for all other values. */
function builtinText(value: object): string | undefined {
  if (value instanceof Error) return `${textOf(value.name)}: ${textOf(value.message)}`;
  if (value instanceof Promise) return '[promise]';
  if (value instanceof Date) return JSON.stringify(Date.prototype.toISOString.call(value));
  if (value instanceof RegExp) return '[regular expression]';
  if (value instanceof Map) return `[map of ${sizeOf(mapSize, value)}]`;
  if (value instanceof Set) return `[set of ${sizeOf(setSize, value)}]`;
  return undefined;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, longestString) : `[${typeof value}]`;

// Read before any author code runs, since a value may have a `size` of its own.
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size');
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size');

const sizeOf = (property: PropertyDescriptor | undefined, of: object): string =>
  String(property?.get?.call(of));
