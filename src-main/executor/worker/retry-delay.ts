import type { Retry } from '../../domain/workflow/workflow.ts';
import { longestWaitMs } from '../../domain/duration.ts';

/** The pause after failed attempt number `attempt` (from 1), in ms: `delay`, then `delay × backoff`, and so on. */
export const retryDelayMs = (retry: Retry, attempt: number): number =>
  Math.min(retry.delayMs * retry.backoff ** (attempt - 1), longestWaitMs);
