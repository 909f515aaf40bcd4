// For which fields of a workflow's outputs the user said that higher or lower numbers are better; stored in this browser.
import type { Direction } from '#contract';

const storedAs = 'rowbench.compare-directions';
/** Maximum workflows whose directions are stored; the oldest are dropped. */
const maxWorkflows = 50;

type Store = Pick<Storage, 'getItem' | 'setItem'>;
type Entry = readonly [workflowId: string, directions: readonly Direction[]];

export const loadDirections = (workflowId: string, store: Store = localStorage): readonly Direction[] =>
  read(store).find(([id]) => id === workflowId)?.[1] ?? [];

export function saveDirections(
  workflowId: string,
  directions: readonly Direction[],
  store: Store = localStorage,
): void {
  const others = read(store).filter(([id]) => id !== workflowId);
  store.setItem(storedAs, JSON.stringify([...others.slice(1 - maxWorkflows), [workflowId, directions]]));
}

function read(store: Store): readonly Entry[] {
  try {
    const stored: unknown = JSON.parse(store.getItem(storedAs) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return []; // Another program's text.
  }
}

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  Array.isArray(value[1]) &&
  value[1].every(isDirection);

function isDirection(value: unknown): value is Direction {
  const { name, better } = (value ?? {}) as Partial<Record<keyof Direction, unknown>>;
  return typeof name === 'string' && (better === 'higher' || better === 'lower');
}
