// The rows of a run with their results, joined from its stored rows, outputs and failures; or the newest answer of
// each row over the attempts of its chain. Memory: a batch of each run. Who calls: exports, tables of rows.
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowsIn } from '../../domain/run/run.ts';
import type { StoredRun } from '../../domain/run/stored-run.ts';
import { chainIdOf } from '../../domain/run/chain.ts';
import { runNotFound, tooManyAttempts } from '../../domain/run-errors.ts';
import type { RunReading, RunRecords, TableRuns } from '../ports.ts';
import { numberedLines } from '../runs/rerun-rows.ts';
import { readOutputsOf } from '../runs/run-outputs.ts';

type ChainStore = Pick<RunReading, 'readRows'> & Pick<RunRecords, 'find' | 'attemptsOf'>;
export type RowStore = ChainStore & Pick<RunReading, 'readOutputs' | 'eachFailure' | 'readStates'>;

export type ResultRow = {
  readonly number: number;
  /** JSON; absent if it was not requested. */
  readonly input?: Uint8Array | undefined;
  /** JSON; empty for a row without output. */
  readonly output: Uint8Array;
  readonly failure?: RowFailure | undefined;
  /** How long the row took; absent if it was not requested. */
  readonly ms?: number | undefined;
};

export type ResultOptions = {
  readonly withInput: boolean;
  readonly withFailures: boolean;
  readonly withTimes?: boolean;
};

/** Maximum attempts whose rows are merged. */
export const maxMergedAttempts = 100;

/** The run as it is now; with `latest` all attempts of its chain, oldest first. Throws `run_not_found`. */
export async function rowSources(store: RowStore, runId: string, latest: boolean): Promise<StoredRun[]> {
  const found = await store.find(runId);
  if (found === undefined) throw runNotFound();
  if (!latest) return [found];
  const sources: StoredRun[] = [];
  for (const id of await attemptsOf(store, found)) {
    const attempt = id === runId ? found : await store.find(id);
    if (attempt !== undefined) sources.push(attempt);
  }
  return sources;
}

/** Ids of the runs of `rowSources`; of a run that is not stored, its id alone. */
export async function tableRuns(store: ChainStore, runId: string, latest: boolean): Promise<TableRuns> {
  const found = latest ? await store.find(runId) : undefined;
  return found === undefined ? [runId] : attemptsOf(store, found);
}

async function attemptsOf(store: ChainStore, { run }: StoredRun): Promise<readonly string[]> {
  const attempts = await store.attemptsOf(chainIdOf(run), maxMergedAttempts + 1);
  if (attempts.length > maxMergedAttempts) throw tooManyAttempts(maxMergedAttempts);
  return attempts;
}

/**
 * Rows by rising number, of several runs each row once: from the newest run that has an output for it, else from the
 * newest one in which it failed.
 * @param sources oldest first; of each, the rows that were committed then
 */
export async function* resultRows(
  store: RowStore,
  sources: readonly StoredRun[],
  options: ResultOptions,
): AsyncGenerator<ResultRow> {
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return yield* rowsOfRun(store, only, options);
  const readers = sources.map((source) => rowsOfRun(store, source, options));
  try {
    const heads = await Promise.all(readers.map(nextOf));
    for (;;) {
      const number = Math.min(...heads.map((head) => head?.number ?? Infinity));
      const same = heads.filter((head) => head?.number === number) as ResultRow[];
      if (same.length === 0) return;
      yield newestAnswer(same);
      await advance(heads, readers, number);
    }
  } finally {
    for (const reader of readers) await reader.return(undefined);
  }
}

/** Replaces the rows of that number by the next ones of their runs. */
async function advance(
  heads: (ResultRow | undefined)[],
  readers: readonly AsyncGenerator<ResultRow>[],
  number: number,
): Promise<void> {
  for (const [index, reader] of readers.entries())
    if (heads[index]?.number === number) heads[index] = await nextOf(reader);
}

const nextOf = async (reader: AsyncGenerator<ResultRow>): Promise<ResultRow | undefined> => {
  const next = await reader.next();
  return next.done === true ? undefined : next.value;
};

/** @param rows the same row in several runs, oldest first */
function newestAnswer(rows: readonly ResultRow[]): ResultRow {
  const newest =
    rows.findLast(({ output }) => output.length > 0) ??
    rows.findLast(({ failure }) => failure !== undefined) ??
    rows.at(-1);
  return newest as ResultRow;
}

async function* rowsOfRun(
  store: RowStore,
  { run, counts }: StoredRun,
  { withInput, withFailures, withTimes = false }: ResultOptions,
): AsyncGenerator<ResultRow, undefined> {
  const { runId } = run;
  const outputs = numberedLines(readOutputsOf(store, run));
  const inputs = withInput ? numberedLines(store.readRows(runId)) : none();
  const failures = withFailures ? new FailureCursor(store.eachFailure(runId)) : undefined;
  const times = withTimes ? timesOf(store, runId) : none();
  try {
    for (let left = rowsIn(counts); left > 0; left -= 1) {
      const output = await outputs.next();
      if (output.done === true) break;
      const { number, line } = output.value;
      const input = (await inputs.next()).value?.line;
      const failure = await failures?.failureOf(number);
      const ms = (await times.next()).value;
      yield { number, output: line, input, failure, ms };
    }
  } finally {
    await outputs.return(undefined);
    await inputs.return(undefined);
    await failures?.close();
  }
  return undefined;
}

/** In the place of values that are not read. */
async function* none(): AsyncGenerator<never, undefined> {}

/** Rows whose times are read at once. */
const timesAtOnce = 1_000;

/** How long each row took that has ended, by position. */
async function* timesOf(store: RowStore, runId: string): AsyncGenerator<number, undefined> {
  for (let from = 1; ; from += timesAtOnce) {
    const states = await store.readStates(runId, from, timesAtOnce);
    for (const { durationMicros } of states) yield durationMicros / 1000;
    if (states.length < timesAtOnce) return undefined;
  }
}

/** Finds the failures of rows whose numbers rise from call to call. */
class FailureCursor {
  readonly #failures: AsyncIterator<RowFailure>;
  #next: RowFailure | undefined;
  #isAtEnd = false;

  constructor(failures: AsyncIterable<RowFailure>) {
    this.#failures = failures[Symbol.asyncIterator]();
  }

  /** Undefined if the row did not fail. */
  async failureOf(number: number): Promise<RowFailure | undefined> {
    while (!this.#isAtEnd && (this.#next === undefined || this.#next.row < number)) {
      const next = await this.#failures.next();
      this.#isAtEnd = next.done === true;
      this.#next = next.done === true ? undefined : next.value;
    }
    return this.#next?.row === number ? this.#next : undefined;
  }

  async close(): Promise<void> {
    await this.#failures.return?.();
  }
}
