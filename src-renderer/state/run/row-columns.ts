// The columns of a table of rows, derived from the fields of its first rows.
import type { FieldPreview } from '#contract';

type RowColumn = {
  readonly name: string;
  readonly kind: FieldPreview['kind'];
  readonly width: number;
};

type Fields = { readonly fields: readonly FieldPreview[] };

/** Width of one letter, and the padding of a cell, in pixels. */
const letterWidth = 7.3;
const padding = 28;
const minWidth = 72;
const maxWidth = 320;
/** Further fields are shown only in the panel of a row. */
const maxColumns = 60;

/** Columns in the order of the rows' fields, as wide as their text within limits. */
export function columnsOf(rows: readonly Fields[]): readonly RowColumn[] {
  const columns = new Map<string, { kind: FieldPreview['kind']; letters: number }>();
  for (const { fields } of rows)
    for (const { name, kind, text } of fields) {
      const known = columns.get(name);
      if (known === undefined && columns.size >= maxColumns) continue;
      const letters = Math.max(known?.letters ?? name.length, text.length);
      columns.set(name, { kind: known === undefined || known.kind === 'null' ? kind : known.kind, letters });
    }
  return [...columns].map(([name, { kind, letters }]) => ({ name, kind, width: widthOf(letters) }));
}

const widthOf = (letters: number): number =>
  Math.round(Math.min(maxWidth, Math.max(minWidth, letters * letterWidth + padding)));
