// The places of one workflow: `/workflows/score-leads/tests?node=lead`.

export const workflowTabs = ['input', 'rows', 'tests', 'snippets', 'access'] as const;
export type WorkflowTab = (typeof workflowTabs)[number];

/** Without a tab its first one. The node is the one that is chosen in the graph. */
export type WorkflowPlace = {
  readonly screen: 'workflow';
  readonly workflowId: string;
  readonly tab?: WorkflowTab;
  readonly nodeId?: string;
};

/** Undefined for an address of something else. */
export function workflowPlaceOf(path: string, query: URLSearchParams): WorkflowPlace | undefined {
  const [, workflowId, wanted] = /^\/workflows\/([A-Za-z0-9_-]{1,64})(?:\/([a-z]+))?$/.exec(path) ?? [];
  const tab = workflowTabs.find((known) => known === wanted);
  if (workflowId === undefined || (wanted !== undefined && tab === undefined)) return undefined;
  const nodeId = query.get('node')?.slice(0, 200);
  return {
    screen: 'workflow',
    workflowId,
    ...(tab === undefined ? {} : { tab }),
    ...(nodeId === undefined ? {} : { nodeId }),
  };
}

export function workflowAddress({ workflowId, tab, nodeId }: WorkflowPlace): string {
  const query = nodeId === undefined ? '' : `?${new URLSearchParams({ node: nodeId }).toString()}`;
  return `/workflows/${encodeURIComponent(workflowId)}${tab === undefined ? '' : `/${tab}`}${query}`;
}
