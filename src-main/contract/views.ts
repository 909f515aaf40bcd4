// The shapes that the app's pages and the command line see. No key, no hash, no path that a page has no use for.
import type { LimitMode } from '../domain/settings.ts';
import type { RunStatus } from '../domain/run/run-status.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';

export type RunView = {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: RunStatus;
  /** Who asked for it: a key's name, `app` or `cli`. */
  readonly origin: string;
  readonly rows: number;
  readonly rowsDone: number;
  readonly rowsFailed: number;
  readonly acceptedAt: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly error?: string;
  readonly rerunOf?: string;
};

/** A run with the first of its failed rows. */
export type RunDetail = RunView & { readonly failures: readonly RowFailure[] };

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
};

export type EntryLink = {
  readonly url: string;
  readonly minutes: number;
};
