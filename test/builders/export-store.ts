// Runs in memory for exports, with the questions that an export asks a store.
import type { RowFailure } from '../../src-main/domain/run/row-failure.ts';
import type { RowLines } from '../../src-main/domain/run/row-numbers.ts';
import type { StoredRun } from '../../src-main/domain/run/stored-run.ts';
import type { RowStore } from '../../src-main/services/results/latest-rows.ts';
import type { RunExport } from '../../src-main/services/results/run-export.ts';

export type StoredRows = {
  /** Input and output of each row by its number, and how long it took; without an output the row failed. */
  readonly rows: readonly (readonly [
    number: number,
    input: object,
    output?: object | undefined,
    ms?: number,
  ])[];
};

/** A store that holds these runs; its methods are those that an export uses. */
export function storeOf(runs: Readonly<Record<string, StoredRows>>): RowStore {
  const lines = async function* (runId: string, of: 1 | 2): AsyncGenerator<RowLines> {
    for (const [index, row] of (runs[runId]?.rows ?? []).entries()) {
      const text = row[of] === undefined ? '' : JSON.stringify(row[of]);
      yield await Promise.resolve({
        firstRow: index + 1,
        numbers: [row[0]],
        bytes: Buffer.from(`${text}\n`),
      });
    }
  };
  return {
    find: (runId) => {
      const rows = runs[runId]?.rows.length;
      if (rows === undefined) return Promise.resolve(undefined);
      return Promise.resolve({
        run: { runId, rows, status: 'completed' },
        counts: { rowsDone: rows, rowsFailed: 0 },
      } as StoredRun);
    },
    attemptsOf: () => Promise.resolve(Object.keys(runs).sort()),
    readRows: (runId) => lines(runId, 1),
    readOutputs: (runId) => lines(runId, 2),
    readStates: (runId, from, count) =>
      Promise.resolve(
        (runs[runId]?.rows ?? []).slice(from - 1, from - 1 + count).map(([, , output, ms = 1]) => ({
          state: output === undefined ? 'failed' : 'done',
          retries: 0,
          durationMicros: ms * 1_000,
        })),
      ),
    async *eachFailure(runId): AsyncGenerator<RowFailure> {
      for (const [row, , output] of runs[runId]?.rows ?? [])
        if (output === undefined)
          yield await Promise.resolve({ row, nodeId: 'check', message: `bad in ${runId}`, attempts: 1 });
    },
  };
}

/** The store's answer to any selection with conditions: the rows with these numbers. */
export const queriesOf = (numbers: readonly number[]): RunExport['queries'] => ({
  selectNumbers: (_, { from }) =>
    Promise.resolve({ isReady: true, numbers: Uint32Array.from(numbers.slice(from - 1)), there: 9 }),
});
