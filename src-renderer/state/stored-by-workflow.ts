// What the user has chosen for the runs of a workflow, stored in this browser by the workflow's id.

export type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Maximum workflows whose choices are stored; the oldest are dropped. */
const maxWorkflows = 50;

/**
 * The choices that were saved for a workflow; undefined if there are none.
 * @param storedAs key of the store
 */
export function loadOfWorkflow(storedAs: string, workflowId: string, store: Store = localStorage): unknown {
  return read(storedAs, store).find(([id]) => id === workflowId)?.[1];
}

export function saveOfWorkflow(
  storedAs: string,
  [workflowId, choices]: readonly [string, unknown],
  store: Store = localStorage,
): void {
  const others = read(storedAs, store).filter(([id]) => id !== workflowId);
  store.setItem(storedAs, JSON.stringify([...others.slice(1 - maxWorkflows), [workflowId, choices]]));
}

function read(storedAs: string, store: Store): readonly (readonly [workflowId: string, choices: unknown])[] {
  try {
    const stored: unknown = JSON.parse(store.getItem(storedAs) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return []; // Another program's text.
  }
}

const isEntry = (value: unknown): value is readonly [string, unknown] =>
  Array.isArray(value) && typeof value[0] === 'string';
