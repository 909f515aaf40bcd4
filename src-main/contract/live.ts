// Messages of the event stream: everything once, then each change. A change is the whole new state of one thing. So a
// reader that was away needs only the newest of each, and receiving one twice does no harm.
import type { SettingsView } from './settings-view.ts';
import type { KeyView, RemovedRunsView, RunView, ServerInfo } from './views.ts';
import type { WorkflowView } from './workflow-views.ts';

/** As much as a page shows at first; older runs are asked for with `run.list`. */
export type LiveSnapshot = {
  readonly server: ServerInfo;
  readonly settings: SettingsView;
  /** The newest, newest first: 1,000 at most. */
  readonly runs: readonly RunView[];
  /** The runs that retention has removed; null: none. */
  readonly removed: RemovedRunsView | null;
  readonly keys: readonly KeyView[];
  readonly workflows: readonly WorkflowView[];
  /** The number of the last call to the public API; 0: there was none yet. */
  readonly newestCall: number;
};

export type LiveChange =
  | { readonly type: 'run-changed'; readonly run: RunView }
  | { readonly type: 'run-removed'; readonly runId: string }
  | { readonly type: 'runs-removed'; readonly removed: RemovedRunsView }
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
