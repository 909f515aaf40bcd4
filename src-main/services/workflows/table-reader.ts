// Reads tables as they are now; reads and hashes a file again only after it changed.
import { AppError } from '../../base/app-error.ts';
import { LruMap } from '../../base/lru-map.ts';
import { tableBroken } from '../../domain/workflow-errors.ts';
import { readTableInSteps, type Table } from '../../domain/sources/table.ts';
import type { TableFiles, TableStamp } from '../../files/table-files.ts';
import { textHash } from '../../files/text-file.ts';
import { eventLoopYield, runInPieces } from '../../base/event-loop-yield.ts';
import { TextOfBytes } from '../../domain/rows/files/decode-text.ts';
import { remarkLine, type ReadRemark } from '../../domain/rows/files/read-remarks.ts';

/**
 * @property hash SHA-256 of the text, hexadecimal
 * @property note one line of remarks about the file; undefined if there are none
 */
type ReadTable = {
  readonly table: Table;
  readonly hash: string;
  readonly text: string;
  readonly note: string | undefined;
};

/** Maximum tables that are cached for the next run, and their maximum characters. */
const maxTables = 1000;
const maxCharacters = 20_000_000;

type CachedTable = { readonly stamp: TableStamp; readonly read: ReadTable };

export class TableReader {
  readonly #files: TableFiles;
  readonly #cache = new LruMap<string, CachedTable>({
    maxEntries: maxTables,
    maxSize: maxCharacters,
    sizeOf: ({ read }) => read.text.length,
  });

  constructor(files: TableFiles) {
    this.#files = files;
  }

  /**
   * Throws `invalid_input` that says what is wrong with the table, and where.
   * @param files absent: those of the disk
   */
  async read(workflowFile: string, path: string, files: TableFiles = this.#files): Promise<ReadTable> {
    const stamp = await files.stamp(workflowFile, path);
    const key = JSON.stringify([stamp.file, path]);
    const cached = this.#cache.get(key);
    if (cached?.stamp.mtimeMs === stamp.mtimeMs && cached.stamp.size === stamp.size) return cached.read;
    const read = await readStamped(files, stamp, path);
    this.#cache.set(key, { stamp, read });
    return read;
  }
}

async function readStamped(files: TableFiles, stamp: TableStamp, path: string): Promise<ReadTable> {
  try {
    const remarks: ReadRemark[] = [];
    const text = await textOf((await files.open(stamp)).bytes, remarks);
    const steps = readTableInSteps(path, text, (report) => remarks.push(...report.remarks));
    const table = await runInPieces(steps);
    const note = remarks.length === 0 ? undefined : remarkLine(path, { readAs: {}, remarks });
    return { text, hash: textHash(text), table, note };
  } catch (error) {
    throw error instanceof AppError ? tableBroken(path, error) : error;
  }
}

/** Adds the remarks about the encoding. */
async function textOf(bytes: AsyncIterable<Uint8Array>, remarks: ReadRemark[]): Promise<string> {
  const decoder = new TextOfBytes({});
  const yieldIfLong = eventLoopYield();
  let text = '';
  for await (const piece of bytes) {
    text += await decoder.push(piece);
    await yieldIfLong();
  }
  text += await decoder.end();
  remarks.push(...decoder.report().remarks);
  return text;
}
