// What the palette offers for the run on screen: the same actions as its buttons.
import { isFinal, type RunView } from '#contract';
import type { Command } from '../shell/rank-commands.ts';
import type { RunTab } from '../shell/route.ts';
import type { NextSteps, StepId } from './next-step.ts';
import { isPinned } from './run-verbs.ts';

/** Actions on the run, for the buttons of its page and the palette. */
type Actions = {
  readonly take: (step: StepId) => void;
  readonly pin: () => void;
  readonly saveTest: () => void;
  /** Opens the dialog with the name, note and tags. */
  readonly openLabels: () => void;
  readonly openDelete: () => void;
  readonly openExport: () => void;
  /** Opens the dialog that records the answers of a hosted service. */
  readonly openRecord: () => void;
};

type RunCommandDeps = {
  readonly actions: Actions;
  /** Why the user may not change runs, or files; undefined: they may. */
  readonly refusals: { readonly change: string | undefined; readonly file: string | undefined };
};

export const tabLabels: Readonly<Record<RunTab, string>> = {
  rows: 'Rows',
  timing: 'Timing',
  why: 'Why it failed',
};

/** Further search terms of steps. */
const words: Partial<Record<StepId, string>> = {
  rest: 'sample rest left',
  fix: 'edit failed rows rerun',
  'rerun-open': 'failed rows again',
  all: 'rerun repeat',
  'edit-all': 'rerun',
  scenario: 'rerun with a scenario faults test',
};

/** Commands of the run's page. */
export function runCommands(
  run: RunView,
  { primary, secondary, others }: NextSteps,
  { actions, refusals }: RunCommandDeps,
): readonly Omit<Command, 'section'>[] {
  const steps = [primary, ...(secondary === undefined ? [] : [secondary]), ...others]
    .filter(({ isDisabled }) => isDisabled !== true)
    .map(({ id, title }) => ({
      id: `run-${id}`,
      title,
      ...(words[id] === undefined ? {} : { words: words[id] }),
      ...(id === 'fix' ? { keys: [fixKey] } : {}),
      act: () => actions.take(id),
    }));
  const changes = [
    ...steps,
    { id: 'run-pin', title: isPinned(run) ? 'Unpin' : 'Pin', act: actions.pin },
    { id: 'run-labels', title: 'Name and tags', words: 'label note rename', act: actions.openLabels },
    {
      id: 'run-delete',
      title: isFinal(run.status) ? 'Delete the run' : 'Cancel and delete the run',
      words: 'remove',
      act: actions.openDelete,
    },
  ].map((command) => ({ ...command, refusal: refusals.change }));
  const canBeTest = run.status === 'completed' || run.status === 'failed';
  return [
    ...changes,
    ...(canBeTest
      ? [{ id: 'run-test', title: 'Save as test…', refusal: refusals.file, act: actions.saveTest }]
      : []),
    {
      id: 'run-export',
      title: 'Export',
      words: 'save download file excel xlsx csv json ndjson',
      keys: [exportKey],
      act: actions.openExport,
    },
  ];
}

/** Keys of the page: to fix the open rows, and to export. */
export const fixKey = 'F';
export const exportKey = 'E';
