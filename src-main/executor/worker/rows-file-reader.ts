// Reads one file of rows that arrives in pieces: its bytes become rows with the columns that the user has mapped.
import { AppError } from '../../base/app-error.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { isWorkbook } from '../../domain/rows/files/file-kind.ts';
import { mappedLine, renamedLine } from '../../domain/rows/files/map-columns.ts';
import { RowsOfBytes } from '../../domain/rows/files/rows-of-bytes.ts';
import type { RowsFileAnswer, RowsFileJob, RowsFileReading } from '../parser/rows-file-protocol.ts';
import { readWorkbook } from './sheet/read-workbook.ts';

/** Maximum bytes of a workbook, which is read whole. */
const maxWorkbookBytes = 100_000_000;

/** Rows of one file. */
interface FileRows {
  push(bytes: Uint8Array): Promise<readonly string[]>;
  end(): Promise<readonly string[]>;
}

export class RowsFileReader {
  #reading: RowsFileReading | undefined;
  #rows: FileRows | undefined;

  /** Answers a job. Jobs come one after the other. */
  async answer(job: RowsFileJob): Promise<RowsFileAnswer> {
    try {
      return { type: 'rows', lines: Buffer.from(linesOf(await this.#take(job))) };
    } catch (error) {
      if (error instanceof AppError) return { type: 'refused', problem: error.message };
      throw error;
    }
  }

  async #take(job: RowsFileJob): Promise<readonly string[]> {
    if (job.step === 'open') {
      this.#reading = job;
      this.#rows = undefined;
      return [];
    }
    const reading = this.#reading;
    if (reading === undefined)
      throw new AppError(
        'invalid_input',
        'its reader has ended before the whole file had arrived. Try again',
      );
    if (job.step === 'end') return (await this.#rows?.end()) ?? [];
    this.#rows ??= isWorkbook(job.bytes) ? new WorkbookRows(reading) : new TextRows(reading);
    return this.#rows.push(job.bytes);
  }
}

const linesOf = (rows: readonly string[]): string => (rows.length === 0 ? '' : `${rows.join('\n')}\n`);

class TextRows implements FileRows {
  readonly #columns: RowsFileReading['columns'];
  readonly #reader: RowsOfBytes;

  constructor({ name, options, columns }: RowsFileReading) {
    this.#columns = columns;
    this.#reader = new RowsOfBytes({ fileName: name, types: new Map(), read: options });
  }

  async push(bytes: Uint8Array): Promise<readonly string[]> {
    return this.#mapped(await this.#reader.push(bytes));
  }

  async end(): Promise<readonly string[]> {
    return this.#mapped(await this.#reader.end());
  }

  #mapped(lines: readonly string[]): readonly string[] {
    const { format } = this.#reader;
    const map = format === 'csv' || format === 'tsv' ? mappedLine : renamedLine;
    return lines.map((line) => map(JSON.parse(line) as JsonObject, this.#columns));
  }
}

class WorkbookRows implements FileRows {
  readonly #reading: RowsFileReading;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(reading: RowsFileReading) {
    this.#reading = reading;
  }

  async push(bytes: Uint8Array): Promise<readonly string[]> {
    this.#bytes += bytes.length;
    if (this.#bytes > maxWorkbookBytes)
      throw new AppError('invalid_input', 'a workbook may have 100 MB at most. Save the sheet as CSV');
    this.#pieces.push(Uint8Array.from(bytes));
    return await Promise.resolve([]);
  }

  async end(): Promise<readonly string[]> {
    const { options, columns } = this.#reading;
    const answer = await Promise.resolve(
      readWorkbook({ bytes: Buffer.concat(this.#pieces), types: [], read: options }),
    );
    if (answer.type === 'rows') {
      const lines = Buffer.from(answer.lines).toString('utf8').split('\n');
      return lines
        .filter((line) => line !== '')
        .map((line) => mappedLine(JSON.parse(line) as JsonObject, columns));
    }
    throw new AppError(
      'invalid_input',
      answer.type === 'refused' ? answer.problem : 'it has several sheets. Choose one',
    );
  }
}
