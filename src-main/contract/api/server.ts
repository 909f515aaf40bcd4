// Messages of the event stream: everything once, then each change. A change is the whole new state of one thing. So a
// reader that was away needs only the newest of each, and receiving one twice does no harm.
import type { KeyView } from '../access/keys.ts';
import type { SettingsView } from '../access/settings.ts';
import { adminChange, answer, nothing, viewer } from '../procedure.ts';
import type { RemovedRuns } from '../../domain/run/retention-file.ts';
import type { ChainCounts } from '../runs/chains.ts';
import type { RunView } from '../runs/runs.ts';
import type { WorkflowView } from '../workflows/workflows.ts';
import type { LimitMode } from '../../domain/settings.ts';

/** As much as a page shows at first; older runs are asked for with `run.list`. */
export type LiveSnapshot = {
  readonly server: ServerInfo;
  readonly settings: SettingsView;
  /** The newest, newest first: 1,000 at most. */
  readonly runs: readonly RunView[];
  /** The runs that retention has removed; null: none. */
  readonly removed: RemovedRuns | null;
  readonly keys: readonly KeyView[];
  readonly workflows: readonly WorkflowView[];
  /** The number of the last call to the public API; 0: there was none yet. */
  readonly newestCall: number;
};

export type LiveChange =
  | { readonly type: 'run-changed'; readonly run: RunView }
  | { readonly type: 'run-removed'; readonly runId: string }
  /** The counts of a chain with several attempts, twice a second at most. Those of a single run are in its view. */
  | { readonly type: 'chain-changed'; readonly counts: ChainCounts }
  | { readonly type: 'runs-removed'; readonly removed: RemovedRuns }
  | { readonly type: 'key-changed'; readonly key: KeyView }
  | { readonly type: 'settings-changed'; readonly settings: SettingsView; readonly server: ServerInfo }
  | { readonly type: 'workflows-changed'; readonly workflows: readonly WorkflowView[] }
  /** There are calls up to this number; `calls.list` has them. */
  | { readonly type: 'calls-changed'; readonly newest: number };

/**
 * One event of the stream. Sequence numbers only rise; one is left out where a later change made it needless. After a
 * snapshot nothing that was known before holds any more.
 */
export type LiveMessage =
  | { readonly type: 'snapshot'; readonly sequence: number; readonly snapshot: LiveSnapshot }
  | { readonly type: 'changes'; readonly sequence: number; readonly changes: readonly LiveChange[] };

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

export const serverProcedures = {
  'server.info': viewer(nothing, answer<ServerInfo>),
  /** A link that lets one browser in, once. */
  'server.link': adminChange(nothing, answer<EntryLink>),
};
