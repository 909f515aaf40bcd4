// The route of the search over all runs.
import { maxFindText } from '#contract';

export type FindRoute = {
  readonly screen: 'find';
  /** Empty: the user has not searched yet. */
  readonly text: string;
  readonly workflowId?: string;
  readonly of?: 'input' | 'output';
};

export function parseFindRoute(query: URLSearchParams): FindRoute {
  const workflowId = query.get('workflow')?.slice(0, 200);
  const of = (['input', 'output'] as const).find((side) => side === query.get('in'));
  return {
    screen: 'find',
    text: (query.get('q') ?? '').slice(0, maxFindText),
    ...(workflowId ? { workflowId } : {}),
    ...(of === undefined ? {} : { of }),
  };
}

export function findAddress({ text, workflowId, of }: FindRoute): string {
  const query = new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    ...(workflowId === undefined ? {} : { workflow: workflowId }),
    ...(of === undefined ? {} : { in: of }),
  }).toString();
  return query === '' ? '/find' : `/find?${query}`;
}
