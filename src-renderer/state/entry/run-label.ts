// The number of rows that a run takes, and the text that says it: on the run button, in its dialogs, in the palette and
// in the toast.
import { count, counted, countSample, SampleProblem, type JsonObject } from '#contract';
import { connectionText } from './run-connection.ts';
import type { RunOptions } from './row-editor.svelte.ts';
import type { RowsToRun } from './rows-to-run.ts';

/** Number of rows that a run takes, after the sample and before. */
export type RunSize = {
  readonly rows: number;
  readonly total: number;
  readonly which?: RowsToRun['which'];
  /** The connection to the hosted service at which they run; absent: here. */
  readonly connection?: string | undefined;
  /** Why the sample cannot be taken, as a sentence without a period. */
  readonly problem?: string;
};

type Prepared = {
  readonly toRun: RowsToRun;
  readonly options: RunOptions;
  readonly connection: string | undefined;
};

export function runSize({ toRun, options: { sample }, connection }: Prepared): RunSize {
  const total = toRun.rows.length;
  const all = { rows: total, total, which: toRun.which, connection };
  if (sample === undefined || total === 0) return all;
  if (/^(first|random):(?!\d{1,9}(:\d{1,9})?$)/.test(sample))
    return { ...all, problem: 'Enter the number of rows' };
  try {
    return { ...all, rows: countSample(sample, total, (column) => cellsOf(toRun, column)) };
  } catch (error) {
    if (error instanceof SampleProblem) return { ...all, problem: error.message };
    throw error;
  }
}

function* cellsOf({ rows, columns }: RowsToRun, column: string): Generator<JsonObject> {
  const slot = columns.find(({ name }) => name === column)?.slot;
  for (const { cells } of rows) {
    const cell = slot === undefined ? undefined : cells[slot];
    yield cell === undefined ? {} : { [column]: cell };
  }
}

/** `Run 294 rows`, `Run 83 changed rows`, `Run 216 rows again`, `Run 10 of 294 rows` for a sample, `Run 8 rows on prod`. */
export function runLabel(size: RunSize, verb: 'Run' | 'Started' = 'Run'): string {
  return `${verb} ${rowsLabel(size)}${connectionText(size.connection)}`;
}

function rowsLabel({ rows, total, which, problem }: RunSize): string {
  if (problem !== undefined) return 'a sample';
  const taken = counted(total, which === 'changed' ? 'changed row' : 'row');
  if (rows !== total) return `${count(rows)} of ${taken}`;
  return which === 'again' ? `${taken} again` : taken;
}
