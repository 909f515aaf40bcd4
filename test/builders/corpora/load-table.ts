// A text file as a table of cells, as Rowbench and another reader load it.
import Papa from 'papaparse';
import { RowsOfBytes } from '../../../src-main/domain/rows/files/rows-of-bytes.ts';
import type { ReadOptions } from '../../../src-main/domain/rows/files/read-options.ts';
import type { ReadRemark } from '../../../src-main/domain/rows/files/read-remarks.ts';

export type Cells = readonly (readonly string[])[];

export type LoadedTable = {
  /** The header, if there is one, and the rows; undefined if the file is refused. */
  readonly cells: Cells | undefined;
  readonly hasHeader: boolean;
  readonly remarks: readonly ReadRemark[];
  /** The message of a refusal. */
  readonly error?: string;
  /** Processor time. */
  readonly ms: number;
};

/** Bytes that a reader gets at once. */
const pieceBytes = 65_536;

/** The rows of a file as lines of JSON, or the error; in any case the report and the processor time. */
export async function readLines(bytes: Uint8Array, read: ReadOptions = {}) {
  const started = process.cpuUsage();
  const reader = new RowsOfBytes({ fileName: 'rows.csv', types: new Map(), read });
  const lines: (readonly string[])[] = [];
  let error: string | undefined;
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      lines.push(await reader.push(bytes.subarray(at, at + pieceBytes)));
    lines.push(await reader.end());
  } catch (problem) {
    error = problem instanceof Error ? problem.message : String(problem);
  }
  const { user, system } = process.cpuUsage(started);
  return { lines: lines.flat(), error, report: reader.report(), ms: (user + system) / 1000 };
}

export async function loadTable(bytes: Uint8Array, read: ReadOptions = {}): Promise<LoadedTable> {
  const { lines, error, report, ms } = await readLines(bytes, read);
  const { columns = [], readAs, remarks } = report;
  // A table without rows is refused as such only once it is read.
  if (error !== undefined) {
    const cells = error.startsWith('there are no rows') ? [columns] : undefined;
    return { cells, hasHeader: columns.length > 0, remarks, error, ms };
  }
  const hasHeader = readAs.header !== 'none';
  const rows = lines.map((line) => cellsOf(line, columns));
  return { cells: hasHeader ? [namesIn(columns), ...rows] : rows, hasHeader, remarks, ms };
}

/** The cells of a row up to its last field: columns of longer rows are no part of it. */
function cellsOf(line: string, columns: readonly string[]): readonly string[] {
  const row = JSON.parse(line) as Record<string, string>;
  const cells = columns.map((name) => (Object.hasOwn(row, name) ? (row[name] ?? '') : undefined));
  return cells.slice(0, cells.findLastIndex((cell) => cell !== undefined) + 1).map((cell) => cell ?? '');
}

/** The names that the file has itself: columns without one are numbered by the reader. */
function namesIn(columns: readonly string[]): readonly string[] {
  const names = columns.map((name) => (/^column \d+$/.test(name) ? '' : name.replace(/ \(\d+\)$/, '')));
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

/** The same text by papaparse, which guesses the delimiter and reports no header. */
export function loadByPapaparse(bytes: Uint8Array): Cells {
  const text = new TextDecoder('utf-8').decode(bytes);
  return Papa.parse<string[]>(text, { skipEmptyLines: true }).data;
}
