// The actions on runs, in one table for buttons, keys and the palette.
import { canMove, isFinal, type RunView } from '#contract';

export const runVerbs = ['pause', 'resume', 'rerun', 'rerun-failed', 'cancel'] as const;
export type RunVerb = (typeof runVerbs)[number];

export const verbLabels: Readonly<Record<RunVerb, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  rerun: 'Rerun',
  'rerun-failed': 'Rerun failed rows',
  cancel: 'Cancel',
};

/** Past tense, for the message of success. */
export const verbDone: Readonly<Record<RunVerb, string>> = {
  pause: 'paused',
  resume: 'resumed',
  rerun: 'rerun',
  'rerun-failed': 'rerun',
  cancel: 'cancelled',
};

export function mayDo(verb: RunVerb, run: RunView): boolean {
  switch (verb) {
    case 'rerun':
      return true;
    case 'rerun-failed':
      return isFinal(run.status) && run.rowsDone < run.rows;
    default:
      return canMove(run.status, verb);
  }
}

/** Those of the runs that allow the action. */
export const fitFor = (verb: RunVerb, runs: readonly RunView[]): readonly RunView[] =>
  runs.filter((run) => mayDo(verb, run));
