// Filter and order of the runs in a list. Pure functions, so that tests need no page.
import { shortId, type RunStatus, type RunView } from '#contract';
import type { RunListFilter } from '../route.ts';

/**
 * Every word must be found somewhere in what a row shows; upper and lower case are the same. An id is found by the
 * beginning of it, or of the end that is shown: anywhere in them, `500` would also be found in ids by chance.
 */
export function filterRuns(runs: readonly RunView[], { status, text }: RunListFilter): readonly RunView[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (status === undefined && words.length === 0) return runs;
  return runs.filter((run) => {
    if (status !== undefined && run.status !== status) return false;
    if (words.length === 0) return true;
    const shown = `${run.workflowId} ${run.origin} ${run.status} ${run.error ?? ''}`.toLowerCase();
    return words.every((word) => shown.includes(word) || isOfId(word, run.runId.toLowerCase()));
  });
}

/** As people type or paste it: the whole id, its last part, or what a row shows of it, with its `…` or without. */
function isOfId(word: string, id: string): boolean {
  const short = shortId(id);
  const lastPart = id.slice(id.lastIndexOf('-') + 1);
  return [id, lastPart, short, short.replace('…', '')].some((known) => known.startsWith(word));
}

export function countByStatus(runs: readonly RunView[]): ReadonlyMap<RunStatus, number> {
  const counts = new Map<RunStatus, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

/** Runs that work, or are about to. */
export const countActive = (runs: readonly RunView[]): number =>
  runs.filter(({ status }) => status === 'running' || status === 'queued' || status === 'pausing').length;

/** The ids of the runs that a list shows, newest first. */
export type HeldRuns = { readonly ids: ReadonlySet<string>; readonly oldest: string };

/** Undefined where there is none to point at. */
export function heldRuns(shown: readonly RunView[]): HeldRuns | undefined {
  const oldest = shown.at(-1);
  return oldest && { ids: new Set(shown.map(({ runId }) => runId)), oldest: oldest.runId };
}

/**
 * The list while the user hovers over it. Its runs keep their places and show their new state, even those that left the
 * filter. Newer runs wait; older ones are appended.
 * @param fitting those of all that fit the filter
 * @returns `waiting`: number of runs that wait
 */
export function holdOrder(
  held: HeldRuns | undefined,
  fitting: readonly RunView[],
  all: readonly RunView[],
): { readonly runs: readonly RunView[]; readonly waiting: number } {
  if (held === undefined) return { runs: fitting, waiting: 0 };
  const { ids, oldest } = held;
  const waiting = fitting.filter(({ runId }) => runId > oldest && !ids.has(runId)).length;
  const older = fitting.filter(({ runId }) => runId < oldest);
  const runs = [...all.filter(({ runId }) => ids.has(runId)), ...older];
  return runs.length === 0 ? { runs: fitting, waiting: 0 } : { runs, waiting };
}

/** Which part of the run's rows that is, 0 to 1. */
export const shareOf = (part: number, { rows }: RunView): number =>
  rows === 0 ? 0 : Math.min(1, part / rows);
