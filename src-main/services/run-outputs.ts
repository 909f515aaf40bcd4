import type { RowLines } from '../domain/run/row-numbers.ts';
import type { Run } from '../domain/run/run.ts';
import type { RunReading } from './ports.ts';

/** The committed outputs of a run. Throws `data_unreadable` at once for a completed run without a line for each row. */
export const readOutputsOf = (
  store: Pick<RunReading, 'readOutputs'>,
  { runId, status, rows }: Run,
): AsyncIterable<RowLines> => store.readOutputs(runId, status === 'completed' ? rows : undefined);
