// The requests of row entry to the server: load rows to edit, save rows, and start the run.
import type { RowSetView, StartedRun, StartInput } from '#contract';
import type { Session } from '../live/session.svelte.ts';
import type { DraftOrigin, EntryDraft } from './draft.svelte.ts';
import { maxSheetRows } from './file-import.svelte.ts';
import { readRowStream } from './read-row-stream.ts';
import { rowsBody } from './rows-body.ts';

type Server = Pick<Session, 'upload' | 'download'>;

/** Starts a run of the draft's rows; gives its id. Throws `ControlError`. */
export async function startRun(server: Server, workflowId: string, draft: EntryDraft): Promise<string> {
  const { edition } = draft.sheet;
  const address = startAddress(workflowId, draft.start);
  const body = await rowsBody(draft.sheet.eachRow(), draft.numbers);
  const answer = await server.upload(address, body);
  // What was typed meanwhile has not gone along.
  draft.sent(edition);
  return (answer as StartedRun).runId;
}

/** Keeps the draft's rows as a set of that name. Throws `ControlError`. */
export async function saveRowSet(
  server: Server,
  draft: EntryDraft,
  to: { readonly workflowId: string; readonly name: string; readonly replaces: boolean },
): Promise<RowSetView> {
  const { edition } = draft.sheet;
  const query = new URLSearchParams({ name: to.name, ...(to.replaces ? { replaces: 'yes' } : {}) });
  const path = `/workflows/${encodeURIComponent(to.workflowId)}/row-sets?${query.toString()}`;
  const saved = (await server.upload(path, await rowsBody(draft.sheet.eachRow()))) as RowSetView;
  draft.sent(edition);
  draft.setsKept += 1;
  return saved;
}

/** Puts the run's rows into the draft, under their numbers. Throws what a person should read. */
export async function loadRunRows(server: Server, draft: EntryDraft, from: DraftOrigin): Promise<void> {
  const path = `/runs/${encodeURIComponent(from.runId)}/rows?which=${from.rows}`;
  const { rows, numbers } = await readRowStream(await server.download(path), maxSheetRows);
  draft.takeRun(rows, numbers, from);
  draft.sent();
}

/** Puts the workflow's test rows into the draft. Throws what a person should read. */
export const loadTestRows = (server: Server, draft: EntryDraft, workflowId: string): Promise<void> =>
  loadKeptRows(server, draft, { path: `/workflows/${workflowId}/test-rows`, label: 'test rows' });

/** Puts rows that are kept into the draft. Throws what a person should read. */
export async function loadKeptRows(
  server: Server,
  draft: EntryDraft,
  from: { readonly path: string; readonly label: string },
): Promise<void> {
  const { rows } = await readRowStream(await server.download(from.path), maxSheetRows);
  draft.takeRows(rows, from.label);
  draft.sent();
}

/** Where rows of a workflow go to become a run, below the control API's prefix. */
export function startAddress(workflowId: string, { mode, mocks, scenario, rerunOf }: StartInput): string {
  const query = new URLSearchParams({
    ...(mode === undefined ? {} : { mode }),
    ...(mocks === undefined || Object.keys(mocks).length === 0 ? {} : { mocks: JSON.stringify(mocks) }),
    ...(scenario === undefined || scenario.trim() === '' ? {} : { scenario: scenario.trim() }),
    ...(rerunOf === undefined ? {} : { rerunOf }),
  }).toString();
  return `/workflows/${encodeURIComponent(workflowId)}/runs${query === '' ? '' : `?${query}`}`;
}
