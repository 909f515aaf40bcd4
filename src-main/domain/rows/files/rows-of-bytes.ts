// The one reader of rows out of a file's bytes, for the command line, test rows, the app and the server.
import { AppError } from '../../../base/app-error.ts';
import type { ColumnTypes } from '../typed-cell.ts';
import { createRowReader } from './create-row-reader.ts';
import { TextOfBytes } from './decode-text.ts';
import type { ReadOptions } from './read-options.ts';
import { RemarkCollector, type ReadReport } from './read-remarks.ts';
import { rowFormatOfName, sniffRowFormat, type RowFormat } from './row-format.ts';
import type { RowTextReader } from './row-text-reader.ts';

type RowsOfBytesOptions = {
  /** Name of the file: its extension says which form the rows have, else the beginning of the text does. */
  readonly fileName: string;
  /** Types of the fields that the input node declares; they matter to CSV and TSV. */
  readonly types: ColumnTypes;
  readonly read?: ReadOptions | undefined;
  /** True if the bytes were packed with gzip, which is remarked. */
  readonly isPacked?: boolean;
};

/**
 * Turns the bytes of a rows file, handed over in pieces, into rows: one line of JSON each, without the newline. The methods reject
 * with `invalid_input` that names the place. A file that is no text or has no rows is refused.
 */
export class RowsOfBytes {
  readonly #options: RowsOfBytesOptions;
  readonly #decoder: TextOfBytes;
  readonly #remarks: RemarkCollector;
  #format: RowFormat | undefined;
  #reader: RowTextReader | undefined;
  #isEmpty = true;

  constructor(options: RowsOfBytesOptions) {
    const { fileName, read = {}, isPacked = false } = options;
    this.#options = options;
    this.#decoder = new TextOfBytes(read);
    this.#format = rowFormatOfName(fileName);
    this.#remarks = new RemarkCollector(read.strict);
    if (isPacked) this.#remarks.add({ kind: 'gzip', words: () => 'unpacked from gzip' });
  }

  /** The rows that this piece completes. */
  async push(bytes: Uint8Array): Promise<readonly string[]> {
    return this.#rows(await this.#decoder.push(bytes));
  }

  /** The rows that are left. To be called once. */
  async end(): Promise<readonly string[]> {
    const rows = this.#rows(await this.#decoder.end());
    const reader = this.#readerFor('');
    const last = reader.end();
    if (this.#isEmpty && rows.length === 0 && last.length === 0) this.#assertMeantEmpty();
    return rows.length === 0 ? last : [...rows, ...last];
  }

  /** The form of the rows; undefined while nothing is known of it. */
  get format(): RowFormat | undefined {
    return this.#format;
  }

  /** Complete after `end`. */
  report(): ReadReport {
    const decoded = this.#decoder.report();
    const read = this.#reader?.report();
    return {
      readAs: { ...decoded.readAs, ...read?.readAs },
      remarks: [...this.#remarks.all(), ...decoded.remarks, ...(read?.remarks ?? [])],
      ...(read?.columns !== undefined && { columns: read.columns }),
    };
  }

  #rows(text: string): readonly string[] {
    if (text === '') return [];
    const rows = this.#readerFor(text).push(text);
    this.#isEmpty &&= rows.length === 0;
    return rows;
  }

  #readerFor(beginning: string): RowTextReader {
    if (this.#format === undefined) assertNoMarkup(beginning);
    this.#format ??= sniffRowFormat(beginning);
    this.#reader ??= createRowReader(this.#format, this.#options.types, this.#options.read);
    return this.#reader;
  }

  /** `[]` says that there are no rows; a text without any row is more likely a mistake. */
  #assertMeantEmpty(): void {
    if (this.#format === 'json' || this.#format === undefined) return;
    const how =
      this.#format === 'ndjson'
        ? ''
        : `, read as ${this.#format.toUpperCase()}, whose first line names the fields`;
    const skipped =
      this.#options.read?.skip === undefined ? '' : ', without the lines that --skip leaves out';
    throw new AppError('invalid_input', `there are no rows in it${how}${skipped}`);
  }
}

/** Some programs write tables as HTML or XML, in files with the names of workbooks. */
function assertNoMarkup(beginning: string): void {
  if (/^\s*<(?:!doctype|html|table|\?xml|style|meta)\b/i.test(beginning))
    throw new AppError(
      'invalid_input',
      'it is HTML or XML. Open it in Excel and save it as .xlsx, or export its rows as CSV',
    );
}
