import { rowStateBytes, writeRowState } from '../../domain/run/row-state.ts';
import type { BatchResult } from '../ports.ts';

/** The result of rows that had not ended when their run was cancelled: no outputs and no trace. */
export function unfinishedRows(rows: number): BatchResult {
  const states = new Uint8Array(rows * rowStateBytes);
  const view = new DataView(states.buffer);
  for (let row = 0; row < rows; row += 1) {
    writeRowState(view, row * rowStateBytes, { state: 'unfinished', retries: 0, durationMicros: 0 });
  }
  return {
    rows,
    outputs: Buffer.alloc(rows, '\n'),
    states,
    failures: [],
    trace: new Uint8Array(),
    nodes: [],
  };
}
