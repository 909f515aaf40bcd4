import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowStateBytes, writeRowState } from '../../domain/run/row-state.ts';
import type { BatchResult } from '../ports.ts';

/** The result of a row that no worker survived: all that is known of it is why it failed. */
export function lostRow(failure: RowFailure): BatchResult {
  const states = new Uint8Array(rowStateBytes);
  writeRowState(new DataView(states.buffer), 0, { state: 'failed', retries: 0, durationMicros: 0 });
  const none = { done: 0, skipped: 0, replaced: 0, retries: 0, micros: 0, buckets: [] };
  return {
    rows: 1,
    outputs: Buffer.from('\n'),
    states,
    failures: [failure],
    trace: Buffer.from(`${JSON.stringify(failure)}\n`),
    nodes: [{ ...none, nodeId: failure.nodeId, failed: 1 }],
  };
}
