// Reads a file of rows in pieces, without blocking the page. All rows are counted and looked at; the page holds the first.
import {
  isWorkbook,
  RowsOfBytes,
  type JsonObject,
  type OpenedBytes,
  type ReadOptions,
  type ReadReport,
  type RowFormat,
} from '#contract';
import { ColumnCells } from '../column-cells.ts';
import { createYieldToMain } from '../yield-to-main.ts';
import { openFile } from './file-bytes.ts';
import { maxFirstLines, readFirstLines, shortLine } from './file-lines.ts';
import { readLines } from '../rows-text.ts';

export type RowsFile = {
  readonly name: string;
  /** The first rows, at most as many as a page holds. Cells of CSV and TSV are still texts. */
  readonly rows: readonly JsonObject[];
  /** Number of all rows. */
  readonly total: number;
  /** Names of the columns in the order of the file. */
  readonly columns: readonly string[];
  /** By column, what the cells of all rows look like; empty for JSON. */
  readonly cells: ReadonlyMap<string, ColumnCells>;
  readonly report: ReadReport;
  /** The first lines of the file, or rows of the sheet, as text. */
  readonly firstLines: readonly string[];
} & (
  | { readonly format: RowFormat }
  | {
      readonly format: 'xlsx';
      readonly sheets: readonly WorkbookSheet[];
      /** The sheet that was read. */
      readonly sheet: string;
    }
);

type WorkbookSheet = { readonly name: string; readonly isHidden: boolean };

/** The first line of the server's answer for a workbook. */
type WorkbookHead = {
  readonly sheets: readonly WorkbookSheet[];
  readonly sheet: string;
  readonly report: ReadReport;
  readonly firstRows: readonly (readonly string[])[];
};

/** The server's answer for a workbook: a line with its sheets, then a line for each row of one. */
export type LoadSheet = (
  file: Blob,
  options: ReadOptions,
  signal: AbortSignal | undefined,
) => Promise<ReadableStream<Uint8Array>>;

type RowsFileOptions = {
  /** Choices of the user; what is absent is decided from the file. */
  readonly options?: ReadOptions | undefined;
  /** Reads workbooks. */
  readonly readSheet?: LoadSheet | undefined;
  /** Maximum rows that are returned. */
  readonly maxRows: number;
  /** Called with the share that has been read, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
};

/** Bytes that are parsed before the page may draw. */
const pieceBytes = 65_536;

/** Throws an error that tells the user what is wrong with the rows and where. */
export async function readRowsFile(file: File, options: RowsFileOptions): Promise<RowsFile> {
  let bytes = 0;
  const opened = await openFile(file, (read) => (bytes += read));
  const share = (): number => bytes / Math.max(1, file.size);
  const { readSheet } = options;
  if (!isWorkbook(opened.head) || readSheet === undefined)
    return readText(file, { ...opened, share }, options);
  return readWorkbook(file, { ...options, readSheet });
}

/** A file that is being read, with the share that was read, 0 to 1. */
type OpenedFile = OpenedBytes & { readonly share: () => number };

async function readText(file: File, opened: OpenedFile, options: RowsFileOptions): Promise<RowsFile> {
  const { maxRows, signal, options: read = {} } = options;
  const { isPacked } = opened;
  const reader = new RowsOfBytes({ fileName: file.name, types: new Map(), read, isPacked });
  const rows = new RowCollector(maxRows);
  const yieldToMain = createYieldToMain(signal);
  for await (const piece of opened.bytes) {
    // A browser may hand over megabytes at once, which would block the page for a second.
    for (let at = 0; at < piece.length; at += pieceBytes) {
      rows.add(await reader.push(piece.subarray(at, at + pieceBytes)));
      await yieldToMain();
    }
    options.onProgress?.(opened.share());
  }
  rows.add(await reader.end());
  const { format = 'csv' } = reader;
  const isTable = isTableFormat(format);
  const firstLines = isTable ? await readFirstLines(file, maxFirstLines, read) : [];
  const report = reader.report();
  const content = rows.content(report.columns);
  return {
    name: file.name,
    format,
    report,
    firstLines,
    ...content,
    cells: isTable ? content.cells : noCells,
  };
}

const noCells: ReadonlyMap<string, ColumnCells> = new Map();

async function readWorkbook(
  file: File,
  { readSheet, options = {}, signal, maxRows }: RowsFileOptions & { readonly readSheet: LoadSheet },
): Promise<RowsFile> {
  const rows = new RowCollector(maxRows);
  let head: WorkbookHead | undefined;
  await readLines(await readSheet(file, options, signal), (line) => {
    if (head === undefined) head = line as WorkbookHead;
    else rows.addRow(line as JsonObject);
  });
  if (head === undefined) throw new Error('The server did not read the workbook.');
  const { sheets, sheet, report, firstRows } = head;
  const firstLines = firstRows.map((cells) => shortLine(cells.join(' │ ')));
  const content = rows.content(report.columns);
  return { name: file.name, format: 'xlsx', sheets, sheet, report, firstLines, ...content };
}

/** Collects the first rows, and looks at the cells of all. */
class RowCollector {
  readonly #maxRows: number;
  readonly #rows: JsonObject[] = [];
  readonly #cells = new Map<string, ColumnCells>();
  #total = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  /** @param lines rows as JSON */
  add(lines: readonly string[]): void {
    for (const line of lines) this.addRow(JSON.parse(line) as JsonObject);
  }

  addRow(row: JsonObject): void {
    this.#total += 1;
    if (this.#rows.length < this.#maxRows) this.#rows.push(row);
    for (const name of Object.keys(row)) {
      let cells = this.#cells.get(name);
      if (cells === undefined) this.#cells.set(name, (cells = new ColumnCells()));
      cells.add(row[name]);
    }
  }

  /** @param columns all names in the order of the file, if it is known */
  content(columns: readonly string[] = []): Pick<RowsFile, 'rows' | 'total' | 'columns' | 'cells'> {
    const names = [...new Set([...columns, ...this.#cells.keys()])];
    return { rows: this.#rows, total: this.#total, columns: names, cells: this.#cells };
  }
}

const isTableFormat = (format: RowFormat): boolean => format === 'csv' || format === 'tsv';
