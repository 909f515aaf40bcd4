// Types for rows whose values are all text, such as those of CSV files.
import type { JsonObject, JsonValue } from '../../../base/json-value.ts';

/** Numbers as a person writes them; `007` and `1e5` stay text. */
const numberPattern = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/;

/** The rows with numbers and booleans in columns that have nothing else; empty cells of those become null. */
export function withCellTypes(rows: readonly JsonObject[]): readonly JsonObject[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const readers = new Map<string, (text: string) => JsonValue>();
  for (const name of names) {
    const texts = rows.map((row) => row[name]).filter((value) => value !== undefined && value !== '');
    const are = (pattern: RegExp): boolean =>
      texts.length > 0 && texts.every((text) => typeof text === 'string' && pattern.test(text));
    if (are(numberPattern)) readers.set(name, Number);
    else if (are(/^(?:true|false)$/)) readers.set(name, (text) => text === 'true');
  }
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const read = typeof value === 'string' ? readers.get(name) : undefined;
        if (read === undefined || typeof value !== 'string') return [name, value ?? null];
        return [name, value === '' ? null : read(value)];
      }),
    ),
  );
}
