// A logged call to the public API. The log never holds a key: keys are named by their last four characters.
import type { ErrorCode } from '../../base/app-error.ts';
import type { LimitName, Operation } from '../limits/published-limits.ts';
import type { RunStatus } from '../run/run-status.ts';

/** Use of one limit: `used` of the `of` calls that it allows per minute, this call included. */
export type LimitUse = { readonly limit: LimitName; readonly used: number; readonly of: number };

/** Where a call had its key: in the right header, in another one that is named, or nowhere. */
export type KeyLocation = 'header' | 'nowhere' | { readonly elsewhere: string };

/** A call and how it was answered, without its bodies. */
export type LoggedCall = {
  /** Rises by one with each call since the server's start. */
  readonly number: number;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** `other`: none of the interface's three. */
  readonly route: Operation | 'other';
  readonly workflowId?: string;
  /** The run that is asked about, or that a trigger started. */
  readonly runId?: string;
  /** Absent: none was accepted. */
  readonly key?: { readonly id: string; readonly name: string; readonly last4: string };
  readonly keyLocation: KeyLocation;
  /** 0: there was no answer, because the client had gone or the server ended. */
  readonly status: number;
  /** The answer was not taken to its end. */
  readonly isCut?: true;
  /** Why it was refused. */
  readonly refusal?: Refusal;
  /** Status of the run, as the answer to this call reported it; absent: it reported none. */
  readonly runStatus?: RunStatus;
  readonly charged: readonly LimitUse[];
  /** Until the answer began, and until it had ended. */
  readonly firstByteMs: number;
  readonly ms: number;
  readonly sentBytes: number;
  readonly answerBytes: number;
  /** As it names itself. */
  readonly client: string;
  /** The number of the call that this one repeats. */
  readonly replayOf?: number;
};

/** True if the client got the whole answer. A client cannot follow an answer that it did not get. */
export const wasAnswered = ({ status, isCut }: Pick<LoggedCall, 'status' | 'isCut'>): boolean =>
  status !== 0 && isCut !== true;

export type Refusal = {
  readonly code: ErrorCode;
  readonly message: string;
  /** Limit that caused a 429, or `scenario` where a scenario caused it. */
  readonly limit?: string;
  readonly retryAfterSeconds?: number;
};

/** As much of a body as is kept. */
export type LoggedBody = {
  readonly text: string;
  /** Size of the whole body. */
  readonly bytes: number;
  /** `text` is the body, all of it and unchanged. */
  readonly isWhole: boolean;
};

/** Names and values, as they came; values that open something are masked. */
export type LoggedHeaders = readonly (readonly [name: string, value: string])[];

/** Headers and bodies of a call and its answer. */
export type CallContent = {
  readonly requestHeaders: LoggedHeaders;
  readonly answerHeaders: LoggedHeaders;
  readonly sent: LoggedBody;
  readonly answer: LoggedBody;
};
