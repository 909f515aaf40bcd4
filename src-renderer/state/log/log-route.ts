// Routes of the API log: its filter, and the call whose panel is open.
/** Outcomes of a call, for the filter and the colours. */
export const callOutcomes = ['answered', 'limited', 'refused', 'failed', 'cut'] as const;
export type LogOutcome = (typeof callOutcomes)[number];

export type CallFilter = {
  readonly outcome?: LogOutcome;
  readonly method?: string;
  readonly keyId?: string;
  readonly workflowId?: string;
  readonly text: string;
};

/** @property number the call whose panel is open */
export type LogRoute = { readonly screen: 'log'; readonly filter: CallFilter; readonly number?: number };

export function parseLogRoute(query: URLSearchParams): LogRoute {
  const outcome = callOutcomes.find((known) => known === query.get('outcome'));
  const number = /^[1-9]\d{0,14}$/.exec(query.get('call') ?? '')?.[0];
  const parts = { method: query.get('method'), keyId: query.get('key'), workflowId: query.get('workflow') };
  const matches = Object.entries(parts).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, value.slice(0, 100)]],
  );
  const filter: CallFilter = {
    text: (query.get('q') ?? '').slice(0, 200),
    ...(outcome === undefined ? {} : { outcome }),
    ...(Object.fromEntries(matches) as Omit<CallFilter, 'text' | 'outcome'>),
  };
  return { screen: 'log', filter, ...(number === undefined ? {} : { number: Number(number) }) };
}

export function logAddress({
  filter: { outcome, method, keyId, workflowId, text },
  number,
}: LogRoute): string {
  const query = new URLSearchParams({
    ...(outcome === undefined ? {} : { outcome }),
    ...(method === undefined ? {} : { method }),
    ...(keyId === undefined ? {} : { key: keyId }),
    ...(workflowId === undefined ? {} : { workflow: workflowId }),
    ...(text === '' ? {} : { q: text }),
    ...(number === undefined ? {} : { call: String(number) }),
  }).toString();
  return query === '' ? '/log' : `/log?${query}`;
}
