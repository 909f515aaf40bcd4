import type { Retry } from '../../domain/workflow/workflow.ts';
import { longestWaitMs } from '../../domain/duration.ts';
import type { NodeError } from './node-error.ts';

/** The pause after failed attempt number `attempt` (from 1), in ms: `delay`, then `delay × backoff`, and so on. */
export const retryDelayMs = (retry: Retry, attempt: number): number =>
  Math.min(retry.delayMs * retry.backoff ** (attempt - 1), longestWaitMs);

/** True if another attempt may succeed after the error. */
export function isRetried({ retryAfterMs, callFailure }: NodeError): boolean {
  if (retryAfterMs === Infinity) return false;
  return callFailure?.kind !== 'status' || !blamesRequest(callFailure.status ?? 0);
}

/** True for a status that blames the request: the same request would get it again. */
const blamesRequest = (status: number): boolean => status < 500 && !retriedStatuses.has(status);

/** Statuses below 500 that are retried: timed out, and too many requests. */
const retriedStatuses: ReadonlySet<number> = new Set([408, 429]);
