// Messages between a program and the process that reads spreadsheets for it.
import { count } from '../../domain/format.ts';
import type { ReadOptions } from '../../domain/rows/files/read-options.ts';
import type { ReadReport } from '../../domain/rows/files/read-remarks.ts';
import type { CellType } from '../../domain/rows/typed-cell.ts';
import { frame, type Frame } from '../process/frames.ts';
import type { ProcessCodec } from '../process/worker-process.ts';

export type SheetJob = {
  /** How it is read; without the name of a sheet: the first one with cells that is not hidden. */
  readonly read?: ReadOptions | undefined;
  /** True if a workbook with several visible sheets is read only if the options name one. */
  readonly mustName?: boolean | undefined;
  /** The types that the input node declares. */
  readonly types: readonly (readonly [field: string, type: CellType])[];
  /** The file. */
  readonly bytes: Uint8Array;
};

export type WorkbookSheet = { readonly name: string; readonly isHidden: boolean };

export type SheetAnswer =
  | {
      readonly type: 'rows';
      readonly sheets: readonly WorkbookSheet[];
      /** The sheet that was read. */
      readonly sheet: string;
      readonly report: ReadReport;
      /** The beginnings of the cells of the first rows, from row 1 on, as texts. */
      readonly firstRows: readonly (readonly string[])[];
      /** One JSON object per line. */
      readonly lines: Uint8Array;
    }
  /** A sheet must be named. */
  | { readonly type: 'several'; readonly sheets: readonly WorkbookSheet[] }
  /** `problem` is a message for the user. */
  | { readonly type: 'refused'; readonly problem: string };

export type FromSheetReader = { readonly type: 'ready' } | SheetAnswer;

export const frameFromSheetReader = (message: FromSheetReader): Frame =>
  message.type === 'rows' ? frame({ ...message, lines: undefined }, [message.lines]) : frame(message, []);

const none = new Uint8Array(0);

/** Codec of the messages. One job runs at a time, so an answer needs no number. */
export const sheetCodec: ProcessCodec<SheetJob, FromSheetReader> = {
  encode: ({ bytes, ...job }) => frame(job, [bytes]),
  decode: (head, [lines = none]) => {
    const message = head as FromSheetReader;
    switch (message.type) {
      case 'rows':
        return { ...message, lines };
      case 'ready':
      case 'several':
      case 'refused':
        return message;
      default:
        throw new TypeError('no message of a reader of spreadsheets');
    }
  },
};

/** Maximum names in a message. */
const maxNames = 20;

/** The names of sheets for a message: `"Leads", "Old"`. */
export function sheetNames(sheets: readonly WorkbookSheet[]): string {
  const names = sheets.slice(0, maxNames).map(({ name }) => `"${name}"`);
  const left = sheets.length - names.length;
  return names.join(', ') + (left === 0 ? '' : ` and ${count(left)} more`);
}
