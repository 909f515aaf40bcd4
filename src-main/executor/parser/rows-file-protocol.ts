// Messages between a server and the process that reads one large file of rows for it, piece by piece. The process is the
// reader of spreadsheets.
import type { MappedColumn } from '../../domain/rows/files/map-columns.ts';
import type { ReadOptions } from '../../domain/rows/files/read-options.ts';
import { frame, type Frame } from '../process/frames.ts';
import type { ProcessCodec } from '../process/worker-process.ts';

/** How a file is read, and which of its columns its rows get. */
export type RowsFileReading = {
  /** Name of the file, which may say its form. */
  readonly name: string;
  readonly options: ReadOptions;
  readonly columns: readonly MappedColumn[];
};

/** A file is opened, handed over in pieces, and ended. */
export type RowsFileJob =
  | ({ readonly step: 'open' } & RowsFileReading)
  | { readonly step: 'piece'; readonly bytes: Uint8Array }
  | { readonly step: 'end' };

export type RowsFileAnswer =
  /** The rows that the piece completes, one JSON object per line. */
  | { readonly type: 'rows'; readonly lines: Uint8Array }
  /** `problem` is a message for the user. */
  | { readonly type: 'refused'; readonly problem: string };

type FromReader = { readonly type: 'ready' } | RowsFileAnswer;

export const frameOfRowsFile = (answer: RowsFileAnswer): Frame =>
  answer.type === 'rows' ? frame({ type: answer.type }, [answer.lines]) : frame(answer, []);

const none = new Uint8Array(0);

export const rowsFileCodec: ProcessCodec<RowsFileJob, FromReader> = {
  encode: (job) => (job.step === 'piece' ? frame({ step: job.step }, [job.bytes]) : frame(job, [])),
  decode: (head, [lines = none]) => {
    const message = head as FromReader;
    switch (message.type) {
      case 'rows':
        return { type: 'rows', lines };
      case 'ready':
      case 'refused':
        return message;
      default:
        throw new TypeError('no message of a reader of rows files');
    }
  },
};
