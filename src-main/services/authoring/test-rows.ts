// The test rows that a workflow's input node names: a list in the workflow file, or a file beside it.
import { noTestRows } from '../../domain/workflow-errors.ts';
import { countLines } from '../../domain/rows/line-bytes.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { TestRowsView } from '../../domain/tests/test-views.ts';
import { eventLoopYield } from '../../base/event-loop-yield.ts';
import { inputConfig, readTestRowsFile } from '../workflows/test-rows-file.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';

/** Rows of one answer's piece. */
const rowsAtOnce = 1_000;

/** Throws `row_set_not_found` when it names none, `invalid_input` for a file that cannot be read. */
export async function* readTestRows(loaded: LoadedWorkflow): AsyncGenerator<RowLines> {
  const config = inputConfig(loaded.workflow);
  const testRows = config?.testRows;
  if (config === undefined || testRows === undefined) throw noTestRows(loaded.id);
  const rows =
    'file' in testRows
      ? await rowsOfFile({ workflowFile: loaded.file, rows: testRows, config })
      : testRows.map((row) => JSON.stringify(row));
  const yieldIfLong = eventLoopYield();
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const lines = rows.slice(first, first + rowsAtOnce).map((row) => `${row}\n`);
    await yieldIfLong();
    yield { firstRow: first + 1, bytes: Buffer.from(lines.join('')) };
  }
}

/** Number of them; undefined for a workflow that names none. Throws as `readTestRows` does. */
export async function countTestRows(loaded: LoadedWorkflow): Promise<TestRowsView | undefined> {
  if (inputConfig(loaded.workflow)?.testRows === undefined) return undefined;
  let total = 0;
  for await (const { bytes } of readTestRows(loaded)) total += countLines(bytes);
  return { total };
}

async function rowsOfFile(file: Parameters<typeof readTestRowsFile>[0]): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const piece of readTestRowsFile(file)) for (const row of piece) rows.push(row);
  return rows;
}
