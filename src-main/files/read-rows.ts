// From a rows file (or standard input) to lines of JSON in bytes, as a run takes them; memory stays bounded.
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { AppError } from '../base/app-error.ts';
import { byteSize } from '../domain/format.ts';
import type { ColumnTypes } from '../domain/rows/typed-cell.ts';
import { isWorkbook } from '../domain/rows/files/file-kind.ts';
import { openBytes, type OpenedBytes } from '../domain/rows/files/open-bytes.ts';
import { assertOptionsFit, type ReadOptions } from '../domain/rows/files/read-options.ts';
import type { ReadReport } from '../domain/rows/files/read-remarks.ts';
import { RowsOfBytes } from '../domain/rows/files/rows-of-bytes.ts';
import { newline } from '../domain/rows/line-bytes.ts';
import { gunzip } from './gunzip.ts';

/** Rows of a workbook as lines of JSON, and how they were read. */
type RowsOfSheet = { readonly lines: Uint8Array; readonly report: ReadReport };

/** Reads the rows of an Excel workbook. Throws `invalid_input` that says what is wrong. */
export type ReadSheet = (file: Uint8Array, types: ColumnTypes, read: ReadOptions) => Promise<RowsOfSheet>;

type ReadRowsOptions = {
  /** The types that the input node declares; they matter to CSV, TSV and workbooks. */
  readonly types: ColumnTypes;
  readonly readSheet: ReadSheet;
  /** How the file is read. With a sheet, a file that is no workbook is refused. */
  readonly read?: ReadOptions | undefined;
  /** Called once all rows are read, or the caller takes no more of them: then it is about those that were read. */
  readonly onReport?: ((report: ReadReport) => void) | undefined;
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
export async function* readRows(file: string, options: ReadRowsOptions): AsyncGenerator<Uint8Array> {
  const { signal, drafts } = options;
  const source = file === '-' ? process.stdin : openFile(file, drafts);
  if (signal !== undefined) addAbortSignal(signal, source);
  const name = file === '-' ? 'standard input' : file;
  try {
    const opened = await openBytes(source as AsyncIterable<Uint8Array>, { gunzip });
    if (isWorkbook(opened.head)) yield* rowsOfWorkbook(opened, options);
    else if (options.read?.sheet !== undefined)
      throw new AppError('invalid_input', 'it is no Excel workbook, so it has no sheets: leave out --sheet');
    else yield* rowsOfText(opened, basename(file), options);
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

async function* rowsOfText(
  { bytes, isPacked }: OpenedBytes,
  fileName: string,
  { types, read, onReport }: ReadRowsOptions,
): AsyncGenerator<Uint8Array> {
  const reader = new RowsOfBytes({ fileName, types, read, isPacked });
  let isDamaged = false;
  try {
    for await (const piece of bytes) yield* asBytes(await reader.push(piece));
    yield* asBytes(await reader.end());
  } catch (error) {
    isDamaged = true;
    throw error;
  } finally {
    if (!isDamaged) onReport?.(reader.report());
  }
}

function* asBytes(rows: readonly string[]): Generator<Uint8Array> {
  if (rows.length > 0) yield Buffer.from(`${rows.join('\n')}\n`, 'utf8');
}

/** Maximum bytes of a workbook that is read. */
const maxWorkbookBytes = 100_000_000;
/** Bytes of rows that are handed out at once. */
const pieceBytes = 1_000_000;

/** The rows of a workbook in pieces of whole lines. */
async function* rowsOfWorkbook(
  { bytes }: OpenedBytes,
  { readSheet, types, read = {}, onReport }: ReadRowsOptions,
): AsyncGenerator<Uint8Array> {
  assertOptionsFit(read, 'a workbook');
  const { lines, report } = await readSheet(await wholeWorkbook(bytes), types, read);
  if (lines.length === 0)
    throw new AppError(
      'invalid_input',
      'there are no rows below the header of its sheet. Name another sheet with --sheet, or use --header none',
    );
  onReport?.(report);
  for (let start = 0; start < lines.length;) {
    const found = lines.indexOf(newline, Math.min(start + pieceBytes, lines.length - 1));
    yield lines.subarray(start, found + 1);
    start = found + 1;
  }
}

/** Throws `invalid_input` if the file is too large. */
async function wholeWorkbook(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const whole: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxWorkbookBytes)
      throw new AppError('invalid_input', `a workbook may have ${byteSize(maxWorkbookBytes)} at most`);
    whole.push(piece);
  }
  return Buffer.concat(whole);
}
