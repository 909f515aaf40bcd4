// Trying a key out: the answer that the HTTP interface would give, and the facts of key and workflow behind it.
import type { ErrorCode } from '../base/app-error.ts';

export type KeyTest = {
  /** As it would be sent. It is neither stored nor logged. */
  readonly key: string;
  readonly workflowId: string;
  /** The run whose status the call asks for; absent for a call that starts a run. */
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
