// The API log, the limits and the doctor, as a client sees them.
import type { HarEntry } from '../domain/api-log/har.ts';
import type { CallContent, LoggedCall } from '../domain/api-log/logged-call.ts';
import type { LimitName } from '../domain/limits/published-limits.ts';
import type { LimitMode } from '../domain/settings.ts';

export type { Advice } from '../domain/api-log/advice.ts';
export type { HarEntry } from '../domain/api-log/har.ts';
export type {
  CallContent,
  KeyLocation,
  LimitUse,
  LoggedBody,
  LoggedCall,
  LoggedHeaders,
} from '../domain/api-log/logged-call.ts';
export type { LimitName } from '../domain/limits/published-limits.ts';

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
