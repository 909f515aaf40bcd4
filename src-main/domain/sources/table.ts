// A table of records, for lookups: read from the same forms as rows, and carried on as lines of JSON.
import { runSteps } from '../../base/run-steps.ts';
import { tableInvalid } from '../workflow-errors.ts';
import { createRowReader } from '../rows/files/create-row-reader.ts';
import type { ReadReport } from '../rows/files/read-remarks.ts';
import { rowFormatOfName } from '../rows/files/row-format.ts';

export type Table = {
  /** As the workflow's file names it. */
  readonly path: string;
  /** One record a line, as JSON; lines are separated, not ended, by newlines. */
  readonly lines: string;
};

/** Maximum bytes of one table's text. Tables that users keep beside a workflow are far smaller. */
export const maxTableBytes = 10_000_000;

/** Maximum bytes of the texts of all tables of a run: each row worker holds them as records, too. */
export const maxTablesBytes = 20_000_000;

/** Characters of one table's records: in CSV a short cell can stand under a long name, which each record repeats. */
const maxRecords = 60_000_000;
/** A table is read in pieces of so many characters, so that too many records are noticed soon. */
const pieceLength = 65_536;

/** Throws `invalid_input` that names the place of the fault. */
export const readTable = (path: string, text: string): Table => runSteps(readTableInSteps(path, text));

/** As `readTable`, in steps: a table of 10 MB takes seconds. @param onReport called once the table is read */
export function* readTableInSteps(
  path: string,
  text: string,
  onReport?: (report: ReadReport) => void,
): Generator<undefined, Table> {
  const format = rowFormatOfName(path);
  if (format === undefined) throw tableInvalid(path, 'its name does not say what form it has');
  const reader = createRowReader(format, new Map());
  const lines: string[] = [];
  let length = 0;
  const take = (records: readonly string[]): void => {
    for (const record of records) {
      lines.push(record);
      length += record.length + 1;
    }
    if (length > maxRecords)
      throw tableInvalid(
        path,
        `its records have more than ${maxRecords / 1e6} MB when each names its columns`,
      );
  };
  // A byte order mark is no part of the first column's name.
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at += pieceLength) {
    take(reader.push(text.slice(at, at + pieceLength)));
    yield;
  }
  take(reader.end());
  onReport?.(reader.report());
  return { path, lines: lines.join('\n') };
}

/** True if any record has the column. A table without records has every column. In steps: it may look at each record. */
export function* hasColumn({ lines }: Table, column: string): Generator<undefined, boolean> {
  if (lines === '') return true;
  for (let start = 0; start < lines.length;) {
    const found = lines.indexOf('\n', start);
    const end = found < 0 ? lines.length : found;
    if (Object.hasOwn(JSON.parse(lines.slice(start, end)) as object, column)) return true;
    start = end + 1;
    yield;
  }
  return false;
}
