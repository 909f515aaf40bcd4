// The API log, the limits and the doctor, as a client sees them.
import { z } from 'zod';
import type { Advice } from '../../domain/api-log/advice.ts';
import { answer, nothing, operatorChange, viewer } from '../procedure.ts';
import type { HarEntry } from '../../domain/api-log/har.ts';
import type { CallContent, LoggedCall } from '../../domain/api-log/logged-call.ts';
import type { LimitName } from '../../domain/limits/published-limits.ts';
import type { LimitMode } from '../../domain/settings.ts';

export type { Advice };
export type { HarEntry } from '../../domain/api-log/har.ts';
export type {
  CallContent,
  KeyLocation,
  LimitUse,
  LoggedBody,
  LoggedCall,
  LoggedHeaders,
} from '../../domain/api-log/logged-call.ts';
export type { LimitName } from '../../domain/limits/published-limits.ts';

export type CallsView = {
  /** Newest first. */
  readonly calls: readonly LoggedCall[];
  /** Numbers of the first and the last call that are kept; 0 as the last: there was none yet. */
  readonly oldest: number;
  readonly newest: number;
};

export type CallDetail = {
  readonly call: LoggedCall;
  readonly content: CallContent;
  /** Why it cannot be repeated; absent where it can. */
  readonly noReplay?: string;
};

export type HarView = {
  readonly entries: readonly HarEntry[];
  /** How many of the numbers asked for these are about; the rest is to be asked for again. */
  readonly taken: number;
};

export type LimitMeterView = {
  readonly limit: LimitName;
  readonly used: number;
  readonly of: number;
  /** The key's id, or the id of the workflow or run. */
  readonly subjectId: string;
  /** The key's name with its last characters, or the workflow's or run's id. */
  readonly subject: string;
  /** Milliseconds until one of the calls no longer counts, and until none does. */
  readonly nextFreeMs: number;
  readonly allFreeMs: number;
};

export type LimitsView = {
  readonly mode: LimitMode;
  /** Those in use now, the fullest first; 100 at most. */
  readonly meters: readonly LimitMeterView[];
};

const number = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const oneCall = z.strictObject({ number });

/** About 400 KB of calls. */
const maxCallsAtOnce = 1_000;

export const apiLogProcedures = {
  /** Newest first; with `after`, the next ones after it. */
  'calls.list': viewer(
    z.strictObject({
      after: number.exactOptional(),
      before: number.exactOptional(),
      limit: z.number().int().min(1).max(maxCallsAtOnce).exactOptional(),
    }),
    answer<CallsView>,
  ),
  /** With headers and the beginnings of both bodies. */
  'calls.show': viewer(oneCall, answer<CallDetail>),
  /** As HTTP Archive entries: about 1 MB of them, from the first number on. */
  'calls.har': viewer(z.strictObject({ numbers: z.array(number).max(2_000) }), answer<HarView>),
  /** Makes the call once more, in the name of its key; the answer is the new call's number. */
  'calls.replay': operatorChange(oneCall, answer<{ number: number }>),
  /** Advice on mistakes that clients make, the newest first. */
  'calls.advice': viewer(nothing, answer<readonly Advice[]>),
  'limits.show': viewer(nothing, answer<LimitsView>),
};
