// The records of a table by one of their fields. Records stay JSON text until they are found: as text they take a
// fraction of the memory, and most are never asked for.
import { NodeError } from './node-error.ts';
import { freezeParsed } from './plain-value.ts';

export class RecordIndex {
  readonly #lines: readonly string[];
  /** Key to line; the first of several. */
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

  /** The record, frozen; null where none has the key. */
  find(key: string): unknown {
    const lineIndex = this.#lineNumbers.get(key);
    return lineIndex === undefined ? null : freezeParsed(JSON.parse(this.#lines[lineIndex] ?? 'null'));
  }
}

/** How a key is compared; undefined for what matches nothing. Throws NodeError for what is no key. */
export function lookupKey(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null)
    throw new NodeError(`"match" is ${Array.isArray(value) ? 'a list' : 'an object'}, not text or a number`);
  return keyText(value);
}

/** Text to the letter: "05" is another key than 5, as it is for postal codes and article numbers. */
function keyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
