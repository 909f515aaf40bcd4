// The number of rows that a run takes, and the text that says it: on the run button, in its dialogs, in the palette and
// in the toast.
import { count, counted, countSample, SampleProblem, type JsonObject } from '#contract';
import type { SheetModel } from './grid/sheet-model.ts';
import type { RunOptions } from './row-editor.svelte.ts';

/** Rows that a run takes, of the rows in the editor. */
export type RunSize = {
  readonly rows: number;
  readonly total: number;
  /** Why the sample cannot be taken, as a sentence without a period. */
  readonly problem?: string;
};

type Prepared = { readonly sheet: SheetModel; readonly options: RunOptions };

export function runSize({ sheet, options: { sample } }: Prepared): RunSize {
  const total = sheet.rowCount;
  if (sample === undefined || total === 0) return { rows: total, total };
  if (/^(first|random):(?!\d{1,9}(:\d{1,9})?$)/.test(sample))
    return { rows: total, total, problem: 'Enter the number of rows' };
  try {
    return { rows: countSample(sample, total, (column) => cellsOf(sheet, column)), total };
  } catch (error) {
    if (error instanceof SampleProblem) return { rows: total, total, problem: error.message };
    throw error;
  }
}

function* cellsOf({ rows, columns }: SheetModel, column: string): Generator<JsonObject> {
  const slot = columns.find(({ name }) => name === column)?.slot;
  for (const { cells } of rows) {
    const cell = slot === undefined ? undefined : cells[slot];
    yield cell === undefined ? {} : { [column]: cell };
  }
}

/** `Run 294 rows`, or `Run 10 of 294 rows` for a sample. */
export function runLabel({ rows, total, problem }: RunSize, verb: 'Run' | 'Started' = 'Run'): string {
  if (problem !== undefined) return `${verb} a sample`;
  return rows === total
    ? `${verb} ${counted(total, 'row')}`
    : `${verb} ${count(rows)} of ${counted(total, 'row')}`;
}
