// One row's JSON text: checked by the same rules whether it came from a file of lines or out of an array.
import { rowsInvalid } from '../../workflow-errors.ts';
import { quoteInexactIntegers } from '../exact-json.ts';
import { isNestedDeeper } from '../json-depth.ts';
import { findJsonProblem } from '../json-problem.ts';
import { positionAt, type TextPosition } from '../text-position.ts';
import { plainReport } from './read-remarks.ts';
import type { RowTextReader } from './row-text-reader.ts';

/** Levels of nesting in one row; with the body's object and its list around it, that is the 100 of the HTTP interface. */
export const maxRowDepth = 98;

/**
 * The row on one line. Values and the order of keys stay, but an integer that no double holds becomes text. Throws
 * `invalid_input` for anything but a JSON object, for nesting beyond the limit and for a number beyond the range of doubles.
 */
export function rowLine(text: string, start: TextPosition): string {
  if (isNestedDeeper(text, maxRowDepth))
    throw rowsInvalid(start, `a row may be nested ${maxRowDepth} levels deep at most`);
  const value = parseAt(text, start);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw rowsInvalid(start, `a row must be an object, not ${kindOf(value)}`);
  }
  if (!isStorable(value)) throw rowsInvalid(start, 'a number is too large for a double');
  // Inside its strings valid JSON has no raw line break, so each one found stands between values.
  return quoteInexactIntegers(/[\r\n]/.test(text) ? text.trim().replaceAll(/[\r\n]/g, ' ') : text);
}

/** The text's value. Throws `invalid_input` that names the place of the fault. */
export function parseAt(text: string, start: TextPosition): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The runtime's own message names no reliable place; ours does.
    const { offset, problem } = findJsonProblem(text);
    throw rowsInvalid(positionAt(text, offset, start), problem);
  }
}

/** JSON.parse reads 1e400 as Infinity: that must not become null. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isStorable);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** Rows from NDJSON (JSON Lines): one object a line; blank lines are skipped. */
export function ndjsonReader(): RowTextReader {
  let rest = '';
  let line = 0;
  const rowsOf = (text: string): string[] => {
    line += 1;
    const row = text.endsWith('\r') ? text.slice(0, -1) : text;
    return row.trim() === '' ? [] : [rowLine(row, { line, column: 1 })];
  };
  return {
    push: (text) => {
      const lines = text.split('\n');
      lines[0] = rest + (lines[0] ?? '');
      rest = lines.pop() ?? '';
      return lines.flatMap(rowsOf);
    },
    end: () => rowsOf(rest),
    report: () => plainReport,
  };
}
