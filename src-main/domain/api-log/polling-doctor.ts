// The polling doctor: finds problems of clients in their recent calls, and advises what to do instead. Pure.
// INVARIANT: advice about answers counts only calls that were answered with what it says: a call that was refused for
// another reason, or whose client was gone, told the client nothing.
// INVARIANT: a pause that it advises never breaks a limit, once all that share the limit keep to theirs.
import { callsPerMinute, type LimitName } from '../limits/published-limits.ts';
import { isFinal } from '../run/run-status.ts';
import type { LimitMode } from '../settings.ts';
import { shortId } from '../format.ts';
import { adviceLifeMs, advised, measured, type Advice, clientName } from './advice.ts';
import {
  callStreams,
  medianInterval,
  safePause,
  sharingOf,
  type CallStream,
  type Sharing,
} from './call-streams.ts';
import { wasAnswered, type LoggedCall, type Refusal } from './logged-call.ts';
import { adviseOnRefusals } from './refusal-advice.ts';

export type Consultation = {
  /** Oldest first. */
  readonly calls: readonly LoggedCall[];
  readonly limits: LimitMode;
  /** Workflows that could have been meant. */
  readonly workflowIds: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** Advice from the calls of the log, newest first. */
export function diagnose({ calls, limits, workflowIds, now }: Consultation): readonly Advice[] {
  const streams = callStreams(calls);
  const active = streams.filter(({ last }) => now - last.at < activeMs && !reportsEnd(last));
  const ward: Ward = { active, limits, now };
  const all = [
    ...streams.flatMap((stream) => [
      ...adviseOnLimit(stream, ward),
      ...adviseOnEnd(stream),
      ...adviseOnEarlyOutput(stream),
    ]),
    ...adviseOnRefusals(calls, workflowIds),
  ];
  return all
    .filter(({ lastAt, kind }) => lastsWithItsCalls.has(kind) || now - lastAt < adviceLifeMs)
    .sort((a, b) => b.lastNumber - a.lastNumber);
}

/** Advice on answers of 429 stays as long as these calls are listed. */
const lastsWithItsCalls: ReadonlySet<Advice['kind']> = new Set(['over-limit', 'scenario']);

/** A stream that was silent for longer takes nothing from the others, nor does one that has seen its run end. */
const activeMs = 2 * 60_000;

/** True if the answer reported to the client that the run has ended. */
const reportsEnd = (call: LoggedCall): boolean =>
  call.refusal === undefined && call.runStatus !== undefined && isFinal(call.runStatus) && wasAnswered(call);

/** Calls that were answered with a refusal of that kind. */
const answeredWith = ({ calls }: CallStream, code: Refusal['code']): readonly LoggedCall[] =>
  calls.filter((call) => call.refusal?.code === code && wasAnswered(call));

type Ward = { readonly active: readonly CallStream[]; readonly limits: LimitMode; readonly now: number };

function adviseOnLimit(stream: CallStream, ward: Ward): readonly Advice[] {
  const refused = answeredWith(stream, 'rate_limited');
  const byScenario = refused.filter(({ refusal }) => refusal?.limit === 'scenario');
  const byLimit = refused.filter(({ refusal }) => refusal?.limit !== 'scenario');
  const advice: Advice[] = [];
  const last = byLimit.at(-1);
  if (last !== undefined) advice.push(overLimit(stream, { ...ward, refused: byLimit, last }));
  else advice.push(...nearLimit(stream, ward));
  const spoilt = byScenario.at(-1);
  if (spoilt !== undefined) advice.push(scenarioLimit(stream, byScenario.length, spoilt));
  return advice;
}

type Refused = Ward & { readonly refused: readonly LoggedCall[]; readonly last: LoggedCall };

function overLimit(stream: CallStream, { active, limits, refused, last }: Refused): Advice {
  const limit = (last.refusal?.limit ?? stream.route) as LimitName;
  const sharing = sharingOf(stream, active);
  // Calls that were refused before the limits were changed are judged as published.
  const mode = limits === 'off' ? 'published' : limits;
  const safeMs = safePause(stream.route, sharing, mode);
  const ignored = ignoredWaits(stream, refused);
  return {
    ...adviceBase(stream, 'over-limit', last),
    isRefused: true,
    calls: refused.length,
    title: `${capital(clientName(stream.client))} ${doesTooOften[limit] ?? 'calls too often'}`,
    text: [
      safePauseText(stream, safeMs),
      `${rateText(stream)}; the limit is ${callsPerMinute(limit, mode)} calls a minute ${limitLabels[limit]}${sharingText(limit, sharing)}.`,
      ...(ignored === 0 ? [] : [`It came back ${times(ignored)} before Retry-After was over.`]),
    ].join(' '),
    ...(safeMs === undefined ? {} : { safeMs }),
  };
}

/** Fewer tell no habit. */
const minPacedCalls = 4;

/** Before anything is refused; where the limits are lifted, what they would do as published. */
function nearLimit(whole: CallStream, { active, limits, now }: Ward): readonly Advice[] {
  const stream = limitedCalls(whole);
  if (stream === undefined) return [];
  const intervalMs = medianInterval(stream);
  const safeMs = safePause(stream.route, sharingOf(whole, active), 'published');
  if (
    intervalMs === undefined ||
    safeMs === undefined ||
    stream.calls.length < minPacedCalls ||
    intervalMs >= safeMs
  )
    return [];
  // It has stopped: whatever it was about to break, it will not.
  if (now - stream.last.at > Math.max(3 * intervalMs, stoppedAfterMs)) return [];
  const isPublished = limits === 'published';
  return [
    {
      ...adviceBase(stream, 'near-limit', stream.last),
      isRefused: false,
      calls: stream.calls.length,
      title: `${capital(clientName(stream.client))} is about to call too often`,
      text: `${safePauseText(stream, safeMs)} ${rateText(stream)}. ${isPublished ? 'It will soon be refused' : 'As published, the limits would refuse it; here they are lifted'}.`,
      safeMs,
    },
  ];
}

const stoppedAfterMs = 5_000;

/** Refusals before all limits of a call are charged; see `http/public-api/create-public-api.ts`. */
const unlimitedRefusals: readonly Refusal['code'][] = [
  'rate_limited',
  'workflow_not_found',
  'key_not_allowed',
  'workflow_untrusted',
  'run_not_found',
];

/** The stream's calls that count toward its limits; undefined: none does. */
function limitedCalls(stream: CallStream): CallStream | undefined {
  const calls = stream.calls.filter(
    ({ refusal }) => refusal === undefined || !unlimitedRefusals.includes(refusal.code),
  );
  const last = calls.at(-1);
  return last === undefined ? undefined : { ...stream, calls, last };
}

function scenarioLimit(stream: CallStream, calls: number, last: LoggedCall): Advice {
  return {
    ...adviceBase(stream, 'scenario', last),
    isRefused: true,
    calls,
    title: 'A scenario answers 429 on purpose',
    text: `Wait for Retry-After and ask again: the client gets through. Run ${shortId(stream.resourceId)} has a scenario that refuses some of the calls about it.`,
  };
}

function adviseOnEnd(stream: CallStream): readonly Advice[] {
  if (stream.route !== 'status') return [];
  const [first, ...later] = stream.calls.filter(reportsEnd);
  const reportedAt = first === undefined ? Infinity : first.at + first.ms;
  const needless = later.filter(({ at }) => at >= reportedAt);
  const last = needless.at(-1);
  if (last === undefined) return [];
  return [
    {
      ...adviceBase(stream, 'finished-run', last),
      isRefused: false,
      calls: needless.length,
      title: `${capital(clientName(stream.client))} polls a run that has ended`,
      text: `Stop at completed, failed or cancelled: none of them ever changes. ${who(stream)} asked ${times(needless.length)} more for the status of run ${shortId(stream.resourceId)} after it had been told "${last.runStatus}".`,
    },
  ];
}

function adviseOnEarlyOutput(stream: CallStream): readonly Advice[] {
  const early = answeredWith(stream, 'run_not_completed');
  const last = early.at(-1);
  if (last === undefined || early.length < 2) return [];
  return [
    {
      ...adviceBase(stream, 'early-output', last),
      isRefused: true,
      calls: early.length,
      title: `${capital(clientName(stream.client))} asks for outputs too early`,
      text: `Poll the status of the run, and ask for its outputs once it says "completed". ${who(stream)} asked ${times(early.length)} for those of run ${shortId(stream.resourceId)} before.`,
    },
  ];
}

/** How often it called again before the waits of these refusals were over. */
function ignoredWaits({ calls }: CallStream, refused: readonly LoggedCall[]): number {
  const waiting = new Set(refused);
  return calls.filter((call, index) => {
    const next = calls[index + 1];
    const wait = call.refusal?.retryAfterSeconds;
    if (next === undefined || wait === undefined || !waiting.has(call)) return false;
    const answeredAt = call.at + call.ms;
    // A call that was under way already did not come back.
    return next.at >= answeredAt && next.at < answeredAt + wait * 1000 - toleranceMs;
  }).length;
}

/** Clocks are rounded, and answers take a moment. */
const toleranceMs = 250;

const adviceBase = (stream: CallStream, kind: Advice['kind'], { number, at }: LoggedCall) => ({
  id: [kind, stream.client, stream.key.id, stream.route, stream.resourceId].join(' '),
  kind,
  client: clientName(stream.client),
  lastNumber: number,
  lastAt: at,
  workflowId: stream.workflowId,
  ...(stream.route === 'trigger' ? {} : { runId: stream.resourceId }),
});

const who = ({ client, key }: CallStream): string => `${capital(clientName(client))} (key …${key.last4})`;

/** Shorter pauses are none that anybody meant. */
const restlessMs = 100;

function rateText(stream: CallStream): string {
  const intervalMs = medianInterval(stream);
  const often =
    intervalMs === undefined
      ? ''
      : intervalMs < restlessMs
        ? ' without a pause'
        : ` every ${measured(intervalMs)}`;
  const does = {
    status: `polls run ${shortId(stream.resourceId)}`,
    trigger: `starts runs of ${stream.workflowId}`,
    output: `fetches outputs of run ${shortId(stream.resourceId)}`,
  }[stream.route];
  return `${who(stream)} ${does}${often}`;
}

function safePauseText({ route }: CallStream, safeMs: number | undefined): string {
  if (safeMs === undefined)
    return 'Let one program ask and tell the others, and wait for Retry-After: no pause is safe for so many.';
  const pause = `A pause of ${advised(safeMs)} after each answer is safe, or wait for Retry-After.`;
  return route === 'trigger' ? `Send the rows of many calls as one run. ${pause}` : pause;
}

const limitLabels: Readonly<Record<LimitName, string>> = {
  trigger: 'for a key',
  'trigger-per-workflow': 'for a workflow',
  status: 'for a key',
  'status-per-run': 'for a run',
  output: 'for a key',
};

const doesTooOften: Readonly<Partial<Record<string, string>>> = {
  trigger: 'starts runs too often',
  'trigger-per-workflow': 'starts runs too often',
  status: 'polls too many runs at once',
  'status-per-run': 'polls too often',
  output: 'fetches outputs too often',
};

function sharingText(limit: LimitName, { ofKey, ofResource }: Sharing): string {
  const isPerKey = limit === 'trigger' || limit === 'status' || limit === 'output';
  const sharers = isPerKey ? ofKey : ofResource;
  if (sharers === 1) return '';
  if (!isPerKey) return `, and ${sharers} clients share it`;
  return `, and the key watches ${sharers} ${limit === 'trigger' ? 'workflows' : 'runs'}`;
}

const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
