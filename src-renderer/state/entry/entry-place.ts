// The user's place in row entry: the workflow that the rows are for, the view, and the run that the rows come from.

/** Views of the same rows, and places to take rows from. */
export const entryViews = ['grid', 'json', 'form', 'file', 'run', 'sets'] as const;
/** Where rows that have just come are looked at. */
export const firstView = entryViews[0];
export type EntryView = (typeof entryViews)[number];

export type EntryPlace = {
  readonly screen: 'entry';
  readonly workflowId: string;
  readonly view?: EntryView;
  /** A run whose rows are to be edited and run again. */
  readonly from?: string;
  /** Which of that run's rows: those without an output unless it says "all". Without a run, the workflow's test rows. */
  readonly rows?: 'all' | 'test';
};

/** Undefined for an address that is none of row entry. */
export function entryPlaceOf(path: string, query: URLSearchParams): EntryPlace | undefined {
  const workflowId = /^\/workflows\/([A-Za-z0-9_-]{1,64})\/run$/.exec(path)?.[1];
  if (workflowId === undefined) return undefined;
  const view = entryViews.find((known) => known === query.get('view'));
  return {
    screen: 'entry',
    workflowId,
    ...(view === undefined ? {} : { view }),
    ...rowsOf(query),
  };
}

function rowsOf(query: URLSearchParams): Pick<EntryPlace, 'from' | 'rows'> {
  const from = /^[0-9a-f-]{4,64}$/.exec(query.get('from') ?? '')?.[0];
  const rows = query.get('rows');
  if (from === undefined) return rows === 'test' ? { rows } : {};
  return rows === 'all' ? { from, rows } : { from };
}

export function entryAddress({ workflowId, view, from, rows }: EntryPlace): string {
  const query = new URLSearchParams({
    ...(view === undefined ? {} : { view }),
    ...(from === undefined ? {} : { from }),
    ...(from === undefined && rows === undefined ? {} : { rows: rows ?? 'failed' }),
  }).toString();
  return `/workflows/${workflowId}/run${query === '' ? '' : `?${query}`}`;
}
