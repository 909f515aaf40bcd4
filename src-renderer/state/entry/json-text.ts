// Converts rows to text that the user can edit, and back.
import { createRowReader, errorText, sniffRowFormat, type JsonObject } from '#contract';

export type TextProblem = {
  /** From 1; absent if the problem has no position. */
  readonly line?: number;
  readonly column?: number;
  readonly text: string;
};

export type ReadText =
  | { readonly rows: readonly JsonObject[]; readonly problem?: undefined }
  | { readonly rows?: undefined; readonly problem: TextProblem };

/** Maximum characters that can be edited as text; more would block the page. */
export const maxEditableLength = 2_000_000;

/** A JSON list with one row per line. */
export function textOfRows(rows: readonly JsonObject[]): string {
  if (rows.length === 0) return '[]';
  return `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]`;
}

/** Undefined if the text would be too long to edit. */
export function editableText(rows: Iterable<JsonObject>): string | undefined {
  const taken: JsonObject[] = [];
  let length = 0;
  for (const row of rows) {
    length += JSON.stringify(row).length + 4;
    if (length > maxEditableLength) return undefined;
    taken.push(row);
  }
  return textOfRows(taken);
}

/** Reads a list, an object with a list `rows`, or one object per line. */
export function readJsonText(text: string): ReadText {
  if (text.trim() === '') return { rows: [] };
  const format = sniffRowFormat(text) === 'ndjson' ? 'ndjson' : 'json';
  const reader = createRowReader(format, new Map());
  try {
    const lines = [...reader.push(text), ...reader.end()];
    return { rows: lines.map((line) => JSON.parse(line) as JsonObject) };
  } catch (error) {
    return { problem: within(text, problemOf(errorText(error))) };
  }
}

function problemOf(message: string): TextProblem {
  const [, line, column, text] = /^line (\d+), column (\d+): (.*)$/s.exec(message) ?? [];
  return text === undefined ? { text: message } : { line: Number(line), column: Number(column), text };
}

/** If the text ends too early, the problem is at its end, not on the next line. */
function within(text: string, problem: TextProblem): TextProblem {
  const lines = text.split('\n');
  if (problem.line === undefined || problem.line <= lines.length) return problem;
  return { ...problem, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Offset of a line and column in the text, in UTF-16 units from 0. */
export function textOffset(text: string, { line = 1, column = 1 }: TextProblem): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  return Math.min(text.length, start + column - 1);
}
