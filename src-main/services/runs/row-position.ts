// Finds the positions of rows that a user names by number.
import { rowNotInRun } from '../../domain/run-errors.ts';
import type { Run } from '../../domain/run/run.ts';
import type { RunReading } from '../ports.ts';

type Store = Pick<RunReading, 'positionOf' | 'readRowNumbers'>;

/** As many numbers as an error names, and as many as are read at once. */
const named = 5;
const pageRows = 10_000;

/** The position, from 1, of the run's row with that number. Throws `invalid_input` when it has none. */
export async function positionInRun(store: Store, run: Run, number: number): Promise<number> {
  const position = await store.positionOf(run.runId, number);
  if (position === undefined || position < 1 || position > run.rows) throw await notThere(store, run, number);
  return position;
}

/** Throws `invalid_input` for the first number that the run has not. @param numbers rising */
export async function assertInRun(store: Store, run: Run, numbers: readonly number[]): Promise<void> {
  let next = 0;
  for (let first = 1; next < numbers.length && first <= run.rows; first += pageRows) {
    const rows = Math.min(pageRows, run.rows - first + 1);
    const page = await store.readRowNumbers(run.runId, first, rows);
    const there = new Set(page);
    const last = page.at(-1) ?? 0;
    for (let number = numbers[next]; number !== undefined && number <= last; number = numbers[next]) {
      if (!there.has(number)) throw await notThere(store, run, number);
      next += 1;
    }
  }
  const missing = numbers[next];
  if (missing !== undefined) throw await notThere(store, run, missing);
}

async function notThere(store: Store, { runId, rows }: Run, number: number): Promise<Error> {
  const first = await store.readRowNumbers(runId, 1, Math.min(rows, named));
  const last = rows === 0 ? [] : await store.readRowNumbers(runId, rows, 1);
  return rowNotInRun(number, { rows, first, last: last[0] ?? 0 });
}
