/**
 * The identifier of a row in a run's output: the run's random part and the row's number (from 1), six digits or
 * more. Unique over runs, stable over restarts, in row order when sorted up to 999,999 rows.
 */
export const rowId = (runId: string, row: number): string => rowIdsOf(runId)(row);

/** The same for many rows of one run. */
export function rowIdsOf(runId: string): (row: number) => string {
  const start = `${randomPart(runId)}_`;
  return (row) => start + String(row).padStart(6, '0');
}

/** The last group of a version 7 UUID is random. */
const randomPart = (runId: string): string => runId.slice(runId.lastIndexOf('-') + 1);
