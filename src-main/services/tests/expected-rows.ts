// Expected rows of tests, in the tests file or in a file beside it: a list of outputs, null for a row without one.
import { AppError } from '../../base/app-error.ts';
import type { JsonValue } from '../../base/json-value.ts';
import { JsonObjects } from '../../domain/rows/json-objects.ts';
import { JsonRows } from '../../domain/rows/files/json-rows.ts';
import { quoteInexactIntegers } from '../../domain/rows/exact-json.ts';
import { expectedRowsInvalid } from '../../domain/test-errors.ts';
import { rowsInvalid } from '../../domain/workflow-errors.ts';
import type { TextPosition } from '../../domain/rows/text-position.ts';
import type { LoadedExpectation } from '../../domain/tests/test-case.ts';
import type { DraftTexts } from '../../files/read-rows.ts';
import { readTextPieces } from '../../files/text-file.ts';
import { JsonLines } from './in-memory-rows.ts';

/** Maximum nesting depth of a row. */
const maxDepth = 499;

/** Throws `invalid_input` for a file that holds something else or is not UTF-8, ENOENT for none. */
export async function readExpectedRows(file: string, drafts?: DraftTexts): Promise<JsonLines> {
  const text = drafts?.(file);
  const pieces = text === undefined ? readTextPieces(file) : [text];
  const reader = new JsonRows({ maxDepth, mayBeMember: false, lineOf: expectedLine });
  const lines = new JsonLines('expected rows');
  const add = (read: () => readonly string[]): void => {
    const rows = naming(file, read);
    if (rows.length > 0) lines.add(Buffer.from(`${rows.join('\n')}\n`, 'utf8'));
  };
  for await (const piece of pieces) add(() => reader.push(piece));
  add(() => reader.end());
  return lines;
}

/** The rows that `read` returns. Throws an error that names the file for text that is no list of outputs. */
function naming(file: string, read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (error) {
    const isOfText = error instanceof AppError && error.detail.textFault !== undefined;
    throw isOfText ? expectedRowsInvalid(file) : error;
  }
}

/** Expected rows of the tests file itself. */
export function expectedLines(rows: NonNullable<LoadedExpectation['rows']>): JsonLines {
  const lines = new JsonLines('expected rows');
  for (const row of rows) lines.add(Buffer.from(`${JSON.stringify(row)}\n`, 'utf8'));
  return lines;
}

/** The row on one line. It is looked at without being built: a row may have megabytes. */
function expectedLine(text: string, start: TextPosition): string {
  // A tab may stand between values, as a line break may, and not in a text either.
  const line = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, '\t') : text;
  const bytes = Buffer.from(line.trim());
  if (line.trim() !== 'null' && new JsonObjects(bytes).endOf(0) !== bytes.length)
    throw rowsInvalid(start, 'expected an output or null');
  return quoteInexactIntegers(line);
}

/** One row a line, so that a diff shows which of them changed. */
export const rowsPerLine = (rows: readonly JsonValue[]): string =>
  rows.length === 0 ? '[]\n' : `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;
