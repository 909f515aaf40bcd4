// The state of the page, derived only from messages of the live feed. Pure functions.
// INVARIANT: `runs` is newest first and holds each run once.
import type {
  ChainCounts,
  KeyView,
  LiveChange,
  LiveMessage,
  RemovedRuns,
  RunView,
  ServerInfo,
  SettingsView,
  WorkflowView,
} from '#contract';

export type LiveState = {
  readonly sequence: number;
  readonly server: ServerInfo;
  readonly settings: SettingsView;
  readonly runs: readonly RunView[];
  /** Counts of chains with several attempts, by their ids, as far as the page has heard of them. */
  readonly chains: ReadonlyMap<string, ChainCounts>;
  /** Summary of the runs that retention has removed; null: none. */
  readonly removed: RemovedRuns | null;
  readonly keys: readonly KeyView[];
  readonly workflows: readonly WorkflowView[];
  /** The number of the last call to the public API. */
  readonly newestCall: number;
};

/** The state after a message. Changes before the first snapshot, and repeated ones, are ignored. */
export function applyMessage(state: LiveState | undefined, message: LiveMessage): LiveState | undefined {
  if (message.type === 'snapshot')
    return { ...message.snapshot, chains: new Map(), sequence: message.sequence };
  if (state === undefined || message.sequence <= state.sequence) return state;
  let next: LiveState = { ...state, sequence: message.sequence };
  /** Copied at the first change of a run, so that other messages keep the same list. */
  let runs: RunView[] | undefined;
  for (const change of message.changes) {
    if (change.type === 'run-changed') putRun((runs ??= state.runs.slice()), change.run);
    else if (change.type === 'run-removed') removeRun((runs ??= state.runs.slice()), change.runId);
    else next = { ...next, ...changed(next, change) };
  }
  return runs === undefined ? next : { ...next, runs };
}

/** The state with older runs, which the page fetched separately. A run that is already known is newer and stays. */
export function addOlderRuns(state: LiveState, older: readonly RunView[]): LiveState {
  const runs = [...state.runs];
  for (const run of older) {
    const at = insertionIndex(runs, run.runId);
    if (runs[at]?.runId !== run.runId) runs.splice(at, 0, run);
  }
  return { ...state, runs };
}

/** The state with counts of chains. */
export const addChainCounts = <State extends Pick<LiveState, 'chains'>>(
  state: State,
  counts: readonly ChainCounts[],
): State => ({
  ...state,
  chains: new Map([...state.chains, ...counts.map((one) => [one.chainId, one] as const)]),
});

/** The run with that id, by binary search. */
export function runOf(runs: readonly RunView[], runId: string): RunView | undefined {
  const run = runs[insertionIndex(runs, runId)];
  return run?.runId === runId ? run : undefined;
}

function changed(
  state: LiveState,
  change: Exclude<LiveChange, { type: 'run-changed' | 'run-removed' }>,
): Partial<LiveState> {
  if (change.type === 'workflows-changed') return { workflows: change.workflows };
  if (change.type === 'settings-changed') return { settings: change.settings, server: change.server };
  if (change.type === 'runs-removed') return { removed: change.removed };
  if (change.type === 'chain-changed') return addChainCounts(state, [change.counts]);
  if (change.type === 'calls-changed') return { newestCall: change.newest };
  const isKnown = state.keys.some(({ id }) => id === change.key.id);
  const keys = isKnown
    ? state.keys.map((key) => (key.id === change.key.id ? change.key : key))
    : [...state.keys, change.key];
  return { keys };
}

function putRun(runs: RunView[], run: RunView): void {
  const at = insertionIndex(runs, run.runId);
  runs.splice(at, runs[at]?.runId === run.runId ? 1 : 0, run);
}

function removeRun(runs: RunView[], runId: string): void {
  const at = insertionIndex(runs, runId);
  if (runs[at]?.runId === runId) runs.splice(at, 1);
}

/** Index of the run, or where it belongs. Run ids begin with the time of acceptance, so they sort by it. */
function insertionIndex(runs: readonly RunView[], runId: string): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.runId ?? '') > runId) low = middle + 1;
    else high = middle;
  }
  return low;
}
