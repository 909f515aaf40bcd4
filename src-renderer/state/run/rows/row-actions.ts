// What can be done with the rows of a selection. The server reads their input in the order of the run.
import { counted, type RowSelection, type RowSetView, type RunView } from '#contract';
import { maxSheetRows, readRowStream, rowsBody } from '../../entry/rows-text.ts';
import type { Session } from '../../live/session.svelte.ts';

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

/** Name of the rows of all runs, of which the run is one. */
export const mergedLabel = ({ sample, isRest }: RunView): string =>
  sample !== undefined || isRest === true ? 'Sample and rest' : 'Latest results';

/** Why rows cannot be edited and run again; undefined if they can. */
export const rerunRefusal = (isMerged: boolean, rows: number): string | undefined =>
  isMerged ? onlyOneRun : editRefusal(rows);

const onlyOneRun = 'Possible for the rows of one run';

/** Why so many rows cannot be edited or saved; undefined if they can. */
export const editRefusal = (rows: number): string | undefined =>
  rows > maxSheetRows ? `At most ${counted(maxSheetRows, 'row')}` : undefined;

/** Why a test cannot be made of so many rows; undefined if it can. */
export function testRefusal({ status }: RunView, isMerged: boolean, rows: number): string | undefined {
  if (isMerged) return onlyOneRun;
  if (status !== 'completed' && status !== 'failed') return 'Possible once the run has ended';
  return rows > maxTestRows ? `At most ${counted(maxTestRows, 'row')}` : undefined;
}
