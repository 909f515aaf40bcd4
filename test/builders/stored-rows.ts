// Rows and results as a store keeps them. Each contains its number.
import type { RowFailure } from '../../src-main/domain/run/row-failure.ts';
import { rowStateBytes, writeRowState } from '../../src-main/domain/run/row-state.ts';
import type { BatchResult } from '../../src-main/domain/run/stored-run.ts';
import { queuedRun } from './run-record.ts';

export const runIdOf = (n: number): string => `0197a000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The record of run number `n`. */
export const runOf = (n: number, rows: number, overrides: Parameters<typeof queuedRun>[0] = {}) =>
  queuedRun({ runId: runIdOf(n), rows, ...overrides });

export const rowLine = (row: number): string => `{"row":${row},"text":"é${'x'.repeat(row % 7)}"}\n`;
/** Every fifth row has no output. */
export const outputLine = (row: number): string => (row % 5 === 0 ? '\n' : `{"output":${row}}\n`);
export const linesOf = (line: (row: number) => string, first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => line(first + index)).join('');

const failureOf = (row: number): RowFailure => ({
  row,
  nodeId: 'check',
  message: `no ${row} é`,
  attempts: 1,
});

/** The failures of rows 1 to `rows`. */
export const failuresOf = (rows: number): RowFailure[] =>
  Array.from({ length: Math.floor(rows / 5) }, (_, index) => failureOf(5 * (index + 1)));

/** True if the row has a trace in `resultsOf`. */
export const isTraced = (row: number): boolean => row % 5 === 0 || row % 2 === 0;

/** The results of rows `first` to `last`: every fifth fails, and every second of the others has a trace. */
export function resultsOf(first: number, last: number): Omit<BatchResult, 'failures'> {
  const rows = last - first + 1;
  const states = new Uint8Array(rows * rowStateBytes);
  const traces: string[] = [];
  for (let row = first; row <= last; row += 1) {
    const state = row % 5 === 0 ? 'failed' : 'done';
    writeRowState(new DataView(states.buffer), (row - first) * rowStateBytes, {
      state,
      retries: row % 3,
      durationMicros: row,
    });
    if (state === 'failed')
      traces.push(`${JSON.stringify(failureOf(row)).slice(0, -1)},"nodes":[[1,${row},1]]}\n`);
    else if (isTraced(row)) traces.push(`{"row":${row},"nodes":[${row}],"values":[[0,{}]]}\n`);
  }
  const failed = Math.floor(last / 5) - Math.floor((first - 1) / 5);
  const none = { skipped: 0, replaced: 0, retries: 0, micros: rows, buckets: [1, rows] };
  return {
    rows,
    outputs: Buffer.from(linesOf(outputLine, first, last)),
    states,
    trace: Buffer.from(traces.join('')),
    nodes: [{ nodeId: 'check', done: rows - failed, failed, ...none }],
  };
}

/** The results of one row that is done, with that output line. */
export function resultOf(output: string): Omit<BatchResult, 'failures'> {
  const states = new Uint8Array(rowStateBytes);
  writeRowState(new DataView(states.buffer), 0, { state: 'done', retries: 0, durationMicros: 1 });
  return { rows: 1, outputs: Buffer.from(output), states, trace: new Uint8Array(), nodes: [] };
}

export async function textOf(chunks: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of chunks) parts.push(bytes);
  return Buffer.concat(parts).toString();
}
