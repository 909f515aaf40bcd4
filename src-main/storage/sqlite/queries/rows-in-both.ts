// How many rows one side of a comparison has in common with others, by their numbers.
import type { ComparedSide } from '../../../domain/query/compare-runs.ts';
import { decodeRowNumbers } from '../../../domain/run/row-numbers.ts';
import type { BatchReads } from '../batch-queries.ts';

/** Rows in common with each of the sides. Reads 4 bytes a row at most. Throws `run_not_found`, `data_unreadable`. */
export function countCommonRows(
  batches: BatchReads,
  side: ComparedSide,
  others: readonly ComparedSide[],
): readonly number[] {
  const numbers = numbersOf(batches, side);
  return others.map((other) => {
    let common = 0;
    for (const number of numbersOf(batches, other)) if (numbers.has(number)) common += 1;
    return common;
  });
}

function numbersOf(batches: BatchReads, side: ComparedSide): ReadonlySet<number> {
  const found = new Set<number>();
  for (const runId of side) {
    const { lastRow, hasNumbers } = batches.extent(runId);
    const stored = hasNumbers ? batches.rowNumbers(runId, 1, lastRow) : undefined;
    if (stored === undefined) for (let number = 1; number <= lastRow; number += 1) found.add(number);
    else for (const number of decodeRowNumbers(stored)) found.add(number);
  }
  return found;
}
