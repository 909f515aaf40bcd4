// Reads files of rows that the app sends whole, because they have more rows than a page. Who calls: the control API.
import { tooManyRowsFiles } from '../../domain/store-errors.ts';
import { openBytes } from '../../domain/rows/files/open-bytes.ts';
import type { RowsFileProcess } from '../../executor/parser/rows-file-process.ts';
import type { RowsFileReading } from '../../executor/parser/rows-file-protocol.ts';
import { gunzip } from '../../files/gunzip.ts';

/** Maximum files that are read at the same time; each has a process of its own. */
const maxFiles = 2;

type FileBytes = {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Maximum bytes of the unpacked file. */
  readonly maxBytes: number;
};

export class RowsFileService {
  readonly #openProcess: () => Pick<RowsFileProcess, 'read'>;
  #files = 0;

  constructor(openProcess: () => Pick<RowsFileProcess, 'read'>) {
    this.#openProcess = openProcess;
  }

  /**
   * The rows as lines of JSON, in pieces of whole lines. Throws `invalid_input` that says why the file cannot be read, and
   * `too_many_exports`.
   */
  async *read(reading: RowsFileReading, { bytes, maxBytes }: FileBytes): AsyncGenerator<Uint8Array, void> {
    if (this.#files >= maxFiles) throw tooManyRowsFiles(maxFiles);
    this.#files += 1;
    try {
      const opened = await openBytes(bytes, { gunzip, maxBytes });
      yield* this.#openProcess().read(reading, opened.bytes);
    } finally {
      this.#files -= 1;
    }
  }
}
