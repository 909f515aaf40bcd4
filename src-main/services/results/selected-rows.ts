// The rows of a selection, for actions on them. Memory: a batch of rows and some thousand numbers. Who calls: reruns, downloads
// of rows, exports.
import type { RowSelection } from '../../domain/query/row-selection.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import { resultRows, rowSources, tableRuns, type RowStore } from './latest-rows.ts';
import type { RowQueries } from '../ports.ts';
import { numberedLines } from '../runs/rerun-rows.ts';

/** Numbers that are read at once. */
const numbersAtOnce = 10_000;

type Selected = {
  readonly selection: RowSelection;
  /** Ends the reading, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

type SelectionStore = {
  readonly store: RowStore;
  readonly queries: Pick<RowQueries, 'selectNumbers'>;
};

/** The rows of a selection by their numbers, as they were accepted. Throws as `selectedNumbers`. */
export async function* selectedRows(
  from: SelectionStore,
  runId: string,
  selected: Selected,
): AsyncGenerator<RowLines> {
  const numbers = selectedNumbers(from, runId, selected);
  let target = await numbers.next();
  let picked = 0;
  for await (const { number, line } of inputLines(from.store, runId, selected.selection)) {
    while (target.done !== true && target.value < number) target = await numbers.next();
    if (target.done === true) return;
    if (number < target.value) continue;
    picked += 1;
    yield { firstRow: picked, bytes: Buffer.concat([line, newline]), numbers: [number] };
  }
}

type NumberedLine = { readonly number: number; readonly line: Uint8Array };

async function* inputLines(
  store: RowStore,
  runId: string,
  { latest = false }: RowSelection,
): AsyncGenerator<NumberedLine, undefined> {
  if (!latest) return yield* numberedLines(store.readRows(runId));
  const sources = await rowSources(store, runId, true);
  for await (const { number, input } of resultRows(store, sources, { withInput: true, withFailures: true }))
    if (input !== undefined) yield { number, line: input };
  return undefined;
}

/** Numbers of the selection's rows, rising. Throws `run_not_found`, `data_unreadable`. */
export async function* selectedNumbers(
  { store, queries }: SelectionStore,
  runId: string,
  { selection: { conditions, latest = false }, signal }: Selected,
): AsyncGenerator<number, undefined> {
  const runIds = await tableRuns(store, runId, latest);
  let from = 1;
  let asOf: number | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const request = { selection: { conditions }, from, count: numbersAtOnce, asOf };
    const part = await queries.selectNumbers(runIds, request);
    if (!part.isReady) continue;
    yield* part.numbers;
    from += part.numbers.length;
    asOf = part.there;
    if (part.numbers.length === 0) return undefined;
  }
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
