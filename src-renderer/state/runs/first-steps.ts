// The three steps that lead a new user from a key to a fixed run. A run counts only if the user started it in the app:
// a script that happens to call the sample has shown the user nothing.
import { isFinal, sampleId, type RunView } from '#contract';
import type { LiveState } from '../live/live-state.ts';
import type { Session } from '../live/session.svelte.ts';
import { parseRoute, type AppRoute } from '../shell/route.ts';

export type FirstSteps = {
  readonly hasKey: boolean;
  /** True if a run of the sample that was started in the app had failed rows, so that the user can see why. */
  readonly hasRun: boolean;
  readonly isFixed: boolean;
  /** The newest of these runs. */
  readonly failed: RunView | undefined;
  /** Row entry with only the failed rows; undefined if none failed. */
  readonly fixRoute: AppRoute | undefined;
};

/** The parts of the live state that decide the steps. */
type Known = Pick<LiveState, 'settings' | 'keys' | 'runs' | 'workflows'>;

/** Undefined if the user dismissed the steps or the sample has been removed. */
export function firstSteps({ settings, keys, runs, workflows }: Known): FirstSteps | undefined {
  if (settings.stored.firstSteps === 'dismissed' || !workflows.some(({ id }) => id === sampleId))
    return undefined;
  const ofSample = runs.filter(({ workflowId, origin }) => workflowId === sampleId && origin === 'app');
  const failed = ofSample.find((run) => isFinal(run.status) && run.rowsFailed > 0);
  const isFixed = ofSample.some(isFixedRun);
  return {
    hasKey: keys.some(({ revokedAt }) => revokedAt === null),
    hasRun: failed !== undefined || isFixed,
    isFixed,
    failed,
    fixRoute:
      failed === undefined
        ? undefined
        : parseRoute(`/workflows/${sampleId}/run`, `?from=${encodeURIComponent(failed.runId)}&rows=failed`),
  };
}

const isFixedRun = ({ rerunOf, status, rowsFailed }: RunView): boolean =>
  rerunOf !== undefined && status === 'completed' && rowsFailed === 0;

/**
 * Starts a run of the sample's own rows. Resolves to its id. Throws an error with a message for the user. The code is
 * loaded now, because all of row entry comes with it.
 */
export async function runSampleRows(server: Pick<Session, 'upload' | 'download'>): Promise<string> {
  const { runTestRows } = await import('../entry/entry-actions.ts');
  return runTestRows(server, sampleId);
}
