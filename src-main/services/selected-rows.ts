// The rows of a selection, for actions on them. Memory: a batch of rows and some thousand positions. Who calls: reruns, downloads
// of rows, exports.
import type { RowSelection } from '../domain/query/row-selection.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import type { RowQueries, RunReading } from './ports.ts';
import { numberedLines } from './rerun-rows.ts';

/** Positions that are read at once. */
const positionsAtOnce = 10_000;

type Selected = {
  readonly selection: RowSelection;
  /** Ends the reading, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** Positions of the selection's rows, in its order. Throws `run_not_found`, `data_unreadable`. */
async function* selectedPositions(
  queries: Pick<RowQueries, 'selectPositions'>,
  runId: string,
  { selection, signal }: Selected,
): AsyncGenerator<number, undefined> {
  let from = 1;
  let asOf: number | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const part = await queries.selectPositions(runId, { selection, from, count: positionsAtOnce, asOf });
    if (!part.isReady) continue;
    yield* part.positions;
    from += part.positions.length;
    asOf = part.there;
    if (part.positions.length === 0) return undefined;
  }
}

type SelectionStore = {
  readonly store: Pick<RunReading, 'readRows'>;
  readonly queries: Pick<RowQueries, 'selectPositions'>;
};

/** The rows of a selection in the order of the run, as they were accepted, with their numbers. Throws as `selectedPositions`. */
export async function* selectedRows(
  { store, queries }: SelectionStore,
  runId: string,
  { selection: { conditions }, signal }: Selected,
): AsyncGenerator<RowLines> {
  const positions = selectedPositions(queries, runId, { selection: { conditions }, signal });
  let target = await positions.next();
  if (target.done === true) return;
  let picked = 0;
  let position = 0;
  for await (const { number, line } of numberedLines(store.readRows(runId))) {
    position += 1;
    if (position < target.value) continue;
    picked += 1;
    yield { firstRow: picked, bytes: Buffer.concat([line, newline]), numbers: [number] };
    target = await positions.next();
    if (target.done === true) return;
  }
}

/** Numbers of the selection's rows, rising. Throws as `selectedPositions`. */
export async function* selectedNumbers(
  from: SelectionStore,
  runId: string,
  selected: Selected,
): AsyncGenerator<number, undefined> {
  for await (const { numbers = [] } of selectedRows(from, runId, selected)) yield* numbers;
  return undefined;
}

/** Looks up rising numbers in a list of rising numbers. */
export class RisingNumbers {
  readonly #numbers: AsyncGenerator<number, undefined>;
  #next: number | undefined = 0;

  constructor(numbers: AsyncGenerator<number, undefined>) {
    this.#numbers = numbers;
  }

  async has(number: number): Promise<boolean> {
    while (this.#next !== undefined && this.#next < number) this.#next = (await this.#numbers.next()).value;
    return this.#next === number;
  }

  async close(): Promise<void> {
    await this.#numbers.return(undefined);
  }
}

const newline = Buffer.from('\n');
