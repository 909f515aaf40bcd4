// Rows of a pasted text, for a preview.
import { createRowReader, sniffRowFormat, type InputFieldView, type JsonObject } from '#contract';

/** As many as a preview can have. */
export const maxPastedRows = 20;

/**
 * Reads JSON, or a table with a header line. Cells have the types of the fields.
 * Throws an error with a message for the user.
 */
export function pastedRows(text: string, fields: readonly InputFieldView[]): readonly JsonObject[] {
  const types = new Map(
    fields.flatMap(({ name, type }) => (type === undefined ? [] : [[name, type] as const])),
  );
  const reader = createRowReader(sniffRowFormat(text), types);
  const lines = [...reader.push(text), ...reader.end()];
  if (lines.length === 0) throw new Error('Paste at least one row.');
  return lines.slice(0, maxPastedRows).map((line) => JSON.parse(line) as JsonObject);
}
