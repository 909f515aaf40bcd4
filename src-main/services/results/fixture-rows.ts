// Rows of a run with their outputs, picked by number, for a test fixture. All are text: no row is parsed here.
import { tooManyFixtureRows } from '../../domain/run-errors.ts';
import type { Run } from '../../domain/run/run.ts';
import type { RunFixtureView } from '../../domain/tests/test-views.ts';
import type { RunReading } from '../ports.ts';
import { numberedLines } from '../runs/rerun-rows.ts';
import { positionInRun } from '../runs/row-position.ts';
import { readOutputsOf } from '../runs/run-outputs.ts';

type FixtureRow = RunFixtureView['rows'][number];

export type FixtureBounds = {
  readonly rows: number;
  /** Maximum bytes of all inputs and outputs together. */
  readonly bytes: number;
};

type Store = Pick<RunReading, 'readRows' | 'readOutputs' | 'positionOf' | 'readRowNumbers'>;

/**
 * The rows with those numbers, or all. Throws `invalid_input` for a row that the run does not have and for more than
 * the bounds, `data_unreadable`.
 */
export async function readFixtureRows(
  store: Store,
  run: Run,
  { numbers, bounds }: { readonly numbers: readonly number[] | undefined; readonly bounds: FixtureBounds },
): Promise<readonly FixtureRow[]> {
  const requested = numbers && new Set(numbers);
  const size = requested?.size ?? run.rows;
  if (size > bounds.rows) throw tooManyFixtureRows(`${size} rows`, `${bounds.rows} rows`);
  const found: FixtureRow[] = [];
  let bytesLeft = bounds.bytes;
  if (size > 0)
    for await (const { number, input, output } of withOutputs(store, run)) {
      if (requested?.has(number) === false) continue;
      bytesLeft -= input.length + output.length;
      if (bytesLeft < 0)
        throw tooManyFixtureRows('rows of more than that', `${Math.floor(bounds.bytes / 1e6)} MB`);
      found.push(fixtureRow(number, input, output));
      if (found.length === size) break;
    }
  await assertAll({ store, run }, found, requested);
  return found;
}

async function assertAll(
  { store, run }: { readonly store: Store; readonly run: Run },
  found: readonly FixtureRow[],
  requested: ReadonlySet<number> = new Set(),
): Promise<void> {
  const numbers = new Set(found.map(({ row }) => row));
  for (const number of requested) if (!numbers.has(number)) await positionInRun(store, run, number);
}

const fixtureRow = (row: number, input: Uint8Array, output: Uint8Array): FixtureRow => ({
  row,
  input: textOf(input),
  ...(output.length === 0 ? {} : { output: textOf(output) }),
});

type Line = { readonly number: number; readonly input: Uint8Array; readonly output: Uint8Array };

/** Rows with their outputs. If the run did not complete, rows after the last commit have none. */
async function* withOutputs(store: Store, run: Run): AsyncGenerator<Line> {
  const outputs = numberedLines(readOutputsOf(store, run));
  try {
    for await (const { number, line } of numberedLines(store.readRows(run.runId))) {
      const output = await outputs.next();
      yield { number, input: line, output: output.done ? new Uint8Array() : output.value.line };
    }
  } finally {
    // The reading of outputs ends even when the rows end first.
    await outputs.return(undefined);
  }
}

const textOf = (line: Uint8Array): string => Buffer.from(line).toString('utf8');
