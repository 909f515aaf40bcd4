// Groups calls into streams: calls of one client with one key to one operation of one workflow or run. A safe pause
// between calls is computed from them.
import {
  callsPerMinute,
  resourceLimits,
  type LimitName,
  type Operation,
} from '../limits/published-limits.ts';
import { minuteMs } from '../limits/sliding-minute.ts';
import type { LimitMode } from '../settings.ts';
import type { LoggedCall } from './logged-call.ts';

export type CallStream = {
  readonly client: string;
  readonly key: NonNullable<LoggedCall['key']>;
  readonly route: Operation;
  /** The workflow (trigger) or run. */
  readonly resourceId: string;
  readonly workflowId: string;
  /** Oldest first, at least one. */
  readonly calls: readonly LoggedCall[];
  readonly last: LoggedCall;
};

/** @param calls oldest first */
export function callStreams(calls: readonly LoggedCall[]): readonly CallStream[] {
  const streams = new Map<string, Omit<CallStream, 'last'> & { calls: LoggedCall[]; last: LoggedCall }>();
  for (const call of calls) {
    const { key, route, client, workflowId = '' } = call;
    // What a person repeats by hand is no client's habit.
    if (key === undefined || route === 'other' || call.replayOf !== undefined) continue;
    const resourceId = route === 'trigger' ? workflowId : (call.runId ?? '');
    const name = JSON.stringify([client, key.id, route, resourceId]);
    const stream = streams.get(name);
    if (stream === undefined)
      streams.set(name, { client, key, route, resourceId, workflowId, calls: [call], last: call });
    else {
      stream.calls.push(call);
      stream.last = call;
    }
  }
  return [...streams.values()];
}

/** How many calls its pace is measured by. */
const pacedCalls = 10;

/** The middle one of the pauses between its last calls, beginning to beginning; undefined for a single call. */
export function medianInterval({ calls }: CallStream): number | undefined {
  const recent = calls.slice(-pacedCalls);
  const gaps = recent.slice(1).map(({ at }, index) => at - (recent[index]?.at ?? at));
  return gaps.sort((a, b) => a - b)[gaps.length >> 1];
}

/** Those that share the stream's limits with it, itself included. */
export type Sharing = { readonly ofResource: number; readonly ofKey: number };

export function sharingOf(stream: CallStream, active: readonly CallStream[]): Sharing {
  const others = active.filter((other) => other !== stream && other.route === stream.route);
  return {
    ofResource: 1 + others.filter(({ resourceId }) => resourceId === stream.resourceId).length,
    ofKey: 1 + others.filter(({ key }) => key.id === stream.key.id).length,
  };
}

/**
 * The pause after each answer, in ms, with which no stream that shares the limits is refused, whenever each begins.
 * Undefined: the streams are too many for any pause. A client that pauses p makes at most ⌈60 s / p⌉ calls in any
 * minute, so each stream may make its share of the calls, rounded down.
 */
export function safePause(route: Operation, sharing: Sharing, mode: LimitMode): number | undefined {
  const shared = resourceLimits[route];
  const pauses = [pauseFor(route, sharing.ofKey, mode)];
  if (shared !== undefined) pauses.push(pauseFor(shared, sharing.ofResource, mode));
  return pauses.includes(Infinity) ? undefined : rounded(Math.max(...pauses));
}

function pauseFor(limit: LimitName, sharers: number, mode: LimitMode): number {
  const allowed = callsPerMinute(limit, mode);
  return allowed === undefined ? 0 : minuteMs / Math.floor(allowed / sharers);
}

/** Up, to what people write: tenths of a second, and whole ones from ten on. */
const rounded = (ms: number): number => {
  const unit = ms > 10_000 ? 1_000 : 100;
  return Math.ceil(ms / unit) * unit;
};
