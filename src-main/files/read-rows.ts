// From a rows file (or standard input) to lines of JSON in bytes, as a run takes them; memory stays bounded.
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { AppError } from '../base/app-error.ts';
import { utf8Fault } from '../base/utf8-text.ts';
import { byteSize } from '../domain/format.ts';
import { createRowReader } from '../domain/rows/files/create-row-reader.ts';
import type { ColumnTypes } from '../domain/rows/typed-cell.ts';
import { countLines, newline } from '../domain/rows/line-bytes.ts';
import { rowFormatOfName, sniffRowFormat, type RowFormat } from '../domain/rows/files/row-format.ts';
import type { RowTextReader } from '../domain/rows/files/row-text-reader.ts';

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
    if (isGzip(head)) throw new AppError('invalid_input', 'it is packed with gzip: unpack it first');
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
  let line = 1;
  let last: Uint8Array = new Uint8Array();
  try {
    for await (const piece of bytes) {
      last = piece;
      yield decoder.decode(piece, { stream: true });
      line += countLines(piece);
    }
    last = new Uint8Array();
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (encoding !== 'utf-8') throw new AppError('invalid_input', 'the text is not UTF-16: save it as UTF-8');
    const where = `line ${line + linesBeforeFault(last)}`;
    throw new AppError('invalid_input', `${where}: the text is not UTF-8: save the file as UTF-8`, {
      cause: error,
    });
  }
}

/** A fault in the first bytes may be that of a character that begins in the piece before. */
function linesBeforeFault(piece: Uint8Array): number {
  const start = piece.findIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return (utf8Fault(piece.subarray(Math.max(0, start)))?.line ?? 1) - 1;
}

/** The bytes of a file that is read once, and what its first bytes say of its form. */
type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Bytes that tell encodings and workbooks apart. */
const headBytes = 4;

class FileBytes {
  readonly #pieces: AsyncIterator<Uint8Array | string>;
  #head: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array | string>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** At least the first four bytes, unless the file is shorter. To be called once, before the others. */
  async head(): Promise<Uint8Array> {
    while (this.#head.length < headBytes) {
      const piece = await this.#next();
      if (piece === undefined) break;
      this.#head = Buffer.concat([this.#head, piece]);
    }
    return this.#head;
  }

  /** All bytes, with the head. */
  async *all(): AsyncGenerator<Uint8Array> {
    yield this.#head;
    for (let piece = await this.#next(); piece !== undefined; piece = await this.#next()) yield piece;
  }

  /** The whole file. Throws `invalid_input` if it is larger. */
  async whole(maxBytes: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of this.all()) {
      bytes += piece.length;
      if (bytes > maxBytes)
        throw new AppError('invalid_input', `a workbook may have ${byteSize(maxBytes)} at most`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async #next(): Promise<Uint8Array | undefined> {
    const next = await this.#pieces.next();
    if (next.done === true) return undefined;
    return typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
  }
}

/** By the byte order mark. */
function encodingOf(head: Uint8Array): TextEncodingName {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** Beginnings of ZIP files, which workbooks are, and of old workbooks. */
const workbookMarks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** True for the name or the first bytes of a workbook, be it one that can be read or not. */
const isWorkbook = (head: Uint8Array, fileName: string): boolean =>
  /\.(xlsx|xlsm|xls|xlsb)$/i.test(fileName) ||
  workbookMarks.some((mark) => mark.every((byte, index) => head[index] === byte));
