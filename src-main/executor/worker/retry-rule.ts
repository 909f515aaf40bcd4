import type { Retry } from '../../domain/workflow/workflow.ts';
import { longestWaitMs } from '../../domain/duration.ts';
import { matchesStatus } from '../../domain/upstream/status-class.ts';
import type { CallFailure, NodeError } from './node-error.ts';

/** The pause after failed attempt number `attempt` (from 1), in ms: `delay`, then `delay × backoff`, and so on. */
export const retryDelayMs = (retry: Retry, attempt: number): number =>
  Math.min(retry.delayMs * retry.backoff ** (attempt - 1), longestWaitMs);

/** True if the node tries again after the error. */
export function isRetried({ retryAfterMs, callFailure }: NodeError, { on }: Pick<Retry, 'on'>): boolean {
  if (retryAfterMs === Infinity) return false;
  // A mock says how a node fails, not for which reason.
  if (on !== undefined && callFailure?.kind !== 'mock')
    return callFailure !== undefined && isNamed(callFailure, on);
  return callFailure?.kind !== 'status' || !blamesRequest(callFailure.status ?? 0);
}

const isNamed = ({ kind, status = 0 }: CallFailure, on: NonNullable<Retry['on']>): boolean =>
  kind === 'status' ? matchesStatus(on, status) : on.some((failure) => failure === kind);

/** True for a status that blames the request: the same request would get it again. */
const blamesRequest = (status: number): boolean => status < 500 && !retriedStatuses.has(status);

/** Statuses below 500 that are retried: timed out, and too many requests. */
const retriedStatuses: ReadonlySet<number> = new Set([408, 429]);
