// The list of workflows: searched by words, each with its newest run and its number of active runs.
import type { RunView, WorkflowView } from '#contract';
import { lastRunOfEach } from '../runs/run-list.ts';

export type ListedWorkflow = {
  readonly workflow: WorkflowView;
  /** Newest run of the workflow. */
  readonly last: RunView | undefined;
  /** Number of unfinished runs. */
  readonly active: number;
};

/** Workflows whose name, id or file contains every word of the text. @param runs newest first */
export function listWorkflows(
  workflows: readonly WorkflowView[],
  runs: readonly RunView[],
  text: string,
): readonly ListedWorkflow[] {
  const last = lastRunOfEach(runs);
  const active = new Map<string, number>();
  for (const run of runs) {
    if (run.finishedAt === null) active.set(run.workflowId, (active.get(run.workflowId) ?? 0) + 1);
  }
  const words = text.toLowerCase().split(/\s+/);
  return workflows
    .filter(({ id, name, file }) => {
      const shown = `${id} ${name} ${file}`.toLowerCase();
      return words.every((word) => shown.includes(word));
    })
    .map((workflow) => ({ workflow, last: last.get(workflow.id), active: active.get(workflow.id) ?? 0 }));
}

export const hasErrors = ({ issues }: Pick<WorkflowView, 'issues'>): boolean =>
  issues.some(({ severity }) => severity === 'error');

export type WorkflowFolder = {
  /** Path of the folder. */
  readonly path: string;
  readonly listed: readonly ListedWorkflow[];
};

/** The workflows of each folder. Files with errors come first, and so do the folders that hold one. */
export function groupByFolder(listed: readonly ListedWorkflow[]): readonly WorkflowFolder[] {
  const folders = new Map<string, ListedWorkflow[]>();
  const [broken, others] = [true, false].map((isBroken) =>
    listed.filter(({ workflow }) => hasErrors(workflow) === isBroken),
  );
  for (const each of [...(broken ?? []), ...(others ?? [])]) {
    const path = splitFile(each.workflow.file).folder;
    folders.set(path, [...(folders.get(path) ?? []), each]);
  }
  return [...folders].map(([path, inFolder]) => ({ path, listed: inFolder }));
}

/** Folder and name of a file, on any system. */
export function splitFile(file: string): { readonly folder: string; readonly name: string } {
  const end = Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'));
  return { folder: file.slice(0, Math.max(end, 0)), name: file.slice(end + 1) };
}

/** Reason why the workflow cannot run now; undefined if it can. */
export function cannotRun({ issues, trust }: Pick<WorkflowView, 'issues' | 'trust'>): string | undefined {
  if (hasErrors({ issues })) return 'Fix the errors first';
  return trust === 'untrusted' ? 'Trust it first' : undefined;
}
