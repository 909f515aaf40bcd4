// Which runs a list shows and in which order. Plain, so that every rule of it is tested without a page.
import type { RunStatus, RunView } from '#contract';
import type { RunListFilter } from './place.ts';

/** Every word must be found somewhere in what a row shows; upper and lower case are the same. */
export function filterRuns(runs: readonly RunView[], { status, text }: RunListFilter): readonly RunView[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (status === undefined && words.length === 0) return runs;
  return runs.filter((run) => {
    if (status !== undefined && run.status !== status) return false;
    if (words.length === 0) return true;
    const shown =
      `${run.workflowId} ${run.runId} ${run.origin} ${run.status} ${run.error ?? ''}`.toLowerCase();
    return words.every((word) => shown.includes(word));
  });
}

export function countByStatus(runs: readonly RunView[]): ReadonlyMap<RunStatus, number> {
  const counts = new Map<RunStatus, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** Runs that work, or are about to. */
export const countActive = (runs: readonly RunView[]): number =>
  runs.filter(({ status }) => status === 'running' || status === 'queued' || status === 'pausing').length;

/**
 * The list as it may change while somebody points into it: known runs keep their places and show what is new of them,
 * newcomers at the top wait. `waiting`: how many do.
 */
export function holdOrder(
  held: readonly string[],
  runs: readonly RunView[],
): { readonly runs: readonly RunView[]; readonly waiting: number } {
  const newest = held[0];
  if (newest === undefined) return { runs, waiting: 0 };
  const shown = runs.filter(({ runId }) => runId <= newest);
  return { runs: shown, waiting: runs.length - shown.length };
}

/** Which part of the run's rows that is, 0 to 1. */
export const shareOf = (part: number, { rows }: RunView): number =>
  rows === 0 ? 0 : Math.min(1, part / rows);
