// Reads the test rows file beside a workflow that the input node names.
import { AppError } from '../../base/app-error.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { eventLoopYield } from '../../base/event-loop-yield.ts';
import { rowsFileOf, type FileOfRows } from '../../domain/nodes/rows-source.ts';
import { RowsOfBytes } from '../../domain/rows/files/rows-of-bytes.ts';
import { testRowsBroken } from '../../domain/workflow-errors.ts';
import type { NodeOf, Workflow } from '../../domain/workflow/workflow.ts';
import { TableFiles } from '../../files/table-files.ts';

export type InputConfig = NodeOf<'input'>['config'];

/** The input node's own keys; none of a file with errors. */
export const inputConfig = (workflow: Workflow | undefined): InputConfig | undefined =>
  workflow?.nodes.find((node): node is NodeOf<'input'> => node.type === 'input')?.config;

/** The file of test rows that a workflow names. */
type TestRowsFile = {
  /** Path of the workflow's own file. */
  readonly workflowFile: string;
  readonly rows: FileOfRows;
  readonly config: InputConfig;
  /** Bytes that are read at most; default: all. */
  readonly maxBytes?: number;
  /** Files of a draft; default: those of the disk. */
  readonly tables?: TableFiles | undefined;
};

/** The rows in pieces, as lines of JSON. Throws `invalid_input` if the file cannot be read. */
export async function* readTestRowsFile(file: TestRowsFile): AsyncGenerator<readonly string[]> {
  const { workflowFile, config, maxBytes = Infinity, tables: files = new TableFiles() } = file;
  const { file: path, read } = file.rows;
  const stamp = await files.stamp(workflowFile, path);
  const types = new Map((config.fields ?? []).map(([name, { type }]) => [name, type]));
  const yieldIfLong = eventLoopYield();
  try {
    const { bytes, isPacked } = await files.open(stamp);
    const reader = new RowsOfBytes({ fileName: path, types, read, isPacked });
    let bytesRead = 0;
    for await (const piece of bytes) {
      yield await reader.push(piece);
      await yieldIfLong();
      bytesRead += piece.length;
      if (bytesRead > maxBytes) return;
    }
    yield await reader.end();
  } catch (error) {
    throw error instanceof AppError ? testRowsBroken(path, error) : error;
  }
}

/** Bytes of a file that are read for its first row: the beginning by which it is decided how to read it, and one more. */
const firstRowBytes = 256 * 1024;

/**
 * The first row of the file that a workflow names for its test rows. Undefined where it names no file, where the file
 * cannot be read, or where the row does not end within the first 256 KiB.
 * @param workflowFile path of the workflow's own file
 */
export async function readFirstTestRow(
  workflowFile: string,
  workflow: Workflow,
): Promise<JsonObject | undefined> {
  const config = inputConfig(workflow);
  const rows = rowsFileOf(config?.testRows);
  if (config === undefined || rows === undefined) return undefined;
  const file = { workflowFile, rows, config, maxBytes: firstRowBytes };
  try {
    for await (const [row] of readTestRowsFile(file))
      if (row !== undefined) return JSON.parse(row) as JsonObject;
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
