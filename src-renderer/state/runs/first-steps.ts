// The three steps that lead a new user from a key to a fixed run. Each step is done once its event has happened,
// whichever client caused it.
import { firstKeyName, isFinal, sampleId, type RunView } from '#contract';
import type { LiveState } from '../live/live-state.ts';
import { parseRoute, type AppRoute } from '../route.ts';

export type FirstSteps = {
  readonly hasKey: boolean;
  readonly hasRun: boolean;
  readonly isMended: boolean;
  /** The newest run of the sample that has rows to mend. */
  readonly failed: RunView | undefined;
  /** Where rows for the sample are entered. */
  readonly entry: AppRoute;
  /** Where the failed rows alone are; undefined where none failed. */
  readonly mending: AppRoute | undefined;
};

/** The parts of the live state that decide the steps. */
type Known = Pick<LiveState, 'settings' | 'keys' | 'runs' | 'workflows'>;

/** Undefined where there is no way to show: they were put away, or the sample is gone. */
export function firstSteps({ settings, keys, runs, workflows }: Known): FirstSteps | undefined {
  if (settings.stored.firstSteps === 'dismissed' || !workflows.some(({ id }) => id === sampleId))
    return undefined;
  const ofSample = runs.filter(({ workflowId }) => workflowId === sampleId);
  const failed = ofSample.find((run) => isFinal(run.status) && run.rowsFailed > 0);
  return {
    hasKey: hasOwnKey(keys),
    hasRun: ofSample.length > 0,
    isMended: ofSample.some(isMended),
    failed,
    entry: parseRoute(entryPath, ''),
    mending:
      failed === undefined
        ? undefined
        : parseRoute(entryPath, `?from=${encodeURIComponent(failed.runId)}&rows=failed`),
  };
}

const entryPath = `/workflows/${sampleId}/run`;

/** The server made the key of the first start; that key counts once a client has used it. */
const hasOwnKey = (keys: LiveState['keys']): boolean =>
  keys.some(({ name, calls, revokedAt }) => revokedAt === null && (name !== firstKeyName || calls > 0));

const isMended = ({ rerunOf, status, rowsFailed }: RunView): boolean =>
  rerunOf !== undefined && status === 'completed' && rowsFailed === 0;
