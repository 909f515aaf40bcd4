// Groups of columns that the table of rows shows, as a part of the fragment of its address.

/** Fields of rows and outputs, how nodes ended, or both. */
const columnGroups = ['data', 'nodes', 'both'] as const;

export type ShownGroups = {
  readonly show: (typeof columnGroups)[number];
  /** True: cells of nodes show their values instead of their times. */
  readonly hasValues: boolean;
};

export function parseShownGroups(fragment: string | undefined): ShownGroups {
  const query = new URLSearchParams(fragment ?? '');
  const show = columnGroups.find((known) => known === query.get('show')) ?? 'data';
  return { show, hasValues: query.get('cells') === 'values' };
}

/** The fragment of a view with its groups; empty for the data of all rows. */
export function withShownGroups(fragment: string, { show, hasValues }: ShownGroups): string {
  const query = new URLSearchParams(fragment);
  if (show !== 'data') query.set('show', show);
  if (hasValues) query.set('cells', 'values');
  return query.toString();
}
