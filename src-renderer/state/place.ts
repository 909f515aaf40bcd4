// Where in the app somebody is, as the address says it: every place can be linked to, reloaded and gone back to.
import { runStatuses, type RunStatus } from '#contract';

export type RunListFilter = {
  readonly status?: RunStatus;
  readonly text: string;
};

export type Place =
  | { readonly screen: 'runs'; readonly filter: RunListFilter }
  | { readonly screen: 'run'; readonly runId: string }
  | { readonly screen: 'workflows' }
  | { readonly screen: 'keys' }
  | { readonly screen: 'unknown'; readonly path: string };

export const allRuns: Place = { screen: 'runs', filter: { text: '' } };

/** The place of an address, which may come from anywhere: what is not understood in it is left out. */
export function placeOf(path: string, query: string): Place {
  if (path === '/' || path === '/runs' || path === '/runs/') {
    return { screen: 'runs', filter: filterOf(new URLSearchParams(query)) };
  }
  if (path === '/keys') return { screen: 'keys' };
  if (path === '/workflows') return { screen: 'workflows' };
  const runId = /^\/runs\/([^/]+)$/.exec(path)?.[1];
  return runId === undefined ? { screen: 'unknown', path } : { screen: 'run', runId: decoded(runId) };
}

export function addressOf(place: Place): string {
  switch (place.screen) {
    case 'runs': {
      const { status, text } = place.filter;
      const query = new URLSearchParams({
        ...(status === undefined ? {} : { status }),
        ...(text === '' ? {} : { q: text }),
      }).toString();
      return query === '' ? '/runs' : `/runs?${query}`;
    }
    case 'run':
      return `/runs/${encodeURIComponent(place.runId)}`;
    case 'unknown':
      return place.path;
    default:
      return `/${place.screen}`;
  }
}

function filterOf(query: URLSearchParams): RunListFilter {
  const status = runStatuses.find((known) => known === query.get('status'));
  return { text: (query.get('q') ?? '').slice(0, 200), ...(status === undefined ? {} : { status }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a broken escape is no run's id; the server says so
  }
}
