// Decides what happens to the rows of a lost worker. Pure: the run execution calls it and acts on the result.
import { newline } from '../../domain/rows/line-bytes.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowNumberAt } from '../../domain/run/row-numbers.ts';
import type { WorkflowNode } from '../../domain/workflow/workflow.ts';
import type { Plan } from '../plan.ts';
import type { RowBatch } from '../ports.ts';
import type { ForcedFault, NodeStarted } from '../protocol.ts';
import type { WorkerLoss } from '../pool/row-worker.ts';

/** Rows to be run. */
export type Work = RowBatch & {
  /** One row alone in its worker, with every node start announced. */
  readonly careful: boolean;
  readonly forced: readonly ForcedFault[];
  /** Workers that crashed on it without a reason. */
  readonly crashes: number;
};

export type Verdict =
  | { readonly kind: 'rerun'; readonly works: readonly Work[] }
  | { readonly kind: 'failed'; readonly failure: RowFailure };

/**
 * Whether the only row of a run is careful at its first try: if the plan has a code node, a node with a `timeout`, or
 * a node that calls a service, which should not get the call twice. Announcing the nodes of a small row takes as long
 * as the row. A row of expressions alone that is lost has its culprit named at the second try, like a row of a batch.
 */
export const isCarefulAlone = ({ nodes, workflows, reachesOut }: Plan): boolean =>
  reachesOut || [nodes, ...workflows.map((called) => called.nodes)].some((all) => all.some(mayBeCutOff));

const mayBeCutOff = ({ type, timeoutMs }: WorkflowNode): boolean =>
  type === 'code' || timeoutMs !== undefined;

/** A crash that is the row's own fault repeats at once and costs little; blaming a row wrongly costs its output. */
const maxCrashes = 3;

export type LossFacts = {
  readonly loss: WorkerLoss;
  /** The last node attempt that the worker announced. */
  readonly node: NodeStarted | undefined;
  /** Blamed when the row was lost before any node began. */
  readonly firstNodeId: string;
};

/**
 * Rows of a batch are rerun one by one, since any of them may be the culprit. A row that was alone has its culprit
 * named: that node is failed in the next try, so that `onError` can apply. A crash without a reason is forgiven
 * a few times: the worker may have been killed from outside.
 */
export function judgeLoss(work: Work, { loss, node, firstNodeId }: LossFacts): Verdict {
  if (!work.careful) return { kind: 'rerun', works: singleRows(work) };
  const isReasonless = loss.cause === 'crash' || node === undefined;
  if (isReasonless && work.crashes < maxCrashes)
    return { kind: 'rerun', works: [{ ...work, crashes: work.crashes + 1 }] };
  const fault = faultOf(loss, node) ?? { nodeId: firstNodeId, message: loss.message, attempts: 1 };
  const isSecondTime = work.forced.some(({ nodeId }) => nodeId === fault.nodeId);
  // Failed already and lost all the same: the cause is in the row itself or in `onError`.
  if (node === undefined || isSecondTime)
    return { kind: 'failed', failure: { row: rowNumberAt(work, 0), ...fault } };
  return { kind: 'rerun', works: [{ ...work, forced: [...work.forced, fault] }] };
}

function faultOf(loss: WorkerLoss, node: NodeStarted | undefined): ForcedFault | undefined {
  if (node === undefined) return undefined;
  const message = loss.cause === 'time' ? node.overtime : loss.message;
  return { nodeId: node.nodeId, message, attempts: node.attempt };
}

/** Cuts a batch at its line ends. */
function singleRows({ firstRow, numbers, rows, bytes, given, forced }: Work): Work[] {
  const lines = linesOf(bytes);
  const values = given === undefined ? [] : linesOf(given);
  return Array.from({ length: rows }, (_, row) => {
    const number = numbers?.[row];
    const value = values[row];
    return {
      firstRow: firstRow + row,
      ...(number === undefined ? {} : { numbers: [number] }),
      rows: 1,
      bytes: lines[row] ?? new Uint8Array(),
      ...(value === undefined ? {} : { given: value }),
      careful: true,
      forced,
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
