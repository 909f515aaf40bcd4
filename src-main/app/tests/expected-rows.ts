// Files of expected rows beside tests files: a list of outputs, null for a row without one.
import type { JsonValue } from '../../base/json-value.ts';
import { isNestedDeeper } from '../../domain/rows/json-depth.ts';
import { expectedRowsInvalid } from '../../domain/workflow-errors.ts';
import type { ExpectedRows } from '../../domain/tests/test-case.ts';
import { expectedRows } from '../../domain/tests/tests-keys.ts';
import type { DraftTexts } from '../../files/read-rows.ts';
import { readTextFile } from '../../files/text-file.ts';

/** Maximum nesting depth of the file; the comparison of values recurses once per level. */
const deepest = 500;

/** Throws `invalid_input` for a file that holds something else, ENOENT for none. */
export async function readExpectedRows(file: string, drafts?: DraftTexts): Promise<ExpectedRows> {
  const text = drafts?.(file) ?? (await readTextFile(file));
  if (isNestedDeeper(text, deepest)) throw expectedRowsInvalid(file);
  const parsed = expectedRows.safeParse(jsonOf(text));
  if (!parsed.success) throw expectedRowsInvalid(file);
  return parsed.data;
}

/** One row a line, so that a diff shows which of them changed. */
export const rowsPerLine = (rows: readonly JsonValue[]): string =>
  rows.length === 0 ? '[]\n' : `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The schema refuses it, as it does all else that is no list.
    return undefined;
  }
}
