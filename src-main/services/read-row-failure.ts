import { beginning } from '../domain/rows/preview-row.ts';
import { failureOfLine, type RowFailure } from '../domain/run/row-failure.ts';
import { isUnreadable } from '../domain/store-errors.ts';
import type { RunReading } from './ports.ts';

export type ShownFailure = Pick<RowFailure, 'nodeId' | 'message'>;

/** A message may be as long as a page. */
const maxMessage = 1_000;

/** Why a row failed; undefined where that cannot be read: the outputs of other rows are still shown. */
export async function readRowFailure(
  store: Pick<RunReading, 'readTraces'>,
  runId: string,
  row: number,
): Promise<ShownFailure | undefined> {
  try {
    for await (const { line } of store.readTraces(runId, row, row)) {
      const failure = failureOfLine(line);
      if (failure !== undefined)
        return { nodeId: failure.nodeId, message: beginning(failure.message, maxMessage) };
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return undefined;
}
