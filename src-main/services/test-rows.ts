// The rows that a workflow's input node names for trying it out: a list in the file, or a file beside it.
import { AppError } from '../base/app-error.ts';
import { noTestRows, testRowsBroken } from '../domain/errors.ts';
import { createRowReader } from '../domain/rows/create-row-reader.ts';
import { rowFormatOfName, sniffRowFormat } from '../domain/rows/row-format.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import type { NodeOf } from '../domain/workflow/workflow.ts';
import { TableFiles } from '../storage/table-files.ts';
import type { LoadedWorkflow } from './workflow-service.ts';

/** Rows of one answer's piece. */
const rowsAtOnce = 1_000;

/** Throws `row_set_not_found` when it names none, `invalid_input` for a file that cannot be read. */
export async function* readTestRows(
  loaded: LoadedWorkflow,
  files: Pick<TableFiles, 'stamp' | 'read'> = new TableFiles(),
): AsyncGenerator<RowLines> {
  const input = loaded.workflow?.nodes.find((node): node is NodeOf<'input'> => node.type === 'input');
  const { testRows, fields = [] } = input?.config ?? {};
  if (testRows === undefined) throw noTestRows(loaded.id);
  const rows =
    typeof testRows === 'string'
      ? readFile(testRows, await files.read(await files.stamp(loaded.file, testRows), testRows), fields)
      : testRows.map((row) => JSON.stringify(row));
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const lines = rows.slice(first, first + rowsAtOnce).map((row) => `${row}\n`);
    yield { firstRow: first + 1, bytes: Buffer.from(lines.join('')) };
  }
}

type Fields = NonNullable<NodeOf<'input'>['config']['fields']>;

function readFile(path: string, text: string, fields: Fields): readonly string[] {
  const types = new Map(fields.map(([name, { type }]) => [name, type]));
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const reader = createRowReader(rowFormatOfName(path) ?? sniffRowFormat(plain), types);
  try {
    return [...reader.push(plain), ...reader.end()];
  } catch (error) {
    throw error instanceof AppError ? testRowsBroken(path, error) : error;
  }
}
