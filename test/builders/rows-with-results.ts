// Runs of rows that are written out, with what came of each.
import type { JsonObject, JsonValue } from '../../src-main/base/json-value.ts';
import type { StoredCell } from '../../src-main/domain/results/node-cell.ts';
import { rowStateBytes, writeRowState, type RowState } from '../../src-main/domain/run/row-state.ts';
import type { OpenedStores } from './run-stores.ts';
import { runOf } from './stored-rows.ts';

/** A row with what came of it: an output, a failure, or nothing. */
export type StoredRow = {
  readonly number: number;
  readonly input: JsonObject;
  readonly output?: JsonObject;
  readonly state: RowState['state'] | undefined;
  /** Only of a failed row. */
  readonly failure?: { readonly nodeId: string; readonly message: string };
  /** How long it took; absent: 0.001 ms. */
  readonly ms?: number;
  readonly retries?: number;
  /** Cells of its nodes and the values that they gave; absent: no trace is kept, of a failed row only why it failed. */
  readonly cells?: readonly StoredCell[];
  readonly values?: readonly (readonly [nodeIndex: number, value: JsonValue])[];
};

/** Names that are hard for SQL and JSON paths. */
export const hostileNames = [
  'plain',
  'a.b',
  '$',
  '$.a',
  '"',
  "'; drop table runs --",
  '[0]',
  '',
  '\u0000',
  '\ud800',
  '__proto__',
];

export const done = (number: number, input: JsonObject, output: JsonObject): StoredRow => ({
  number,
  input,
  output,
  state: 'done',
});

/** Stores a run with its results, committed a few rows at a time. Returns the run's id. */
export async function storeRun(
  stores: Pick<OpenedStores, 'runs'>,
  [runNumber, rows, overrides]: readonly [number, readonly StoredRow[], Parameters<typeof runOf>[2]?],
  rowsInCommit = 7,
): Promise<string> {
  const run = runOf(runNumber, rows.length, overrides);
  const writer = await stores.runs.openRunWriter();
  if (rows.some(({ number }, index) => number !== index + 1))
    writer.setNumbers(rows.map(({ number }) => number));
  const lines = Buffer.from(rows.map(({ input }) => `${JSON.stringify(input)}\n`).join(''));
  // As a request arrives: in chunks that end anywhere.
  for (let at = 0; at < lines.length; at += 65_536)
    await writer.append({ bytes: lines.subarray(at, at + 65_536) });
  await writer.commit(run);
  await commitResults(stores, run.runId, rows, rowsInCommit);
  return run.runId;
}

/** Commits the results of rows that have a state, after those that are committed. */
export async function commitResults(
  stores: Pick<OpenedStores, 'runs'>,
  runId: string,
  rows: readonly StoredRow[],
  rowsInCommit = 7,
): Promise<void> {
  const results = await stores.runs.openResults(runId, (await stores.runs.readCounts(runId)).rowsDone === 0);
  const ended = rows.filter(({ state }) => state !== undefined);
  for (let first = 0; first < ended.length; first += rowsInCommit) {
    const batch = ended.slice(first, first + rowsInCommit);
    const states = new Uint8Array(batch.length * rowStateBytes);
    for (const [index, { state = 'done', retries = 0, ms = 0.001 }] of batch.entries())
      writeRowState(new DataView(states.buffer), index * rowStateBytes, {
        state,
        retries,
        durationMicros: ms * 1_000,
      });
    const outputs = batch.map(({ output }) => (output === undefined ? '\n' : `${JSON.stringify(output)}\n`));
    await results.commit({
      rows: batch.length,
      outputs: Buffer.from(outputs.join('')),
      states,
      trace: Buffer.from(batch.map(traceOf).join('')),
      nodes: [],
    });
  }
}

function traceOf({ number, failure, cells, values }: StoredRow): string {
  if (failure === undefined && cells === undefined) return '';
  const line = {
    row: number,
    ...(failure === undefined ? {} : { ...failure, attempts: 1 }),
    ...(cells === undefined ? {} : { nodes: cells }),
    ...(values === undefined ? {} : { values }),
  };
  return `${JSON.stringify(line)}\n`;
}
