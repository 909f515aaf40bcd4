// Finds the positions of rows that a user names by number.
import { rowNotInRun } from '../../domain/run-errors.ts';
import type { Run } from '../../domain/run/run.ts';
import { chainIdOf } from '../../domain/run/chain.ts';
import type { RunReading, RunRecords } from '../ports.ts';

type Store = Pick<RunReading, 'positionOf' | 'readRowNumbers'>;

/** As many numbers as an error names, and as many as are read at once. */
const named = 5;
const pageRows = 10_000;
/** Attempts of a chain that are looked at. */
const maxAttempts = 1_000;

/** The position, from 1, of the run's row with that number. Throws `invalid_input` when it has none. */
export async function positionInRun(store: Store, run: Run, number: number): Promise<number> {
  const position = await store.positionOf(run.runId, number);
  if (position === undefined || position < 1 || position > run.rows) throw await notThere(store, run, number);
  return position;
}

/** Throws `invalid_input` for a number that no attempt of the run's chain has. @param numbers rising */
export async function assertInChain(
  store: Store & Pick<RunRecords, 'find' | 'attemptsOf'>,
  run: Run,
  numbers: readonly number[],
): Promise<void> {
  const missing = new Set(numbers);
  const others = (await store.attemptsOf(chainIdOf(run), maxAttempts)).filter((id) => id !== run.runId);
  await removeNumbersOf(store, run, missing);
  for (const runId of others) {
    if (missing.size === 0) return;
    const attempt = await store.find(runId);
    if (attempt !== undefined) await removeNumbersOf(store, attempt.run, missing);
  }
  const [first] = missing;
  if (first !== undefined) throw await notThere(store, run, first);
}

async function removeNumbersOf(store: Store, run: Run, numbers: Set<number>): Promise<void> {
  for (let first = 1; numbers.size > 0 && first <= run.rows; first += pageRows) {
    const rows = Math.min(pageRows, run.rows - first + 1);
    for (const number of await store.readRowNumbers(run.runId, first, rows)) numbers.delete(number);
  }
}

async function notThere(store: Store, { runId, rows }: Run, number: number): Promise<Error> {
  const first = await store.readRowNumbers(runId, 1, Math.min(rows, named));
  const last = rows === 0 ? [] : await store.readRowNumbers(runId, rows, 1);
  return rowNotInRun(number, { rows, first, last: last[0] ?? 0 });
}
