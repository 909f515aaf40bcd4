// Which run another one is compared with, unless the user picks one.
import type { RunView } from '#contract';
import { isPinned } from '../run/run-verbs.ts';

export type ComparisonChoice = { readonly run: RunView; readonly reason: string };

/**
 * The runs that are offered first, the best one first: the run that it repeats, the last pinned run of the same workflow, the
 * last run of it before. Each run is offered once.
 * @param runs newest first
 */
export function comparisonChoices(run: RunView, runs: readonly RunView[]): readonly ComparisonChoice[] {
  const ofWorkflow = runs.filter(
    ({ runId, workflowId }) => runId !== run.runId && workflowId === run.workflowId,
  );
  const found = [
    { reason: 'The run that it repeats', run: ofWorkflow.find(({ runId }) => runId === run.rerunOf) },
    { reason: 'The last pinned run', run: ofWorkflow.find(isPinned) },
    { reason: 'The run before it', run: ofWorkflow.find(({ runId }) => runId < run.runId) },
  ];
  const choices: ComparisonChoice[] = [];
  for (const { reason, run: other } of found)
    if (other !== undefined && !choices.some((choice) => choice.run.runId === other.runId))
      choices.push({ reason, run: other });
  return choices;
}
