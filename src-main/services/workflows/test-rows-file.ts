// Reads the test rows file beside a workflow that the input node names.
import { AppError } from '../../base/app-error.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { createRowReader } from '../../domain/rows/files/create-row-reader.ts';
import { rowFormatOfName, sniffRowFormat } from '../../domain/rows/files/row-format.ts';
import type { RowTextReader } from '../../domain/rows/files/row-text-reader.ts';
import type { NodeOf, Workflow } from '../../domain/workflow/workflow.ts';
import { TableFiles } from '../../files/table-files.ts';

export type InputConfig = NodeOf<'input'>['config'];

/** The input node's own keys; none of a file with errors. */
export const inputConfig = (workflow: Workflow | undefined): InputConfig | undefined =>
  workflow?.nodes.find((node): node is NodeOf<'input'> => node.type === 'input')?.config;

/** A reader for a file of test rows, and the file's text without a byte order mark. */
export function openTestRows(
  path: string,
  text: string,
  { fields = [] }: InputConfig,
): { readonly reader: RowTextReader; readonly plain: string } {
  const types = new Map(fields.map(([name, { type }]) => [name, type]));
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  return { reader: createRowReader(rowFormatOfName(path) ?? sniffRowFormat(plain), types), plain };
}

/** Bytes of a file that are read for its first row. */
const firstRowBytes = 64 * 1024;

/**
 * The first row of the file that a workflow names for its test rows. Undefined where it names no file, where the file
 * cannot be read, or where the row does not end within the first 64 KiB.
 * @param file path of the workflow's own file
 */
export async function readFirstTestRow(file: string, workflow: Workflow): Promise<JsonObject | undefined> {
  const config = inputConfig(workflow);
  if (typeof config?.testRows !== 'string') return undefined;
  const path = config.testRows;
  const files = new TableFiles();
  try {
    const stamp = await files.stamp(file, path);
    const text = await files.readStart(stamp, path, firstRowBytes);
    const { reader, plain } = openTestRows(path, text, config);
    const [row] = [...reader.push(plain), ...(stamp.size > firstRowBytes ? [] : reader.end())];
    return row === undefined ? undefined : (JSON.parse(row) as JsonObject);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
