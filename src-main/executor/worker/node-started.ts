import type { NodeStarted } from '../protocol.ts';
import type { RowRun } from './row-run.ts';
import type { Step } from './step.ts';

/** What the main process is told before a node's code runs: it knows the nodes of the run's own workflow alone. */
export const nodeStarted = (step: Step, { caller, attempt }: RowRun, timeLimitMs: number): NodeStarted => ({
  type: 'node-started',
  nodeId: caller?.nodeId ?? step.nodeId,
  attempt: caller?.attempt ?? attempt,
  allowedMs: Math.min(step.limit.computeMs, timeLimitMs),
  overtime: `${caller === undefined ? '' : `${caller.words}node "${step.nodeId}": `}${step.limit.overtime}`,
});
