// One row's JSON text: checked by the same rules whether it came from a file of lines or out of an array.
import { rowsInvalid } from '../workflow-errors.ts';
import { isNestedDeeper } from './json-depth.ts';
import { findJsonProblem } from './json-problem.ts';
import type { TextPosition } from './row-text-reader.ts';

/** Levels of nesting in one row; with the body's object and its list around it, that is the 100 of the HTTP interface. */
export const maxRowDepth = 98;

/**
 * The row on one line, every value and the order of its keys untouched. Throws `invalid_input` for anything but
 * a JSON object, for nesting beyond the limit and for a number that no double can hold.
 */
export function rowLine(text: string, start: TextPosition): string {
  if (isNestedDeeper(text, maxRowDepth))
    throw rowsInvalid(describePosition(start), `a row may be nested ${maxRowDepth} levels deep at most`);
  const value = parseAt(text, start);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw rowsInvalid(describePosition(start), `a row must be an object, not ${kindOf(value)}`);
  }
  if (!isStorable(value)) throw rowsInvalid(describePosition(start), 'a number is too large for a double');
  // Inside its strings valid JSON has no raw line break, so each one found stands between values.
  return /[\r\n]/.test(text) ? text.trim().replaceAll(/[\r\n]/g, ' ') : text;
}

/** `line 3, column 14` */
export const describePosition = ({ line, column }: TextPosition): string => `line ${line}, column ${column}`;

/** The place `offset` units into a text that starts at `start`. */
export function positionAt(text: string, offset: number, start: TextPosition): TextPosition {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const last = before.at(-1) ?? '';
  return before.length === 1
    ? { line: start.line, column: start.column + last.length }
    : { line: start.line + before.length - 1, column: last.length + 1 };
}

/** The text's value. Throws `invalid_input` that names the place of the fault. */
export function parseAt(text: string, start: TextPosition): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The runtime's own message names no reliable place; ours does.
    const { offset, problem } = findJsonProblem(text);
    throw rowsInvalid(describePosition(positionAt(text, offset, start)), problem);
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
