// Results of rows that no worker has finished.
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowStateBytes, writeRowState } from '../../domain/run/row-state.ts';
import type { BatchResult } from '../../domain/run/stored-run.ts';

/** The result of a row that has failed because its worker was lost. */
export function lostRow(failure: RowFailure): BatchResult {
  const none = { done: 0, skipped: 0, replaced: 0, retries: 0, micros: 0, buckets: [] };
  return {
    rows: 1,
    outputs: Buffer.from('\n'),
    states: statesOf(1, 'failed'),
    failures: [failure],
    trace: Buffer.from(`${JSON.stringify(failure)}\n`),
    nodes: [{ ...none, nodeId: failure.nodeId, failed: 1 }],
  };
}

/** The result of rows that had not ended when their run was cancelled: no outputs and no trace. */
export const unfinishedRows = (rows: number): BatchResult => ({
  rows,
  outputs: Buffer.alloc(rows, '\n'),
  states: statesOf(rows, 'unfinished'),
  failures: [],
  trace: new Uint8Array(),
  nodes: [],
});

function statesOf(rows: number, state: 'failed' | 'unfinished'): Uint8Array {
  const states = new Uint8Array(rows * rowStateBytes);
  const view = new DataView(states.buffer);
  for (let row = 0; row < rows; row += 1)
    writeRowState(view, row * rowStateBytes, { state, retries: 0, durationMicros: 0 });
  return states;
}
