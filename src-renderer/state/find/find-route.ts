// The route of the search over all runs.
import { maxFindText } from '#contract';

export type FindRoute = {
  readonly screen: 'find';
  /** Empty: the user has not searched yet. */
  readonly text: string;
  readonly workflowId?: string;
  readonly of?: 'input' | 'output';
};

/** The text may be a person's name, so it is in the fragment, which never reaches the server. */
export function parseFindRoute(path: string, fragment: string | undefined): FindRoute | undefined {
  if (path !== '/find') return undefined;
  const query = new URLSearchParams(/^#(q=.*)$/s.exec(fragment ?? '')?.[1] ?? '');
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
    q: text,
    ...(workflowId === undefined ? {} : { workflow: workflowId }),
    ...(of === undefined ? {} : { in: of }),
  }).toString();
  return query === 'q=' ? '/find' : `/find#${query}`;
}
