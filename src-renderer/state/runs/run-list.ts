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

/** Number of chains per choice. A chain counts once for each choice that one of its attempts fits. */
export const countByChoice = (chains: readonly Chain[]): ReadonlyMap<RunChoice, number> =>
  countChains(chains, (run) =>
    endedRows(run).rowsFailed > 0 ? [run.status, 'with-failures'] : [run.status],
  );

/** Number of chains per mark; a chain may have several. */
export const countByMark = (chains: readonly Chain[]): ReadonlyMap<RunMark, number> =>
  countChains(chains, marksOf);

type Chain = { readonly attempts: readonly RunView[] };

function countChains<Name>(
  chains: readonly Chain[],
  namesOf: (run: RunView) => readonly Name[],
): ReadonlyMap<Name, number> {
  const counts = new Map<Name, number>();
  for (const { attempts } of chains)
    for (const name of new Set(attempts.flatMap(namesOf))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Number of chains that the runs are attempts of. */
export const numberOfChains = (runs: readonly RunView[]): number =>
  new Set(runs.map(({ runId, chainId }) => chainId ?? runId)).size;

/** Number of runs that are running, queued or pausing. */
export const countActive = (runs: readonly RunView[]): number =>
  runs.filter(({ status }) => status === 'running' || status === 'queued' || status === 'pausing').length;

/** The newest run of each workflow, by its id, the workflow that ran last first. @param runs newest first */
export function lastRunOfEach(runs: readonly RunView[]): ReadonlyMap<string, RunView> {
  const last = new Map<string, RunView>();
  for (const run of runs) if (!last.has(run.workflowId)) last.set(run.workflowId, run);
  return last;
}

/** Share of the run's rows, 0 to 1. */
export const shareOf = (part: number, { rows }: Pick<RunView, 'rows'>): number =>
  rows === 0 ? 0 : Math.min(1, part / rows);
