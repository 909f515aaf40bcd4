// Trying a key out: what the HTTP interface would answer it, and what of key and workflow makes it so.
import type { ErrorCode } from '../base/app-error.ts';

export type KeyTest = {
  /** As it would be sent. It is neither stored nor logged. */
  readonly key: string;
  readonly workflowId: string;
  /** Of a call for this run's status; without it of one that starts a run. */
  readonly runId?: string | undefined;
};

export type KeyTestView = {
  readonly status: number;
  /** JSON, as it would be sent. */
  readonly body: string;
  /** Absent where nothing is refused. */
  readonly refusal?: ErrorCode;
  readonly retryAfterSeconds?: number;
  /** The key that it is; absent for one that is none of ours. */
  readonly key?: {
    readonly name: string;
    readonly workflows: readonly string[] | null;
    readonly revokedAt: string | null;
  };
  /** A workflow or a key that was likely meant: the same but for a slip. */
  readonly meant?: { readonly workflowId?: string; readonly isKeyWithoutBlanks?: true };
  /** Errors of the workflow's file. */
  readonly problems?: readonly string[];
};
