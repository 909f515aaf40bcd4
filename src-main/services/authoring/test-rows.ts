// The test rows that a workflow's input node names: a list in the workflow file, or a file beside it.
import type { JsonObject } from '../../base/json-value.ts';
import { noTestRows } from '../../domain/workflow-errors.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import { parseInOrder } from '../../domain/rows/name-order.ts';
import { previewRow } from '../../domain/rows/preview-row.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { TestRowsView } from '../../domain/tests/test-views.ts';
import { eventLoopYield } from '../../base/event-loop-yield.ts';
import { inputConfig, readTestRowsFile } from '../workflows/test-rows-file.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';

/** Rows of one answer's piece. */
const rowsAtOnce = 1_000;
/** As many as a page lists; the others are seen where rows are entered. */
const maxShownRows = 100;
/** Characters of one answer, all cells together. */
const maxCharacters = 250_000;

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

/** The first of them as a table shows them; undefined for a workflow that names none. Throws as `readTestRows` does. */
export async function showTestRows(loaded: LoadedWorkflow): Promise<TestRowsView | undefined> {
  const testRows = inputConfig(loaded.workflow)?.testRows;
  if (testRows === undefined) return undefined;
  const rows: TestRowsView['rows'][number][] = [];
  let total = 0;
  let characters = 0;
  for await (const { bytes } of readTestRows(loaded))
    for (const line of eachLine(bytes)) {
      total += 1;
      if (rows.length === maxShownRows || characters >= maxCharacters) continue;
      const preview = previewRow(parseInOrder(Buffer.from(line).toString('utf8')) as JsonObject);
      rows.push({ position: total, row: total, bytes: line.length, ...preview });
      characters += 50;
      for (const { name, text } of preview.fields) characters += 50 + name.length + text.length;
    }
  return { rows, total, ...('file' in testRows ? { file: testRows.file } : {}) };
}

async function rowsOfFile(file: Parameters<typeof readTestRowsFile>[0]): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const piece of readTestRowsFile(file)) for (const row of piece) rows.push(row);
  return rows;
}
