// Reads a file of rows in pieces, without blocking the page, and detects its encoding and format.
import { createRowReader, rowFormatOfName, sniffRowFormat, type JsonObject, type RowFormat } from '#contract';
import { createYieldToMain } from './yield-to-main.ts';
import { readLines, tooManyRows } from './rows-text.ts';
import { textEncodingOf, encodings, isWorkbookFile, type Encoding } from './text-encoding.ts';

export type RowsFile = {
  readonly name: string;
  /** Cells of CSV and TSV are still texts. */
  readonly rows: readonly JsonObject[];
} & (
  | { readonly format: RowFormat; readonly encoding: Encoding }
  | {
      readonly format: 'xlsx';
      readonly sheets: readonly WorkbookSheet[];
      /** The sheet that was read. */
      readonly sheet: string;
    }
);

type WorkbookSheet = { readonly name: string; readonly isHidden: boolean };

/** The server's answer for a workbook: a line with its sheets, then a line for each row of one. */
export type LoadSheet = (
  file: Blob,
  sheet: string | undefined,
  signal: AbortSignal | undefined,
) => Promise<ReadableStream<Uint8Array>>;

export type RowsFileOptions = {
  /** Replaces the encoding that is detected from the first bytes. */
  readonly encoding?: Encoding | undefined;
  /** Reads workbooks. */
  readonly readSheet?: LoadSheet | undefined;
  /** Sheet of a workbook; default: the first that is not hidden. */
  readonly sheet?: string | undefined;
  readonly maxRows: number;
  /** Called with the share that has been read, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
};

type SourceFile = File;

/** Bytes from which encoding and format are detected. */
const sniffBytes = 65_536;
/** Characters that are parsed before the page may draw. */
const pieceLength = 65_536;

/** The file is not valid text in the encoding. */
export class EncodingProblem extends Error {
  override readonly name = 'EncodingProblem';
}

/** Throws `EncodingProblem`, or an error that tells the user what is wrong with the rows and where. */
export async function readRowsFile(file: SourceFile, options: RowsFileOptions): Promise<RowsFile> {
  const head = new Uint8Array(await file.slice(0, sniffBytes).arrayBuffer());
  if (isWorkbookFile(head) && options.readSheet !== undefined)
    return readWorkbook(file, { ...options, readSheet: options.readSheet });
  const beginning = textEncodingOf(head);
  const encoding = options.encoding ?? beginning.encoding;
  // The last character may be incomplete, so this decoder is not strict.
  const start = new TextDecoder(encoding).decode(head);
  const format = rowFormatOfName(file.name) ?? sniffRowFormat(start);
  const reader = createRowReader(format, new Map());
  const rows: JsonObject[] = [];
  const take = (lines: readonly string[]): void => {
    for (const line of lines) rows.push(JSON.parse(line) as JsonObject);
    if (rows.length > options.maxRows) throw tooManyRows(options.maxRows);
  };
  const yieldToMain = createYieldToMain(options.signal);
  let bytes = 0;
  for await (const [text, size] of textsOf(file, encoding)) {
    // A browser may hand over megabytes at once, which would block the page for a second.
    for (let at = 0; at < text.length; at += pieceLength) {
      take(reader.push(text.slice(at, at + pieceLength)));
      await yieldToMain();
    }
    bytes += size;
    options.onProgress?.(file.size === 0 ? 1 : bytes / file.size);
  }
  take(reader.end());
  if (rows.length === 0 && format !== 'json') throw new Error(noRows(format));
  return { name: file.name, format, encoding, rows };
}

async function readWorkbook(
  file: SourceFile,
  { readSheet, sheet, signal, maxRows }: RowsFileOptions & { readonly readSheet: LoadSheet },
): Promise<RowsFile> {
  const rows: JsonObject[] = [];
  let head: { readonly sheets: readonly WorkbookSheet[]; readonly sheet: string } | undefined;
  await readLines(await readSheet(file, sheet, signal), (line) => {
    if (head === undefined) head = line as typeof head;
    else if (rows.push(line as JsonObject) > maxRows) throw tooManyRows(maxRows);
  });
  if (head === undefined) throw new Error('The server did not read the workbook.');
  return { name: file.name, format: 'xlsx', rows, ...head };
}

async function* textsOf(file: SourceFile, encoding: Encoding): AsyncGenerator<[text: string, bytes: number]> {
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
    if (error instanceof TypeError)
      throw new EncodingProblem(`The text is not ${encodings[encoding]}.`, { cause: error });
    throw error;
  } finally {
    await stream.cancel();
  }
}

const noRows = (format: RowFormat): string =>
  format === 'ndjson'
    ? 'There are no rows in it.'
    : `There are no rows in it. Read as ${format.toUpperCase()}, whose first line names the fields.`;
