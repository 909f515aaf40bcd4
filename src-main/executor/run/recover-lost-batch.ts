// Decides what happens to the rows of a lost worker. Pure: the run execution calls it and acts on the result.
import { newline } from '../../domain/rows/line-bytes.ts';
import { actionOf } from '../../domain/nodes/catalogue.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowNumberAt } from '../../domain/run/row-numbers.ts';
import type { WorkflowNode } from '../../domain/workflow/workflow.ts';
import type { Plan } from '../plan.ts';
import type { RowBatch } from '../ports.ts';
import type { PresetFailure, NodeStarted } from '../protocol.ts';
import type { WorkerLoss } from '../pool/row-worker.ts';

/** A batch that waits for a worker, or that a worker has not finished. */
export type PendingBatch = RowBatch & {
  /** True if it is one row, alone in its worker, with every node start announced. */
  readonly isolated: boolean;
  readonly presetFailures: readonly PresetFailure[];
  /** Number of workers that crashed on it without a reason. */
  readonly crashes: number;
};

export type RecoveryAction =
  | { readonly kind: 'rerun'; readonly batches: readonly PendingBatch[] }
  | { readonly kind: 'failed'; readonly failure: RowFailure };

/**
 * True if the only row of a run is isolated at its first try: the plan has a code node, a node with a `timeout`, or
 * a node that calls a service, which should not get the call twice. Announcing the nodes of a small row takes as long
 * as the row. For a lost row that only has expressions, the node is found at the second try, as for a row of a batch.
 */
export const startsIsolated = ({ nodes, workflows, reachesOut }: Plan): boolean =>
  reachesOut || [nodes, ...workflows.map((called) => called.nodes)].some((all) => all.some(mayBeCutOff));

const mayBeCutOff = ({ type, timeoutMs }: WorkflowNode): boolean =>
  actionOf(type) === 'code' || timeoutMs !== undefined;

/** Maximum crashes of a row without a reason. A row that causes a crash causes it again; an innocent row must not fail. */
const maxCrashes = 3;

type LossDetails = {
  readonly loss: WorkerLoss;
  /** The last node attempt that the worker announced. */
  readonly node: NodeStarted | undefined;
  /** Node that gets the failure if the row was lost before any node began. */
  readonly firstNodeId: string;
};

/**
 * Reruns the rows of a batch one by one, since any of them may be the cause. For a row that was alone, the node is known:
 * the next try fails that node, so that `onError` can apply. A crash without a reason is repeated a few times first:
 * the worker may have been killed from outside.
 */
export function recoverLostBatch(
  batch: PendingBatch,
  { loss, node, firstNodeId }: LossDetails,
): RecoveryAction {
  if (!batch.isolated) return { kind: 'rerun', batches: batchesOfOneRow(batch) };
  const isReasonless = loss.cause === 'crash' || node === undefined;
  if (isReasonless && batch.crashes < maxCrashes)
    return { kind: 'rerun', batches: [{ ...batch, crashes: batch.crashes + 1 }] };
  const failure = failureOf(loss, node) ?? { nodeId: firstNodeId, message: loss.message, attempts: 1 };
  const isSecondTime = batch.presetFailures.some(({ nodeId }) => nodeId === failure.nodeId);
  // The node was failed before and the worker was lost again: the cause is the row itself or `onError`.
  if (node === undefined || isSecondTime)
    return { kind: 'failed', failure: { row: rowNumberAt(batch, 0), ...failure } };
  return { kind: 'rerun', batches: [{ ...batch, presetFailures: [...batch.presetFailures, failure] }] };
}

function failureOf(loss: WorkerLoss, node: NodeStarted | undefined): PresetFailure | undefined {
  if (node === undefined) return undefined;
  const message = loss.cause === 'time' ? node.timeoutMessage : loss.message;
  return { nodeId: node.nodeId, message, attempts: node.attempt };
}

/** Cuts a batch at its line ends. */
function batchesOfOneRow({
  firstRow,
  numbers,
  rows,
  bytes,
  reusedValues,
  presetFailures,
}: PendingBatch): PendingBatch[] {
  const lines = linesOf(bytes);
  const values = reusedValues === undefined ? [] : linesOf(reusedValues);
  return Array.from({ length: rows }, (_, row) => {
    const number = numbers?.[row];
    const value = values[row];
    return {
      firstRow: firstRow + row,
      ...(number === undefined ? {} : { numbers: [number] }),
      rows: 1,
      bytes: lines[row] ?? new Uint8Array(),
      ...(value === undefined ? {} : { reusedValues: value }),
      isolated: true,
      presetFailures,
      crashes: 0,
    };
  });
}

/** Each line with its newline. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    lines.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  return lines;
}
