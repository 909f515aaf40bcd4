// Saves the outputs of a run as a file. Who calls: the export menu and the palette.
import { counted, shortId, type RunView } from '#contract';
import type { App } from '../app.svelte.ts';
import { browserTarget, saveStream } from './save-stream.ts';

export const quickExports = [
  {
    id: 'csv',
    title: 'CSV',
    note: 'For spreadsheets, with row numbers; formulas are made harmless',
    type: 'text/csv',
  },
  { id: 'json', title: 'JSON', note: 'One list, null for a row without output', type: 'application/json' },
  { id: 'ndjson', title: 'NDJSON', note: 'One line a row', type: 'application/x-ndjson' },
] as const;

/** A searched text and the number of rows that contain it. */
export type FoundRows = { readonly text: string; readonly rows: number };

export const foundRowsLabel = ({ rows }: FoundRows): string => counted(rows, 'found row');

export type QuickExport = (typeof quickExports)[number];

/** @param only the rows that a search has found; all rows without it */
export async function exportOutputs(
  app: App,
  run: RunView,
  { id, type, only }: Pick<QuickExport, 'id' | 'type'> & { readonly only?: FoundRows | undefined },
): Promise<void> {
  const label = only === undefined ? counted(run.rowsDone, 'output') : foundRowsLabel(only);
  const part = only === undefined ? '' : '-found';
  const name = `${run.workflowId}-${shortId(run.runId).slice(1)}${part}.${id}`;
  const query = new URLSearchParams({ format: id, ...(only === undefined ? {} : { text: only.text }) });
  const open = () => app.session.download(`/runs/${run.runId}/outputs?${query.toString()}`);
  if (await saveStream({ name, type }, open, browserTarget()))
    app.toasts.done(`${label.charAt(0).toUpperCase()}${label.slice(1)} saved as ${name}`);
}
