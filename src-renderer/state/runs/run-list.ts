// Filter and order of the runs in a list. Pure functions, so that tests need no page.
import { marksOf, marksText, outcomeText, shortId, type RunMark, type RunView } from '#contract';
import { endedRows } from '../../format/live-counts.ts';
import { isPinned } from '../run/run-verbs.ts';
import type { RunChoice, RunListFilter } from '../shell/route.ts';

/**
 * Runs whose text contains every word; case is ignored. The id of a run matches only at its beginning or at the beginning
 * of its short form: otherwise `500` would match ids by chance.
 * @param nameOf name of a workflow
 */
export function filterRuns(
  runs: readonly RunView[],
  filter: RunListFilter,
  nameOf: (workflowId: string) => string = (id) => id,
): readonly RunView[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return runs.filter((run) => {
    if (!isChosen(run, filter)) return false;
    if (words.length === 0) return true;
    const { workflowId, origin, error = '' } = run;
    const texts = [workflowId, nameOf(workflowId), origin, outcomeText(run), marksText(run), error];
    const shown = [...texts, ...labelTexts(run)].join(' ').toLowerCase();
    return words.every((word) => shown.includes(word) || isOfId(word, run.runId.toLowerCase()));
  });
}

const isChosen = (run: RunView, { status, mark, isPinned: pinnedOnly, tag }: RunListFilter): boolean =>
  (status === undefined || isOf(status, run)) &&
  (mark === undefined || marksOf(run).includes(mark)) &&
  (pinnedOnly === undefined || isPinned(run)) &&
  (tag === undefined || run.labels?.tags?.includes(tag) === true);

const labelTexts = ({ labels: { name = '', note = '', tags = [] } = {} }: RunView): readonly string[] => [
  name,
  note,
  ...tags,
];

const isOf = (choice: RunChoice, run: RunView): boolean =>
  choice === 'with-failures' ? endedRows(run).rowsFailed > 0 : run.status === choice;

/** True for the beginning of the whole id, of its last part, or of the short form with or without its `…`. */
function isOfId(word: string, id: string): boolean {
  const short = shortId(id);
  const lastPart = id.slice(id.lastIndexOf('-') + 1);
  return [id, lastPart, short, short.replace('…', '')].some((known) => known.startsWith(word));
}

/** Number of runs per choice; a run with failed rows counts by its status too. */
export function countByChoice(runs: readonly RunView[]): ReadonlyMap<RunChoice, number> {
  const counts = new Map<RunChoice, number>();
  const add = (choice: RunChoice): unknown => counts.set(choice, (counts.get(choice) ?? 0) + 1);
  for (const run of runs) {
    add(run.status);
    if (endedRows(run).rowsFailed > 0) add('with-failures');
  }
  return counts;
}

/** Number of runs per mark; a run may have several. */
export function countByMark(runs: readonly RunView[]): ReadonlyMap<RunMark, number> {
  const counts = new Map<RunMark, number>();
  for (const mark of runs.flatMap(marksOf)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

/** Number of runs that are running, queued or pausing. */
export const countActive = (runs: readonly RunView[]): number =>
  runs.filter(({ status }) => status === 'running' || status === 'queued' || status === 'pausing').length;

/** The newest run of each workflow, by its id, the workflow that ran last first. @param runs newest first */
export function lastRunOfEach(runs: readonly RunView[]): ReadonlyMap<string, RunView> {
  const last = new Map<string, RunView>();
  for (const run of runs) if (!last.has(run.workflowId)) last.set(run.workflowId, run);
  return last;
}

/** The ids of the runs that a list shows, newest first. */
export type FrozenRuns = { readonly ids: ReadonlySet<string>; readonly oldest: string };

/** Undefined if the list is empty. */
export function freezeRuns(shown: readonly RunView[]): FrozenRuns | undefined {
  const oldest = shown.at(-1);
  return oldest && { ids: new Set(shown.map(({ runId }) => runId)), oldest: oldest.runId };
}

/**
 * The list while the user hovers over it. Its runs keep their positions and show their new state, even if they no longer
 * match the filter. Newer runs wait; older ones are appended.
 * @param fitting runs that match the filter
 * @returns `waiting`: number of runs that wait
 */
export function applyFrozenOrder(
  frozen: FrozenRuns | undefined,
  fitting: readonly RunView[],
  all: readonly RunView[],
): { readonly runs: readonly RunView[]; readonly waiting: number } {
  if (frozen === undefined) return { runs: fitting, waiting: 0 };
  const { ids, oldest } = frozen;
  const waiting = fitting.filter(({ runId }) => runId > oldest && !ids.has(runId)).length;
  const older = fitting.filter(({ runId }) => runId < oldest);
  const runs = [...all.filter(({ runId }) => ids.has(runId)), ...older];
  return runs.length === 0 ? { runs: fitting, waiting: 0 } : { runs, waiting };
}

/** Share of the run's rows, 0 to 1. */
export const shareOf = (part: number, { rows }: RunView): number =>
  rows === 0 ? 0 : Math.min(1, part / rows);
