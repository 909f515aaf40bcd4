// The test rows that a workflow's input node names: a list in the workflow file, or a file beside it.
import { noTestRows } from '../../domain/workflow-errors.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import { eventLoopYield } from '../../base/event-loop-yield.ts';
import { readWindow, type ShownRow } from '../results/row-windows.ts';
import { inputConfig, readTestRowsFile, type TestRowsFile } from '../workflows/test-rows-file.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';

/** Rows of one answer's piece. */
const rowsAtOnce = 1_000;
/** As many as a page lists; the others are seen where rows are entered. */
const shownRows = 100;

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

/** `file`: the one that holds them; absent: they are the workflow's own. */
type ShownTestRows = {
  readonly rows: readonly ShownRow[];
  readonly total: number;
  readonly file?: string;
};

/** The first of them as a table shows them; undefined for a workflow that names none. Throws as `readTestRows` does. */
export async function showTestRows(loaded: LoadedWorkflow): Promise<ShownTestRows | undefined> {
  const testRows = inputConfig(loaded.workflow)?.testRows;
  if (testRows === undefined) return undefined;
  const pieces: RowLines[] = [];
  let total = 0;
  for await (const piece of readTestRows(loaded)) {
    pieces.push(piece);
    total += [...eachLine(piece.bytes)].length;
  }
  const { rows } = await readWindow(streamOf(pieces), { from: 1, count: shownRows });
  return { rows, total, ...('file' in testRows ? { file: testRows.file } : {}) };
}

async function* streamOf(pieces: readonly RowLines[]): AsyncGenerator<RowLines> {
  yield* pieces;
}

async function rowsOfFile(file: TestRowsFile): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const piece of readTestRowsFile(file)) for (const row of piece) rows.push(row);
  return rows;
}
