// For which fields of a workflow's outputs the user said that higher or lower numbers are better.
import type { Direction } from '#contract';
import { loadOfWorkflow, saveOfWorkflow, type Store } from '../stored-by-workflow.ts';

const storedAs = 'rowbench.compare-directions';

export function loadDirections(workflowId: string, store?: Store): readonly Direction[] {
  const stored = loadOfWorkflow(storedAs, workflowId, store);
  return Array.isArray(stored) && stored.every(isDirection) ? stored : [];
}

export const saveDirections = (workflowId: string, directions: readonly Direction[], store?: Store): void =>
  saveOfWorkflow(storedAs, [workflowId, directions], store);

function isDirection(value: unknown): value is Direction {
  const { name, better } = (value ?? {}) as Partial<Record<keyof Direction, unknown>>;
  return typeof name === 'string' && (better === 'higher' || better === 'lower');
}
