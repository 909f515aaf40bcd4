// The address of a comparison. Its options stay a text here: the screen, which is loaded on demand, parses them.

/**
 * The first run is the one that the second is compared with: the older one, unless the user swaps them. Each is an id; with
 * `~N`, the chain of the run up to attempt N.
 */
export type CompareRoute = {
  readonly screen: 'compare';
  readonly firstRunId: string;
  readonly secondRunId: string;
  /** Options as in the address: see `compare-options.ts`. */
  readonly query: string;
};

export function parseCompareRoute(path: string, query: string): CompareRoute | undefined {
  const [, firstRunId, secondRunId] = /^\/compare\/([\w-]+(?:~\d+)?)\/([\w-]+(?:~\d+)?)$/.exec(path) ?? [];
  return firstRunId === undefined || secondRunId === undefined
    ? undefined
    : { screen: 'compare', firstRunId, secondRunId, query: query.replace(/^\?/, '') };
}

export const compareAddress = ({ firstRunId, secondRunId, query }: CompareRoute): string =>
  `/compare/${firstRunId}/${secondRunId}${query === '' ? '' : `?${query}`}`;

/** A comparison of two runs, the older one first. */
export function compareRoute(
  one: { readonly runId: string },
  other: { readonly runId: string },
): CompareRoute {
  // Ids begin with the time of acceptance.
  const [firstRunId = '', secondRunId = ''] = [one.runId, other.runId].sort();
  return { screen: 'compare', firstRunId, secondRunId, query: '' };
}
