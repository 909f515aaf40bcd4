// Reads spreadsheets in a separate process (job-process.ts). Who calls: a server for row entry, and commands that read
// rows from a file.
import type { Clock } from '../../base/clock.ts';
import type { StartWorker } from '../process/worker-process.ts';
import { JobProcess } from './job-process.ts';
import { sheetCodec, type FromSheetReader, type SheetAnswer, type SheetJob } from './sheet-protocol.ts';

export type SheetProcessOptions = {
  /** The bundled reader. */
  readonly script: string;
  readonly clock: Clock;
  /** Starts the process; default: forks this one. */
  readonly start?: StartWorker<SheetJob, FromSheetReader> | undefined;
  /** Time limit of one file, in ms. */
  readonly deadlineMs?: number;
};

/** Heap of the process, in MB: the texts of 200 MB of XML. */
export const sheetMemoryMb = 512;
/** Default time limit of a file, in ms: 200 MB of XML take about 15 s. */
const usualDeadlineMs = 60_000;

export class SheetProcess {
  readonly #process: JobProcess<SheetJob, SheetAnswer>;

  constructor({ deadlineMs = usualDeadlineMs, ...options }: SheetProcessOptions) {
    this.#process = new JobProcess({
      ...options,
      deadlineMs,
      memoryMb: sheetMemoryMb,
      codec: sheetCodec,
      problems: {
        tooSlow: `it could not be read within ${deadlineMs / 1000} seconds. Save the sheet as CSV, then try again`,
        tooMuchMemory: `it takes more than ${sheetMemoryMb} MB of memory to read. Save the sheet as CSV, then try again`,
        crashed: 'it could not be read: it ends the program that reads it',
      },
    });
  }

  /** Reads files in the order of the calls. Rejects if the process cannot be started or is closed. */
  async read(job: SheetJob): Promise<SheetAnswer> {
    const answer = await this.#process.run(job);
    return answer.type === 'problem' ? { type: 'refused', problem: answer.problem } : answer;
  }

  /** Ends the process. */
  close(): Promise<void> {
    return this.#process.close();
  }
}
