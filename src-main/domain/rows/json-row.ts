// One row's JSON text: checked by the same rules whether it came from a file of lines or out of an array.
import { rowsInvalid } from '../workflow-errors.ts';
import { isNestedDeeper } from './json-depth.ts';
import { findJsonProblem } from './json-problem.ts';
import { positionAt, type TextPosition } from './text-position.ts';

/** Levels of nesting in one row; with the body's object and its list around it, that is the 100 of the HTTP interface. */
export const maxRowDepth = 98;

/**
 * The row on one line, every value and the order of its keys untouched. Throws `invalid_input` for anything but
 * a JSON object, for nesting beyond the limit and for a number that no double can hold.
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
  return /[\r\n]/.test(text) ? text.trim().replaceAll(/[\r\n]/g, ' ') : text;
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
