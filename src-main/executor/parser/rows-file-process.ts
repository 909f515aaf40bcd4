// Reads one large file of rows in a separate process, piece by piece, so that the server stays free for its other clients.
// Who calls: a server that gets a file from the app.
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import type { StartWorker } from '../process/worker-process.ts';
import { JobProcess } from './job-process.ts';
import {
  rowsFileCodec,
  type RowsFileAnswer,
  type RowsFileJob,
  type RowsFileReading,
} from './rows-file-protocol.ts';
import { sheetMemoryMb } from './sheet-process.ts';

type RowsFileProcessOptions = {
  /** The bundled reader of spreadsheets. */
  readonly script: string;
  readonly clock: Clock;
  /** Starts the process; default: forks this one. */
  readonly start?: StartWorker<RowsFileJob, { readonly type: 'ready' } | RowsFileAnswer> | undefined;
};

/** Time limit of one piece, in ms. A workbook is read whole with its last piece. */
const deadlineMs = 60_000;
/** Time that the next piece may take to arrive, in ms. */
const idleMs = 60_000;

export class RowsFileProcess {
  readonly #process: JobProcess<RowsFileJob, RowsFileAnswer>;

  constructor(options: RowsFileProcessOptions) {
    this.#process = new JobProcess({
      ...options,
      deadlineMs,
      idleMs,
      memoryMb: sheetMemoryMb,
      codec: rowsFileCodec,
      problems: {
        tooSlow: `a part of it could not be read within ${deadlineMs / 1000} seconds`,
        tooMuchMemory: `it takes more than ${sheetMemoryMb} MB of memory to read. Save it as CSV, then try again`,
        crashed: 'it could not be read: it ends the program that reads it',
      },
    });
  }

  /**
   * The rows of the file as lines of JSON, in pieces of whole lines. Throws `invalid_input` that says why the file cannot
   * be read. The process ends with the last row, or when the caller stops.
   */
  async *read(reading: RowsFileReading, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    try {
      await this.#run({ step: 'open', ...reading });
      for await (const piece of bytes) yield await this.#run({ step: 'piece', bytes: piece });
      yield await this.#run({ step: 'end' });
    } finally {
      await this.#process.close();
    }
  }

  async #run(job: RowsFileJob): Promise<Uint8Array> {
    const answer = await this.#process.run(job);
    if (answer.type === 'rows') return answer.lines;
    throw new AppError('invalid_input', answer.problem);
  }
}
