import type { NodeStarted } from '../protocol.ts';
import type { RowRun } from './row-run.ts';
import type { Step } from './step.ts';

/** The message before a node's code runs; it names a node of the run's workflow, as the main process knows no other. */
export const nodeStarted = (step: Step, { caller, attempt }: RowRun, timeLimitMs: number): NodeStarted => ({
  type: 'node-started',
  nodeId: caller?.nodeId ?? step.nodeId,
  attempt: caller?.attempt ?? attempt,
  allowedMs: Math.min(step.limit.computeMs, timeLimitMs),
  timeoutMessage: `${caller === undefined ? '' : `${caller.messagePrefix}node "${step.nodeId}": `}${step.limit.timeoutMessage}`,
});
