// Reads a file of rows in pieces, without blocking the page. All rows are counted and looked at; the page holds the first.
import {
  createRowReader,
  rowFormatOfName,
  sniffRowFormat,
  type JsonObject,
  type ReadOptions,
  type ReadReport,
  type RowFormat,
} from '#contract';
import { ColumnCells } from './column-cells.ts';
import { createYieldToMain } from './yield-to-main.ts';
import { readLines } from './rows-text.ts';
import { shortLine } from './short-line.ts';
import { textEncodingOf, isWorkbookFile } from './text-encoding.ts';

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
  readonly columns?: readonly string[];
  readonly report?: ReadReport;
  readonly firstRows?: readonly (readonly string[])[];
};

/** The server's answer for a workbook: a line with its sheets, then a line for each row of one. */
export type LoadSheet = (
  file: Blob,
  options: ReadOptions,
  signal: AbortSignal | undefined,
) => Promise<ReadableStream<Uint8Array>>;

export type RowsFileOptions = {
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

/** Bytes from which the format is detected and the first lines are shown. */
const sniffBytes = 65_536;
/** Characters that are parsed before the page may draw. */
const pieceLength = 65_536;
/** First lines that are shown. */
export const maxFirstLines = 20;

/** Throws an error that tells the user what is wrong with the rows and where. */
export async function readRowsFile(file: File, options: RowsFileOptions): Promise<RowsFile> {
  const head = new Uint8Array(await file.slice(0, sniffBytes).arrayBuffer());
  if (isWorkbookFile(head) && options.readSheet !== undefined)
    return readWorkbook(file, { ...options, readSheet: options.readSheet });
  return readText(file, options);
}

async function readText(file: File, options: RowsFileOptions): Promise<RowsFile> {
  const start = await beginningOf(file, options.options);
  const format = rowFormatOfName(file.name) ?? sniffRowFormat(start);
  const reader = createRowReader(format, new Map(), options.options);
  const rows = new RowCollector(options.maxRows, isTableFormat(format));
  const yieldToMain = createYieldToMain(options.signal);
  let bytes = 0;
  for await (const [text, size] of textsOf(file, options.options)) {
    // A browser may hand over megabytes at once, which would block the page for a second.
    for (let at = 0; at < text.length; at += pieceLength) {
      for (const line of reader.push(text.slice(at, at + pieceLength))) rows.add(parsed(line));
      await yieldToMain();
    }
    bytes += size;
    options.onProgress?.(file.size === 0 ? 1 : bytes / file.size);
  }
  for (const line of reader.end()) rows.add(parsed(line));
  if (rows.total === 0 && format !== 'json') throw new Error(noRows(format));
  const firstLines = isTableFormat(format) ? linesOf(start) : [];
  return { name: file.name, format, report: reader.report(), firstLines, ...rows.content() };
}

async function readWorkbook(
  file: File,
  { readSheet, options = {}, signal, maxRows }: RowsFileOptions & { readonly readSheet: LoadSheet },
): Promise<RowsFile> {
  const rows = new RowCollector(maxRows, true);
  let head: WorkbookHead | undefined;
  await readLines(await readSheet(file, options, signal), (line) => {
    if (head === undefined) head = line as WorkbookHead;
    else rows.add(line as JsonObject);
  });
  if (head === undefined) throw new Error('The server did not read the workbook.');
  const { sheets, sheet, columns, report = { readAs: {}, remarks: [] }, firstRows = [] } = head;
  const firstLines = firstRows.map((cells) => shortLine(cells.join(' │ ')));
  const content = rows.content(columns);
  return { name: file.name, format: 'xlsx', sheets, sheet, report, firstLines, ...content };
}

/** Collects the first rows, and looks at the cells of all. */
class RowCollector {
  readonly #maxRows: number;
  readonly #looksAtCells: boolean;
  readonly #rows: JsonObject[] = [];
  readonly #cells = new Map<string, ColumnCells>();
  total = 0;

  constructor(maxRows: number, looksAtCells: boolean) {
    this.#maxRows = maxRows;
    this.#looksAtCells = looksAtCells;
  }

  add(row: JsonObject): void {
    this.total += 1;
    if (this.#rows.length < this.#maxRows) this.#rows.push(row);
    for (const name of Object.keys(row)) {
      let cells = this.#cells.get(name);
      if (cells === undefined) this.#cells.set(name, (cells = new ColumnCells()));
      if (this.#looksAtCells) cells.add(row[name]);
    }
  }

  /** @param columns all names in the order of the file, if it is known */
  content(columns: readonly string[] = []): Pick<RowsFile, 'rows' | 'total' | 'columns' | 'cells'> {
    return {
      rows: this.#rows,
      total: this.total,
      columns: [...new Set([...columns, ...this.#cells.keys()])],
      cells: this.#looksAtCells ? this.#cells : new Map(),
    };
  }
}

const parsed = (line: string): JsonObject => JSON.parse(line) as JsonObject;

const isTableFormat = (format: RowFormat): boolean => format === 'csv' || format === 'tsv';

async function beginningOf(file: File, options: ReadOptions | undefined): Promise<string> {
  for await (const [text] of textsOf(file, options)) return text.slice(0, sniffBytes);
  return '';
}

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\n|\r/, maxFirstLines).map(shortLine);

/** The text of a file in pieces, each with its bytes. Throws an error that says why it is no text. */
export async function* textsOf(
  file: Blob,
  options: ReadOptions = {},
): AsyncGenerator<[text: string, bytes: number]> {
  const head = new Uint8Array(await file.slice(0, sniffBytes).arrayBuffer());
  const encoding = options.encoding ?? textEncodingOf(head).encoding;
  const decoder = new TextDecoder(encoding, { fatal: true });
  const stream = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await stream.read();
      if (done) break;
      yield [decoder.decode(value, { stream: true }), value.length];
    }
    yield [decoder.decode(), 0];
  } catch (error) {
    if (error instanceof TypeError) throw new Error(`The text is not ${encoding}.`, { cause: error });
    throw error;
  } finally {
    await stream.cancel();
  }
}

const noRows = (format: RowFormat): string =>
  format === 'ndjson'
    ? 'There are no rows in it.'
    : `There are no rows in it. Read as ${format.toUpperCase()}, whose first line names the fields.`;
