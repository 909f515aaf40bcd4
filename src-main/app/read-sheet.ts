// The rows of a spreadsheet that a command names. Who calls: readers of row files.
import { AppError } from '../base/app-error.ts';
import { systemClock } from '../base/system-clock.ts';
import { SheetProcess } from '../executor/parser/sheet-process.ts';
import { siblingOfWorker } from './sibling-of-worker.ts';
import type { ReadSheet } from '../files/read-rows.ts';

export type SheetChoice = {
  /** Path of the bundled row worker; the reader of spreadsheets is beside it. */
  readonly workerScript: string;
  /** Name of the sheet; absent: the workbook has one that is not hidden. */
  readonly sheet?: string | undefined;
};

/** A reader that throws `invalid_input`. */
export const sheetReader =
  ({ workerScript, sheet }: SheetChoice): ReadSheet =>
  async (bytes, types) => {
    const process = new SheetProcess({
      script: siblingOfWorker(workerScript, 'sheet-reader.js'),
      clock: systemClock,
    });
    try {
      const answer = await process.read({ sheet, mustName: true, types: [...types], bytes });
      if (answer.type === 'rows') return answer.lines;
      if (answer.type === 'refused') throw new AppError('invalid_input', answer.problem);
      const names = answer.sheets.map(({ name }) => `"${name}"`).join(', ');
      throw new AppError('invalid_input', `it has several sheets: ${names}. Choose one with --sheet`);
    } finally {
      await process.close();
    }
  };
