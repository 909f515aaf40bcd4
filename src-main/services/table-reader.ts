// Reads tables as they are now; reads and hashes a file again only after it changed.
import { createHash } from 'node:crypto';
import { AppError } from '../base/app-error.ts';
import { tableBroken } from '../domain/errors.ts';
import { readTable, type Table } from '../domain/sources/table.ts';
import type { TableFiles, TableStamp } from '../files/table-files.ts';

/** @property hash SHA-256 of the text, hexadecimal */
type ReadTable = { readonly table: Table; readonly hash: string; readonly text: string };

/** Characters of tables that are kept for the next run. */
const maxKeptCharacters = 20_000_000;

export class TableReader {
  readonly #files: TableFiles;
  readonly #kept = new Map<string, { readonly stamp: TableStamp; readonly read: ReadTable }>();

  constructor(files: TableFiles) {
    this.#files = files;
  }

  /** Throws `invalid_input` that says what is wrong with the table, and where. */
  async read(workflowFile: string, path: string): Promise<ReadTable> {
    const stamp = await this.#files.stamp(workflowFile, path);
    const keptAs = JSON.stringify([stamp.file, path]);
    const kept = this.#kept.get(keptAs);
    if (kept !== undefined && kept.stamp.mtimeMs === stamp.mtimeMs && kept.stamp.size === stamp.size)
      return kept.read;
    const text = await this.#files.read(stamp, path);
    const hash = createHash('sha256').update(text, 'utf8').digest('hex');
    const read = { text, hash, table: tableOf(path, text) };
    this.#kept.delete(keptAs);
    this.#kept.set(keptAs, { stamp, read });
    this.#forgetOldest();
    return read;
  }

  #forgetOldest(): void {
    let kept = 0;
    for (const [name, { read }] of [...this.#kept].reverse()) {
      kept += read.text.length;
      if (kept > maxKeptCharacters) this.#kept.delete(name);
    }
  }
}

function tableOf(path: string, text: string): Table {
  try {
    return readTable(path, text);
  } catch (error) {
    throw error instanceof AppError ? tableBroken(path, error) : error;
  }
}
