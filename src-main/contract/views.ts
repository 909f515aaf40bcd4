// The shapes that the app's pages and the command line see. No key, no hash, no path that a page has no use for.
import type { JsonObject } from '../base/json-value.ts';
import type { LimitMode } from '../domain/settings.ts';
import type { RunLabels } from '../domain/run/run-labels.ts';
import type { SpentBudget } from '../domain/run/spent-budget.ts';
import type { RunMode } from '../domain/run/run-mode.ts';
import type { RunStatus } from '../domain/run/run-status.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';

export type RunView = {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: RunStatus;
  /** Who asked for it: a key's name, `app` or `cli`; on a team server with the name of the user's token: `app (Ada)`. */
  readonly origin: string;
  readonly rows: number;
  readonly rowsDone: number;
  readonly rowsFailed: number;
  readonly acceptedAt: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** When it came to rest by a pause; absent while it works. */
  readonly pausedAt?: string;
  /** How long it has rested in pauses that are over; absent: in none. */
  readonly pausedMs?: number;
  /** Rows that have ended and are kept back until the row at that position has ended too; absent: none. */
  readonly waiting?: { readonly rows: number; readonly forRow: number };
  /** Rows that have ended and are not stored yet; absent: none. The counts above are of stored rows. */
  readonly unsaved?: { readonly rowsDone: number; readonly rowsFailed: number };
  /** Rows that wait in a node, by position, 200 at most; absent: none. */
  readonly running?: readonly {
    readonly position: number;
    readonly nodeId: string;
    /** In ms since 1970. */
    readonly sinceMs: number;
  }[];
  readonly error?: string;
  readonly rerunOf?: string;
  /** The run has some of these rows; the others can be run later. */
  readonly sample?: { readonly rows: number; readonly choice: string };
  /** The run has the rows that the sample `rerunOf` left out. */
  readonly isRest?: true;
  /** Name, note, tags and pin; absent: none. */
  readonly labels?: RunLabels;
  /** Where its calls are answered; absent: `live`. */
  readonly mode?: RunMode;
  /** The name of a mock by the node that it stands in for; absent: none. */
  readonly mocks?: Readonly<Record<string, string>>;
  /** The run's scenario, as text. */
  readonly scenario?: string;
  /** It is paused since its models have used the tokens of its budget. */
  readonly spentBudget?: SpentBudget;
  /** Repeated from this node on; in so many rows the nodes before it have the values of that run. */
  readonly from?: { readonly nodeId: string; readonly rows: number };
  /** Name of the profile that gave its variables their values; absent: the defaults of the file. */
  readonly profile?: string;
};

/** The runs that retention has removed so far. */
export type RemovedRunsView = {
  /** All runs that it has removed so far. */
  readonly runs: number;
  /** When it last removed any. */
  readonly lastAt: string;
  /** The limits that the last removal followed: an age in days, a size of the store in 10^9 bytes. */
  readonly limits: { readonly days?: number; readonly gigabytes?: number };
};

/** A run with the first of its failed rows, and the runs that it is linked to. */
export type RunDetail = RunView & {
  /** Values of the variables of its workflow; absent: it has none. */
  readonly vars?: JsonObject;
  readonly failures: readonly RowFailure[];
  /** Why they could not be read: then there are none in `failures`. */
  readonly failuresProblem?: string;
  /** Ids of runs that repeat it, newest first; 100 at most. */
  readonly reruns: readonly string[];
  /** The run that it repeats is not stored any more. */
  readonly isOriginalGone?: true;
  /** The oldest stored run that it repeats, directly or by way of others; absent if there is none. */
  readonly originalRunId?: string;
};

export type BulkResult = {
  readonly runId: string;
  /** `left`: it no longer fits the filter. `refused`: see the reason. */
  readonly outcome: 'moved' | 'left' | 'refused';
  /** After the call; absent when there is no such run. */
  readonly status?: RunStatus;
  readonly reason?: string;
  /** The run that repeats it. */
  readonly newRunId?: string;
};

/** The result of a bulk call for each run. */
export type BulkView = {
  readonly results: readonly BulkResult[];
  /** Runs that fit and were beyond the limit. */
  readonly remaining: number;
};

export type KeyView = {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  /** null: all workflows. */
  readonly workflows: readonly string[] | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly calls: number;
  readonly revokedAt: string | null;
};

/** `secret` is shown here and never again. */
export type CreatedKey = { readonly key: KeyView; readonly secret: string };

export type ServerInfo = {
  readonly version: string;
  readonly url: string;
  readonly dataDir: string;
  readonly limits: LimitMode;
  readonly startedAt: string;
  /** Why no workflow file is changed on this server; absent: they can be. */
  readonly readOnly?: string;
};

export type EntryLink = {
  readonly url: string;
  readonly minutes: number;
};
