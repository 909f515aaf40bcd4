// Routes of one workflow: `/workflows/score-leads/tests?node=lead`.

export const workflowTabs = ['input', 'rows', 'tests', 'snippets', 'access'] as const;
export type WorkflowTab = (typeof workflowTabs)[number];

/** Without `tab`, the first tab is shown. `nodeId` is the node that is selected in the graph. */
export type WorkflowRoute = {
  readonly screen: 'workflow';
  readonly workflowId: string;
  readonly tab?: WorkflowTab;
  readonly nodeId?: string;
};

/** Undefined if the address is not one of a workflow. */
export function parseWorkflowRoute(path: string, query: URLSearchParams): WorkflowRoute | undefined {
  const [, workflowId, tabName] = /^\/workflows\/([A-Za-z0-9_-]{1,64})(?:\/([a-z]+))?$/.exec(path) ?? [];
  const tab = workflowTabs.find((known) => known === tabName);
  if (workflowId === undefined || (tabName !== undefined && tab === undefined)) return undefined;
  const nodeId = query.get('node')?.slice(0, 200);
  return {
    screen: 'workflow',
    workflowId,
    ...(tab === undefined ? {} : { tab }),
    ...(nodeId === undefined ? {} : { nodeId }),
  };
}

export function workflowAddress({ workflowId, tab, nodeId }: WorkflowRoute): string {
  const query = nodeId === undefined ? '' : `?${new URLSearchParams({ node: nodeId }).toString()}`;
  return `/workflows/${encodeURIComponent(workflowId)}${tab === undefined ? '' : `/${tab}`}${query}`;
}
