// Routes of one workflow: `/workflows/score-leads/tests?node=lead&line=17`.

export const workflowTabs = ['problems', 'rows', 'tests', 'snippets', 'access'] as const;
export type WorkflowTab = (typeof workflowTabs)[number];

/**
 * `tab` is open over the panes; without it, none is. `nodeId` is the node that is selected in the graph. `line` is the line of the
 * file that is shown, from 1; without it, the lines of the node are.
 */
export type WorkflowRoute = {
  readonly screen: 'workflow';
  readonly workflowId: string;
  readonly tab?: WorkflowTab;
  readonly nodeId?: string;
  readonly line?: number;
};

/** Undefined if the address is not one of a workflow. */
export function parseWorkflowRoute(path: string, query: URLSearchParams): WorkflowRoute | undefined {
  const [, workflowId, tabName] = /^\/workflows\/([A-Za-z0-9_-]{1,64})(?:\/([a-z]+))?$/.exec(path) ?? [];
  const tab = workflowTabs.find((known) => known === tabName);
  if (workflowId === undefined || (tabName !== undefined && tab === undefined)) return undefined;
  const nodeId = query.get('node')?.slice(0, 200);
  const line = /^[1-9]\d{0,5}$/.exec(query.get('line') ?? '')?.[0];
  return {
    screen: 'workflow',
    workflowId,
    ...(tab === undefined ? {} : { tab }),
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(line === undefined ? {} : { line: Number(line) }),
  };
}

export function workflowAddress({ workflowId, tab, nodeId, line }: WorkflowRoute): string {
  const query = new URLSearchParams({
    ...(nodeId === undefined ? {} : { node: nodeId }),
    ...(line === undefined ? {} : { line: String(line) }),
  }).toString();
  const path = `/workflows/${encodeURIComponent(workflowId)}${tab === undefined ? '' : `/${tab}`}`;
  return query === '' ? path : `${path}?${query}`;
}
