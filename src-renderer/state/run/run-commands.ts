// What the palette offers for the run on screen: the same actions as its buttons.
import { isFinal, type RunView } from '#contract';
import type { Command } from '../shell/rank-commands.ts';
import type { RunTab } from '../shell/route.ts';
import { missingRows } from './run-messages.ts';
import { mayDo, runVerbs, verbLabels, type RunVerb } from './run-verbs.ts';

type RunCommandActions = {
  readonly act: (verb: RunVerb) => void;
  /** Opens row entry with these rows of the run. */
  readonly edit: (rows: 'all' | 'failed') => void;
  readonly openScenario: () => void;
  readonly openFrom: () => void;
  readonly openLabels: () => void;
  readonly openDelete: () => void;
};

export const tabLabels: Readonly<Record<RunTab, string>> = {
  rows: 'Rows',
  matrix: 'Matrix',
  timing: 'Timing',
  why: 'Why it failed',
};

/** Exports the results of the run, which every role may do. */
export const exportCommand = (act: () => void): Omit<Command, 'section'> => ({
  id: 'run-export',
  title: 'Export',
  words: 'save download file excel xlsx csv json ndjson',
  act,
});

/**
 * Commands that change the run or start another one from it.
 * @param refusal why the user may do none of them; undefined: they may
 */
export function runCommands(
  run: RunView,
  actions: RunCommandActions,
  refusal: string | undefined,
): readonly Omit<Command, 'section'>[] {
  const verbs = runVerbs
    .filter((verb) => mayDo(verb, run))
    .map((verb) => ({ id: `run-${verb}`, title: verbLabels[verb], act: () => actions.act(verb) }));
  const { edit } = actions;
  const edits = [
    ...(isFinal(run.status) && missingRows(run) > 0
      ? [{ id: 'run-edit-failed', title: 'Fix and rerun failed rows', act: () => edit('failed') }]
      : []),
    { id: 'run-edit-all', title: 'Edit all rows and rerun', act: () => edit('all') },
    { id: 'run-scenario', title: 'Rerun with a scenario', act: actions.openScenario },
    { id: 'run-from', title: 'Rerun from a node', act: actions.openFrom },
    { id: 'run-labels', title: 'Name and tags', words: 'label note rename', act: actions.openLabels },
    {
      id: 'run-delete',
      title: isFinal(run.status) ? 'Delete the run' : 'Cancel and delete the run',
      words: 'remove',
      act: actions.openDelete,
    },
  ];
  return [...verbs, ...edits].map((command) => ({ ...command, refusal }));
}
