// Counts of rows that have ended, whether they are stored or not. Only pages show rows that are not stored.
import type { RunView } from '#contract';

type Counts = { readonly rowsDone: number; readonly rowsFailed: number };

export const endedRows = ({ rowsDone, rowsFailed, unsaved }: RunView): Counts => ({
  rowsDone: rowsDone + (unsaved?.rowsDone ?? 0),
  rowsFailed: rowsFailed + (unsaved?.rowsFailed ?? 0),
});

/** Number of rows that have ended, with an output or not. */
export function finishedRows(run: RunView): number {
  const { rowsDone, rowsFailed } = endedRows(run);
  return rowsDone + rowsFailed;
}
