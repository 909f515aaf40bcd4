// The preview of a draft workflow: what each node gives for a few rows, without a run and without a call to a service.
import type { PathStep } from '../workflow/file-problem.ts';
import type { ValuePreview } from '../rows/preview-row.ts';
import type { Issue } from '../workflow/issue.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { MockChoice } from '../workflow/choose-mocks.ts';

/** Stand-ins that answer calls: mocks and then the cassette, the cassette alone, or none. Answers of `author.call` come first. */
export const previewModes = ['mocks', 'recorded', 'off'] as const;
export type PreviewMode = (typeof previewModes)[number];

/** The rows of a preview. `failed`: the first failed rows of a run. */
export type PreviewRowsInput =
  | { readonly of: 'testRows' }
  | { readonly of: 'rowSet'; readonly id: string }
  | { readonly of: 'failed'; readonly runId: string }
  | {
      readonly of: 'rows';
      readonly rows: readonly JsonObject[];
      /** Number of the first row; default 1. */
      readonly firstRow?: number | undefined;
      /** The mocks in use in mode `mocks`; absent: the first one of each node. */
      readonly mocks?: MockChoice | undefined;
    };

/**
 * How a node ended. `notCalled`: nothing offline answers its call. `notReached`: the row ended before it, or it waits for
 * a node that was not called or was too slow.
 */
export type PreviewState =
  'done' | 'failed' | 'skipped' | 'replaced' | 'notReached' | 'notCalled' | 'tooSlow';

/**
 * Where a value comes from, if not from the node itself: a mock, the cassette, an answer that `author.call` got, or the
 * values of the request.
 */
export type PreviewSource = 'mock' | 'recorded' | 'called' | 'kept';

/** A call as it would be made. */
export type PreviewedCall = {
  readonly method: string;
  /** Without the values of its query. */
  readonly url: string;
  readonly host: string;
  /** Names of the secrets that it would send. */
  readonly secrets: readonly string[];
  /** Maximum attempts by the `retry` of its node; absent: one. */
  readonly maxAttempts?: number;
};

export type PreviewError = {
  readonly message: string;
  /** Line of the draft at fault, from 1. */
  readonly line?: number;
};

/** `isLonger`: the value was too large to be kept, and `length` counts only the part that was. */
export type PreviewedValue = ValuePreview & { readonly isLonger?: true };

export type PreviewedNode = {
  readonly nodeId: string;
  readonly state: PreviewState;
  /** Absent: it gave none. */
  readonly value?: PreviewedValue;
  readonly from?: PreviewSource;
  readonly error?: PreviewError;
  /** Only of a skipped node: the names that its condition reads, with their values. */
  readonly reason?: string;
  /** Item count; only for nodes with `each`. */
  readonly items?: number;
  /** Attempts of all items; absent: no more than one for each. */
  readonly attempts?: number;
  /** Only of a node that was not called. */
  readonly call?: PreviewedCall;
  /** Only of a node whose value is `from` a call that a user asked for. */
  readonly called?: PreviewedCall | undefined;
};

/** The value of one expression. Neither value nor error: it gives none. With `each` it is that of the requested item. */
export type PreviewedField = {
  /** Path of the expression, from the node. Names of headers are in lower case. */
  readonly path: readonly PathStep[];
  readonly value?: PreviewedValue;
  readonly error?: string;
};

export type PreviewedRow = {
  readonly number: number;
  /** In the order of execution. */
  readonly nodes: readonly PreviewedNode[];
  /** Absent: the row has none. */
  readonly output?: PreviewedValue;
  /** Why the row failed. */
  readonly error?: PreviewError & { readonly nodeId: string };
  /** Expressions of the node that the request names. Those that wait for a node without a value are left out. */
  readonly fields?: readonly PreviewedField[];
};

export type Preview = {
  /** Why the draft does not run; empty for one that does. */
  readonly issues: readonly Issue[];
  readonly rows: readonly PreviewedRow[];
  /** The draft has no test rows, and no run: its only row is made up. */
  readonly isSampleRow?: true;
  /** The draft has no test rows: these are the first rows of its last run, with this id. */
  readonly ofRun?: string;
  /** Name of the profile whose values the variables have; absent: the defaults of the file. */
  readonly profile?: string;
  /** A newer preview of the workflow has taken its place: there are no rows. */
  readonly superseded?: true;
  /** Duration in ms. */
  readonly ms: number;
};

/** Characters of a value in a preview. */
export const maxPreviewCharacters = 300;

/** An attempt at a real call: the status of its answer, or why there is none. */
export type CallAttempt = { readonly status: number } | { readonly problem: string };

/** Result of one real call that a user asked for. */
export type CallOnce = {
  /** Absent: `problem` says why there is none. */
  readonly answer?: {
    readonly status: number;
    /** Bytes of the body. */
    readonly bytes: number;
    /** The beginning of the body; secrets are masked. */
    readonly text: string;
  };
  readonly problem?: string;
  /** Attempts that were made, in their order; the last one gave `answer` or `problem`. */
  readonly attempts: readonly CallAttempt[];
  /** Pause in ms that the node's `retry` wanted before a further attempt, which was too long to be waited for. */
  readonly skippedPauseMs?: number;
  /** The row with the answer, if there is one. */
  readonly row: PreviewedRow;
};
