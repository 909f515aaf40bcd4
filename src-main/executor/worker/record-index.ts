// Finds the records of a table by one of their fields. Records stay JSON text until they are found: text takes a fraction of
// the memory, and most records are never needed.
import { NodeError } from './node-error.ts';
import { freezeParsed } from './plain-value.ts';

export class RecordIndex {
  readonly #lines: readonly string[];
  /** Line index by key; the first one for a repeated key. */
  readonly #lineNumbers = new Map<string, number>();

  /** @param lines one record a line, as JSON */
  constructor(lines: string, field: string) {
    this.#lines = lines === '' ? [] : lines.split('\n');
    this.#lines.forEach((line, lineIndex) => {
      const record = JSON.parse(line) as Readonly<Record<string, unknown>>;
      const key = Object.hasOwn(record, field) ? keyText(record[field]) : undefined;
      if (key !== undefined && !this.#lineNumbers.has(key)) this.#lineNumbers.set(key, lineIndex);
    });
  }

  /** The record with this key, frozen; null if there is none. */
  find(key: string): unknown {
    const lineIndex = this.#lineNumbers.get(key);
    return lineIndex === undefined ? null : freezeParsed(JSON.parse(this.#lines[lineIndex] ?? 'null'));
  }
}

/** The key for a value of `match`; undefined for null and missing values. Throws NodeError for lists and objects. */
export function lookupKey(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null)
    throw new NodeError(`"match" is ${Array.isArray(value) ? 'a list' : 'an object'}, not text or a number`);
  return keyText(value);
}

/** The exact text of a value: "05" and 5 are different keys, as postal codes and article numbers need it. */
function keyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
