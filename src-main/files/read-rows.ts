// From a rows file (or standard input) to lines of JSON in bytes, as a run takes them; memory stays bounded.
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { AppError } from '../base/app-error.ts';
import { createRowReader } from '../domain/rows/create-row-reader.ts';
import type { ColumnTypes } from '../domain/rows/csv-rows.ts';
import { newline } from '../domain/rows/line-bytes.ts';
import { rowFormatOfName, sniffRowFormat, type RowFormat } from '../domain/rows/row-format.ts';
import type { RowTextReader } from '../domain/rows/row-text-reader.ts';
import { encodingOf, FileBytes, isWorkbook, type TextEncodingName } from './file-bytes.ts';

/** Enough for a first line, whatever the pipe's first piece was. */
const sniffLength = 65_536;

/** Reads the rows of an Excel workbook as lines of JSON. Throws `invalid_input` that says what is wrong. */
export type ReadSheet = (file: Uint8Array, types: ColumnTypes) => Promise<Uint8Array>;

export type ReadRowsOptions = {
  /** The types that the input node declares; they matter to CSV, TSV and workbooks. */
  readonly types: ColumnTypes;
  readonly readSheet: ReadSheet;
  /** Sheet that the user named: a file that is no workbook is refused. */
  readonly sheet?: string | undefined;
  /** Ends the reading, which then throws: standard input may never end by itself. */
  readonly signal?: AbortSignal | undefined;
  /** Texts of files that differ from the disk. */
  readonly drafts?: DraftTexts | undefined;
};

/** The text of a file that is edited, by its path; undefined: the file is as on the disk. */
export type DraftTexts = (path: string) => string | undefined;

/**
 * The rows of a file, `-` being standard input. The extension says which form they have; without a telling one
 * the beginning of the text does. Throws `invalid_input` that names the file and the place in it.
 */
export async function* readRows(
  file: string,
  { types, signal, readSheet, sheet, drafts }: ReadRowsOptions,
): AsyncGenerator<Uint8Array> {
  const source = file === '-' ? process.stdin : openFile(file, drafts);
  if (signal !== undefined) addAbortSignal(signal, source);
  const name = file === '-' ? 'standard input' : file;
  try {
    const bytes = new FileBytes(source);
    const head = await bytes.head();
    if (isWorkbook(head, file)) yield* rowsOfWorkbook(bytes, (whole) => readSheet(whole, types));
    else if (sheet !== undefined)
      throw new AppError('invalid_input', 'it is no Excel workbook, so it has no sheets: leave out --sheet');
    else yield* rowsOfText(decoded(bytes.all(), encodingOf(head)), { types, fileName: basename(file) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input')
      throw new AppError('invalid_input', `${name}: ${error.message}`, { cause: error });
    // The system names the file where it cannot be opened, not where it cannot be read.
    throw error instanceof Error && 'code' in error ? Object.assign(error, { path: name }) : error;
  }
}

function openFile(file: string, drafts: DraftTexts | undefined): Readable {
  const text = drafts?.(file);
  return text === undefined ? createReadStream(file) : Readable.from([Buffer.from(text)]);
}

type RowSource = { readonly types: ColumnTypes; readonly fileName: string };

async function* rowsOfText(pieces: AsyncIterable<string>, source: RowSource): AsyncGenerator<Uint8Array> {
  const format = rowFormatOfName(source.fileName);
  let known = format;
  let isEmpty = true;
  let reader: RowTextReader | undefined;
  let beginning = '';
  for await (const piece of pieces) {
    beginning += piece;
    if (format === undefined && !hasFirstLine(beginning)) continue;
    known ??= sniffRowFormat(beginning);
    reader ??= createRowReader(known, source.types);
    const rows = reader.push(beginning);
    isEmpty &&= rows.length === 0;
    yield* asBytes(rows);
    beginning = '';
  }
  known ??= sniffRowFormat(beginning);
  reader ??= createRowReader(known, source.types);
  const last = [...reader.push(beginning), ...reader.end()];
  if (isEmpty && last.length === 0) assertMeantEmpty(known);
  yield* asBytes(last);
}

/** `[]` says that there are no rows; a text without any row is more likely a mistake. */
function assertMeantEmpty(format: RowFormat): void {
  if (format === 'json') return;
  const how =
    format === 'ndjson' ? '' : `, read as ${format.toUpperCase()}, whose first line names the fields`;
  throw new AppError('invalid_input', `there are no rows in it${how}`);
}

const hasFirstLine = (text: string): boolean => text.length >= sniffLength || /[\r\n]/.test(text.trimStart());

function* asBytes(rows: readonly string[]): Generator<Uint8Array> {
  if (rows.length > 0) yield Buffer.from(`${rows.join('\n')}\n`, 'utf8');
}

/** Maximum bytes of a workbook that is read. */
const maxWorkbookBytes = 100_000_000;
/** Bytes of rows that are handed out at once. */
const pieceBytes = 1_000_000;

/** The rows of a workbook in pieces of whole lines. */
async function* rowsOfWorkbook(
  bytes: FileBytes,
  readSheet: (file: Uint8Array) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const lines = await readSheet(await bytes.whole(maxWorkbookBytes));
  if (lines.length === 0)
    throw new AppError(
      'invalid_input',
      'there are no rows in its sheet. The first row that is not empty names the fields',
    );
  for (let start = 0; start < lines.length;) {
    const found = lines.indexOf(newline, Math.min(start + pieceBytes, lines.length - 1));
    yield lines.subarray(start, found + 1);
    start = found + 1;
  }
}

async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  encoding: TextEncodingName,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError)
      throw new AppError('invalid_input', `the text is not ${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'}`, {
        cause: error,
      });
    throw error;
  }
}
