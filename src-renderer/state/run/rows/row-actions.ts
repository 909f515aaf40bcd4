// What can be done with the rows of a selection. The server reads their input in the order of the run.
import { counted, type RowSelection, type RowSetView, type RunView } from '#contract';
import { maxSheetRows, readRowStream, rowsBody } from '../../entry/rows-text.ts';
import type { ShownRows } from '../export/export-scopes.ts';
import type { Session } from '../../live/session.svelte.ts';

/** Rows of a table, all or those that are selected or filtered, and actions on the latter. */
export type ShownRowActions = { readonly shown: ShownRows; readonly verbs: readonly RowVerb[] };

type RowVerb = {
  readonly id: string;
  readonly title: string;
  /** Effect of the action, or the reason why it is unavailable. */
  readonly note?: string;
  readonly isDisabled?: boolean;
  readonly act: () => void;
};

/** Maximum rows of which the server makes a test. */
const maxTestRows = 1_000;

type Target = {
  readonly selection: RowSelection;
  readonly name: string;
  /** True if a set of that name is replaced. */
  readonly replaces: boolean;
};

/** Saves the input of the rows as a row set of the workflow. Throws an error with a message for the user. */
export async function saveSelectedRows(
  server: Pick<Session, 'upload' | 'download'>,
  run: Pick<RunView, 'runId' | 'workflowId'>,
  { selection, name, replaces }: Target,
): Promise<RowSetView> {
  const stream = await server.download(`/runs/${run.runId}/rows`, undefined, { selection });
  const { rows } = await readRowStream(stream, maxSheetRows);
  const query = new URLSearchParams({ name, ...(replaces ? { replaces: 'yes' } : {}) });
  const path = `/workflows/${encodeURIComponent(run.workflowId)}/row-sets?${query.toString()}`;
  return (await server.upload(path, await rowsBody(rows))) as RowSetView;
}

/** True if a filter leaves only rows without an output. */
export const isOfOpenRows = ({ conditions }: RowSelection): boolean =>
  conditions.some((each) => each.of === 'cause' || (each.of === 'state' && !each.states.includes('done')));

/** Why so many rows cannot be edited or saved; undefined if they can. */
export const editRefusal = (rows: number): string | undefined =>
  rows > maxSheetRows ? `At most ${counted(maxSheetRows, 'row')}` : undefined;

/** Why a test cannot be made of so many rows of a run; undefined if it can. @param run undefined: the rows are of several */
export function testRefusal(run: RunView | undefined, rows: number): string | undefined {
  if (run === undefined) return 'Possible for the rows of one attempt';
  if (run.status !== 'completed' && run.status !== 'failed') return 'Possible once the run has ended';
  return rows > maxTestRows ? `At most ${counted(maxTestRows, 'row')}` : undefined;
}
