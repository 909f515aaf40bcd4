// The actions on runs, in one table for buttons, keys and the palette.
import { canMove, count, counted, isFinal, type RunView } from '#contract';

export const runVerbs = ['pause', 'resume', 'rerun', 'rerun-failed', 'cancel', 'pin', 'unpin'] as const;
export type RunVerb = (typeof runVerbs)[number];

export const verbLabels: Readonly<Record<RunVerb, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  rerun: 'Rerun',
  'rerun-failed': 'Rerun failed rows',
  cancel: 'Cancel',
  pin: 'Pin',
  unpin: 'Unpin',
};

const pastTense = {
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
  pin: 'pinned',
  unpin: 'unpinned',
} as const;

/**
 * Confirms an action that was applied to `done` runs.
 * @param workflow name of the workflow, if the user chose a single run
 */
export function verbMessage(verb: RunVerb, done: number, workflow?: string): string {
  if (verb === 'rerun' || verb === 'rerun-failed')
    return done === 1 ? 'Rerun started' : `${count(done)} reruns started`;
  const what = workflow === undefined ? counted(done, 'run') : `Run of ${workflow}`;
  return `${what} ${pastTense[verb]}`;
}

export function mayDo(verb: RunVerb, run: RunView): boolean {
  switch (verb) {
    case 'rerun':
      return true;
    case 'rerun-failed':
      return isFinal(run.status) && run.rowsDone < run.rows;
    case 'pin':
      return !isPinned(run);
    case 'unpin':
      return isPinned(run);
    default:
      return canMove(run.status, verb);
  }
}

export const isPinned = ({ labels }: RunView): boolean => labels?.isPinned === true;

/** Those of the runs that allow the action. */
export const fitFor = (verb: RunVerb, runs: readonly RunView[]): readonly RunView[] =>
  runs.filter((run) => mayDo(verb, run));
