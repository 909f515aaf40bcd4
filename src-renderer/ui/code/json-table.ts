// Lists of objects as tables, and values as texts of fields. Pure.

/** A list of objects. */
export type JsonTable = {
  readonly columns: readonly string[];
  /** Columns beyond those. */
  readonly columnsLeftOut: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
};

/** Rows that a table shows at first, and that each press shows more. */
export const tableRowsAtOnce = 20;
const maxColumns = 12;
/** Characters of a value in a cell. */
const maxCellCharacters = 80;

/** The list as a table; undefined if it has an entry that is no object, or none. */
export function tableOf(value: unknown): JsonTable | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRow)) return undefined;
  const names = new Set(value.flatMap((row) => Object.keys(row)));
  const columns = [...names].slice(0, maxColumns);
  return columns.length === 0
    ? undefined
    : { columns, columnsLeftOut: names.size - columns.length, rows: value };
}

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string without quotes, unless it could be taken for another value or has blanks at an end. */
export const unquotedText = (value: string): string =>
  /^(?:|["[{][^]*|true|false|null|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\s[^]*|[^]*\s)$/i.test(value)
    ? JSON.stringify(value)
    : value;

/** A value in one cell; long ones are cut. */
export function tableCellText(value: unknown): string {
  const text = typeof value === 'string' ? unquotedText(value) : JSON.stringify(value);
  return text.length > maxCellCharacters ? `${text.slice(0, maxCellCharacters)}…` : text;
}
