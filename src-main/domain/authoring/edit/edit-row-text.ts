// Edits the text of a file of rows (JSON, NDJSON, CSV, TSV) as its rows changed: rows and cells that stay keep their bytes.
// Who calls: the grid of test rows in the editor.
//
// INVARIANT: an edited text is read again. It has the new rows, or the edit is refused.
import { isSameJson, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { csvCell, csvHeaderCell, csvLine, type CsvDelimiter } from '../../rows/export/csv-line.ts';
import { unguardFormulas } from '../../rows/export/formula-guard.ts';
import type { CellType } from '../../rows/typed-cell.ts';
import { createRowReader } from '../../rows/files/create-row-reader.ts';
import { rowFormatOfName, type RowFormat } from '../../rows/files/row-format.ts';

/** A file of rows. Its name says the format; the types of the fields are those of the cells of CSV and TSV. */
type RowFile = {
  readonly name: string;
  readonly text: string;
  readonly fields: readonly { readonly name: string; readonly type: CellType }[];
};

type Rows = readonly JsonObject[];
type Edit = {
  readonly text: string;
  readonly before: Rows;
  readonly after: Rows;
  /** Names of the columns of a table; none in JSON. */
  readonly columns: readonly string[];
  readonly newColumns: readonly string[];
};
type Span = { readonly from: number; readonly to: number };

/** Rows in a text, and how others are written there. */
type WrittenRows = {
  readonly spans: readonly Span[];
  /** Text around the rows. */
  readonly head: string;
  readonly tail: string;
  /** Stands between two rows where the text has no two. */
  readonly separator: string;
  /** @param old index of the row that is replaced */
  readonly write: (row: JsonObject, old?: number) => string;
  /** True if rows that stay are written, too. */
  readonly isNewForm?: boolean;
};

/** All rows of the file, and the columns of a table in order. Throws `invalid_input` that names the place of a fault. */
export function readRowFile(file: RowFile): { readonly rows: Rows; readonly columns?: readonly string[] } {
  const { rows, columns } = readRows(file);
  return isTable(file) ? { rows, columns } : { rows };
}

/** The rows, and of a table the names of its columns and the delimiter between its cells. */
function readRows({ name, text, fields }: RowFile) {
  const types = new Map(fields.map((field) => [field.name, field.type]));
  const reader = createRowReader(formatOf(name), types);
  const bare = text.replace(/^\ufeff/, '');
  const lines = [...reader.push(bare), ...reader.end()];
  const { readAs, columns = [] } = reader.report();
  const rows = lines.map((line) => JSON.parse(line) as JsonObject);
  const delimiter = delimiters.find((each) => each === readAs.delimiter);
  const named = delimiter ? namesIn(bare, delimiter).filter(isNamed) : [];
  const isWhole = new Set(named).size === named.length && namesOf(rows).every((each) => named.includes(each));
  return { rows, columns: isWhole ? named : columns, delimiter };
}

const formatOf = (name: string): RowFormat => rowFormatOfName(name) ?? 'json';
const isTable = ({ name }: Pick<RowFile, 'name'>): boolean => /^[ct]sv$/.test(formatOf(name));

/**
 * The text of the file with other rows; undefined if it cannot hold them. Throws `invalid_input` if it cannot be read.
 * @param names columns of the grid, in the order that a table gets; fields without a value get no column
 */
export function editRowText(file: RowFile, rows: Rows, names: readonly string[]): string | undefined {
  const { rows: before, columns, delimiter } = readRows(file);
  const after = alignRows(before, rows);
  const newColumns = isTable(file)
    ? columnsFor(file, new Set([...columns, ...namesOf(after)]), names)
    : columns;
  const hasOldRows = before.length === after.length && after.every((row, index) => row === before[index]);
  if (hasOldRows && isSameJson(columns, newColumns)) return file.text;
  const mark = file.text.startsWith('\ufeff') ? '\ufeff' : '';
  const edit = { text: file.text.slice(mark.length), before, after, columns, newColumns };
  const text = editedText(file.name, edit, delimiter);
  return text !== undefined && hasRows({ ...file, text }, edit) ? mark + text : undefined;
}

/** The names without those of fields that are not needed. */
function columnsFor(
  { fields }: RowFile,
  needed: ReadonlySet<string>,
  names: readonly string[],
): readonly string[] {
  const isOptional = (name: string): boolean =>
    fields.some((field) => field.name === name) && !needed.has(name);
  return names.filter((name) => !isOptional(name));
}

/** Rows that did not change are those of `before`; the fields of the others have the order that they had. */
export function alignRows(before: Rows, after: Rows): Rows {
  const shift = before.length - after.length;
  return after.map((row, index) => {
    const olds = [before[index], before[index + shift]].filter((old) => old !== undefined);
    return olds.find((old) => isSameJson(old, inOrderOf(old, row))) ?? inOrderOf(olds[0] ?? {}, row);
  });
}

function inOrderOf(old: JsonObject, row: JsonObject): JsonObject {
  const names = Object.keys(old).filter((name) => Object.hasOwn(row, name));
  return Object.fromEntries(
    [...new Set([...names, ...Object.keys(row)])].map((name) => [name, valueOf(row, name)]),
  );
}

/** Null if the row does not have the field, which may have the name of a method that each object has. */
const valueOf = (row: JsonObject, name: string): JsonValue =>
  Object.hasOwn(row, name) ? (row[name] ?? null) : null;

function editedText(name: string, edit: Edit, delimiter: CsvDelimiter | undefined): string | undefined {
  const format = formatOf(name);
  if (format === 'ndjson') return edited(edit, linesIn(edit.text));
  if (format === 'json') return edited(edit, itemsIn(edit.text));
  return delimiter && editedTable(edit, delimiter);
}

const delimiters: readonly CsvDelimiter[] = [',', ';', '\t', '|'];

const isSameCell = (one: JsonValue, other: JsonValue): boolean => csvCell(one) === csvCell(other);

/**
 * True if the file has the rows and columns of the edit. In a table, null and no value are an empty cell, and any value in a
 * column of text is the text of its cell.
 */
function hasRows(file: RowFile, { after, newColumns }: Edit): boolean {
  const isSame = (one: JsonObject, other: JsonObject = {}): boolean =>
    isTable(file)
      ? Object.keys({ ...one, ...other }).every((name) =>
          isSameCell(valueOf(one, name), valueOf(other, name)),
        )
      : isSameJson(one, other);
  try {
    const { rows, columns = newColumns } = readRowFile(file);
    return (
      rows.length === after.length &&
      after.every((row, index) => isSame(row, rows[index])) &&
      isSameJson(columns, newColumns)
    );
  } catch {
    return false;
  }
}

/** The text with the rows `after`; undefined if its rows are not in their usual form. */
function edited(edit: Edit, written: WrittenRows): string | undefined {
  const { text, before, after } = edit;
  const { spans } = written;
  const [first] = spans;
  if (spans.length !== before.length) return undefined;
  const head = first === undefined ? written.head : text.slice(0, first.from);
  const tail = first === undefined ? written.tail : text.slice(spans.at(-1)?.to);
  return after.length === 0
    ? head.replace(/[\r\n]\s*$/, '') + tail
    : head + piecesOf(edit, written).join('') + tail;
}

/** The text of each row, with what stands between it and the row before it. */
function piecesOf(
  { text, before, after }: Edit,
  { spans, separator, write, isNewForm = false }: WrittenRows,
): readonly string[] {
  const [first, second] = spans;
  const usual = first && second ? text.slice(first.to, second.from) : separator;
  const olds = oldIndexes(before, after);
  return after.map((row, index) => {
    const old = olds[index] ?? -1;
    const [last, span] = [spans[old - 1], spans[old]];
    const between = last && olds[index - 1] === old - 1 ? text.slice(last.to, span?.from) : usual;
    const own =
      span && row === before[old] && !isNewForm ? text.slice(span.from, span.to) : write(row, span && old);
    return index === 0 ? own : between + own;
  });
}

/** For each row, the index of the one that it was, or that it replaces; undefined for an additional row. */
function oldIndexes(before: Rows, after: Rows): readonly (number | undefined)[] {
  const length = Math.min(before.length, after.length);
  let start = 0;
  while (start < length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.map((_, index) => {
    if (index >= after.length - end) return index - after.length + before.length;
    return index < before.length - end ? index : undefined;
  });
}

const lineEndOf = (text: string): string => /\r\n?|\n/.exec(text)?.[0] ?? '\n';

/** Rows that are lines; where there are none, they stand at the end of the text. */
function atEnd(text: string): Pick<WrittenRows, 'head' | 'tail' | 'separator'> {
  const lineEnd = lineEndOf(text);
  const head = text.trim() === '' ? '' : text.replace(/[^\r\n]$/, `$&${lineEnd}`);
  return { head, tail: lineEnd, separator: lineEnd };
}

function linesIn(text: string): WrittenRows {
  const spans = [...text.matchAll(/[^\r\n]*\S[^\r\n]*/g)].map(({ index, 0: line }) => ({
    from: index,
    to: index + line.length,
  }));
  return { ...atEnd(text), spans, write: jsonWriter(text, spans) };
}

/** Items of the list that is the text. */
function itemsIn(text: string): WrittenRows {
  const spans: Span[] = [];
  let depth = 0;
  let from = 0;
  for (const { index, 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '{' || token === '[') {
      if (depth === 1) from = index;
      depth += 1;
    } else if (token === '}' || token === ']') {
      depth -= 1;
      if (depth === 1) spans.push({ from, to: index + 1 });
    }
  }
  const lineEnd = lineEndOf(text);
  const at = text.indexOf('[') + 1;
  return {
    spans,
    head: `${text.slice(0, at)}${lineEnd}  `,
    tail: lineEnd + text.slice(at).trimStart(),
    separator: `,${lineEnd}  `,
    write: jsonWriter(text, spans),
  };
}

/** Writes a row like the one that it replaces, or else like the first one: on several lines, with blanks or without. */
function jsonWriter(text: string, spans: readonly Span[]): WrittenRows['write'] {
  return (row, old = 0) => {
    const { from, to } = spans[old] ?? { from: 0, to: 0 };
    const like = text.slice(from, to);
    const [, inner] = /^\{\s*\n([^\S\r\n]*)/.exec(like) ?? [];
    if (inner !== undefined) {
      const indent = /\n([^\S\r\n]*)\}$/.exec(like)?.[1] ?? '';
      return JSON.stringify(row, null, inner.slice(indent.length) || 2).replaceAll(
        '\n',
        lineEndOf(text) + indent,
      );
    }
    return like === '' || /^\{\s/.test(like)
      ? JSON.stringify(row, null, 1).replaceAll(/\n */g, ' ')
      : JSON.stringify(row);
  };
}

type Cell = Span & { readonly value: string };

type Column = {
  readonly name: string;
  /** Its name and its place in the text; undefined for an additional column. */
  readonly old?: { readonly name: string; readonly at: number };
};

function editedTable(edit: Edit, delimiter: CsvDelimiter): string | undefined {
  const { text, before } = edit;
  const [header = [], ...records] = recordsIn(text, delimiter);
  const names = namesIn(text, delimiter);
  if (records.length !== before.length || !isSameJson(names.filter(isNamed), edit.columns)) return undefined;
  const columns = columnsIn(names, edit);
  const textOf = ({ from, to }: Span): string => text.slice(from, to);
  const head = columns.map(({ name, old }) => {
    // The name of a single column may need quotes.
    const isAlike = old?.name === name && (columns.length > 1 || names.length === 1);
    const cell = isAlike ? header[old.at] : undefined;
    return cell === undefined ? csvHeaderCell(name, columns.length) : textOf(cell);
  });
  const span = spanOf(header, text.length);
  const headed = text.slice(0, span.from) + head.join(delimiter) + text.slice(span.to);
  const shift = headed.length - text.length;
  const spans = records.map((cells) => {
    const { from, to } = spanOf(cells, 0);
    return { from: from + shift, to: to + shift };
  });
  const write = (row: JsonObject, index = -1): string => {
    const [record = [], was = {}] = [records[index], before[index]];
    const cells = columns.map(({ name, old }) => {
      const [cell, last, value] = [
        record[old?.at ?? -1],
        valueOf(was, old?.name ?? name),
        valueOf(row, name),
      ];
      // A renamed column may have another type: only text reads alike in it.
      const isAlike = isSameCell(last, value) && (old?.name === name || typeof last === 'string');
      return cell && isAlike ? textOf(cell) : csvCell(value);
    });
    const values = columns.map(({ name }) => valueOf(row, name));
    // Readers leave out a record without values, and one equal to the header, unless it has quotes.
    const title = columns.map(({ name }) => name);
    const needsQuotes = cells.every((cell) => cell.trim() === '') || isSameJson(values, title);
    return needsQuotes
      ? csvLine(values, delimiter, title).slice(0, -1)
      : [...cells, ...record.slice(header.length).map(textOf)].join(delimiter);
  };
  const isNewForm =
    columns.length !== names.length ||
    columns.some(({ name, old }, at) => name !== names[at] || old?.at !== at);
  return edited({ ...edit, text: headed }, { ...atEnd(headed), spans, write, isNewForm });
}

const isNamed = (name: string): boolean => name !== '';

/** The names in the header of a table. */
function namesIn(text: string, delimiter: CsvDelimiter): readonly string[] {
  const [header = []] = recordsIn(text, delimiter);
  return header.map(({ value }) => unguardFormulas(value));
}

/** The columns with their old places: one that is renamed is in its own, and those without a name stay behind the others. */
function columnsIn(names: readonly string[], { columns, newColumns }: Edit): readonly Column[] {
  const olds = names.map((name, at) => ({ name, at }));
  if (isSameJson(columns, newColumns)) return olds.map((old) => ({ name: old.name, old }));
  const named = olds.filter(({ name }) => isNamed(name));
  const renamed = named.map((old) => (newColumns.includes(old.name) ? undefined : old));
  const nameless = olds.filter(({ name }) => !isNamed(name));
  return [
    ...newColumns.map((name, index) => {
      const old = named.find((each) => each.name === name) ?? renamed[index];
      return old === undefined ? { name } : { name, old };
    }),
    ...nameless.map((old) => ({ name: old.name, old })),
  ];
}

const spanOf = (cells: readonly Cell[], none: number): Span => ({
  from: cells[0]?.from ?? none,
  to: cells.at(-1)?.to ?? none,
});

const namesOf = (rows: Rows): readonly string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** The cells of each record that is not empty. A line in front may name the delimiter. */
function* recordsIn(text: string, delimiter: CsvDelimiter): Generator<readonly Cell[]> {
  const start = /^sep=[^\r\n](?:\r\n?|\n|$)/i.exec(text)?.[0].length ?? 0;
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\\r\\n]*)([${delimiter}]|\\r\\n?|\\n|$)`, 'gy');
  let record: Cell[] = [];
  for (const { index, 1: raw = '', 2: end } of text.slice(start).matchAll(cell)) {
    const from = start + index;
    record.push({ from, to: from + raw.length, value: valueIn(raw) });
    if (end === delimiter) continue;
    if (record.some((each) => text.slice(each.from, each.to).trim() !== '')) yield record;
    record = [];
  }
}

const valueIn = (raw: string): string => /^"([^]*)"$/.exec(raw)?.[1]?.replaceAll('""', '"') ?? raw.trim();
