// Routes of row entry: the workflow that the rows are for, the view, and the run that the rows come from.

/** Views of the same rows, and sources to load rows from. */
export const entryViews = ['grid', 'json', 'form', 'file', 'run', 'sets'] as const;
/** View that is shown after rows have been loaded. */
export const firstView = entryViews[0];
export type EntryView = (typeof entryViews)[number];

export const entryViewTitles: Readonly<Record<EntryView, string>> = {
  grid: 'Grid',
  json: 'JSON',
  form: 'Form',
  file: 'File',
  run: 'Earlier run',
  sets: 'Row sets',
};

export type EntryRoute = {
  readonly screen: 'entry';
  readonly workflowId: string;
  readonly view?: EntryView;
  /** Id of a run whose rows are edited and run again. */
  readonly from?: string;
  /** With `from`: all rows of that run; absent: its rows without an output. Without `from`: the workflow's test rows. */
  readonly rows?: 'all' | 'test';
};

/** Undefined if the address is not one of row entry. */
export function parseEntryRoute(path: string, query: URLSearchParams): EntryRoute | undefined {
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

function rowsOf(query: URLSearchParams): Pick<EntryRoute, 'from' | 'rows'> {
  const from = /^[0-9a-f-]{4,64}$/.exec(query.get('from') ?? '')?.[0];
  const rows = query.get('rows');
  if (from === undefined) return rows === 'test' ? { rows } : {};
  return rows === 'all' ? { from, rows } : { from };
}

export function entryAddress({ workflowId, view, from, rows }: EntryRoute): string {
  const query = new URLSearchParams({
    ...(view === undefined ? {} : { view }),
    ...(from === undefined ? {} : { from }),
    ...(from === undefined && rows === undefined ? {} : { rows: rows ?? 'failed' }),
  }).toString();
  return `/workflows/${workflowId}/run${query === '' ? '' : `?${query}`}`;
}
