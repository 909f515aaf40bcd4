// The test rows that a workflow's input node names: a list in the workflow file, or a file beside it.
import { AppError } from '../../base/app-error.ts';
import { noTestRows, testRowsBroken } from '../../domain/workflow-errors.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import { TableFiles } from '../../files/table-files.ts';
import { eventLoopYield, runInPieces } from '../../base/event-loop-yield.ts';
import { readWindow, type ShownRow } from '../results/row-windows.ts';
import { inputConfig, openTestRows, type InputConfig } from '../workflows/test-rows-file.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';

/** Rows of one answer's piece. */
const rowsAtOnce = 1_000;
/** Characters of a file that are read in one step. */
const pieceLength = 65_536;
/** As many as a page lists; the others are seen where rows are entered. */
const shownRows = 100;

/** Throws `row_set_not_found` when it names none, `invalid_input` for a file that cannot be read. */
export async function* readTestRows(loaded: LoadedWorkflow): AsyncGenerator<RowLines> {
  const config = inputConfig(loaded.workflow);
  const testRows = config?.testRows;
  if (config === undefined || testRows === undefined) throw noTestRows(loaded.id);
  const files = new TableFiles();
  const rows =
    typeof testRows === 'string'
      ? await readFile(testRows, await files.read(await files.stamp(loaded.file, testRows), testRows), config)
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
  return { rows, total, ...(typeof testRows === 'string' ? { file: testRows } : {}) };
}

async function* streamOf(pieces: readonly RowLines[]): AsyncGenerator<RowLines> {
  yield* pieces;
}

async function readFile(path: string, text: string, config: InputConfig): Promise<readonly string[]> {
  try {
    return await runInPieces(rowsInSteps(path, text, config));
  } catch (error) {
    throw error instanceof AppError ? testRowsBroken(path, error) : error;
  }
}

function* rowsInSteps(path: string, text: string, config: InputConfig): Generator<undefined, string[]> {
  const { reader, plain } = openTestRows(path, text, config);
  const rows: string[] = [];
  for (let at = 0; at < plain.length; at += pieceLength) {
    for (const row of reader.push(plain.slice(at, at + pieceLength))) rows.push(row);
    yield;
  }
  return [...rows, ...reader.end()];
}
