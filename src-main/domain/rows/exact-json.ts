// JSON from outside without a lost digit: an integer that a double cannot hold is read as text with its digits, wherever
// data comes in (rows, answers, tables, recordings). Who calls: every reader of JSON that users or services wrote.
import type { JsonValue } from '../../base/json-value.ts';

/** Every integer of fewer digits is a double. */
export const minInexactDigits = 16;

/** Texts, numbers and words, and the marks between them. */
const jsonToken = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"{}[\]:,]+|[{}[\]:,]/g;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const integer = /^-?(?:0|[1-9]\d*)$/;

/**
 * Says if an integer literal of JSON survives as a number: JavaScript writes the double back with the same digits.
 * So 9007199254740992 does, and 812345678901234560, which is a double but is written as 812345678901234600, does not.
 */
export const isExactInteger = (literal: string): boolean =>
  literal.length < minInexactDigits || String(Number(literal)) === literal;

/** The value of JSON text. Integers that no double holds are texts. Throws SyntaxError, as JSON.parse does. */
export function parseExactJson(text: string): unknown {
  // Parsed as it is, too: quotes around a number would make a valid key of it.
  const value: unknown = JSON.parse(text);
  return hasManyDigits(text) ? JSON.parse(quoteInexactIntegers(text)) : value;
}

/** Valid JSON text with quotes around each integer that no double holds; all other characters stay. */
export function quoteInexactIntegers(json: string): string {
  if (!hasManyDigits(json)) return json;
  let quoted = '';
  let copied = 0;
  for (const { literal, at } of integersOf(json)) {
    // Out of range stays a number, which readers refuse.
    if (isExactInteger(literal) || !Number.isFinite(Number(literal))) continue;
    quoted += `${json.slice(copied, at)}"${literal}"`;
    copied = at + literal.length;
  }
  return quoted + json.slice(copied);
}

/** Integers in valid JSON text that no double holds. */
export function countInexactIntegers(json: string): number {
  if (!hasManyDigits(json)) return 0;
  let count = 0;
  for (const { literal } of integersOf(json)) if (!isExactInteger(literal)) count += 1;
  return count;
}

/**
 * Says if the value of the JSON text is written with the same numbers, names and order again. It is not for `1.10`, for
 * two equal names and for an integer that no double holds.
 */
export function isWrittenAlike(text: string, value: JsonValue): boolean {
  const tokens = (json: string): readonly string[] => json.match(jsonToken) ?? [];
  const written = tokens(JSON.stringify(value));
  return tokens(text).every((token, index) => {
    const other = written[index];
    return token === other || (token.startsWith('"') && JSON.stringify(JSON.parse(token)) === other);
  });
}

/** Says if the value is a text that `parseExactJson` may have made of a number. */
export const isInexactIntegerText = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && integer.test(value) && !isExactInteger(value);

/** Says if 16 digits follow each other. It reads one character in 16; a pattern takes longer than parsing the text. */
function hasManyDigits(text: string): boolean {
  for (let at = minInexactDigits - 1; at < text.length; at += minInexactDigits) {
    if (!isDigitAt(text, at)) continue;
    let from = at;
    while (isDigitAt(text, from - 1)) from -= 1;
    let end = at + 1;
    while (isDigitAt(text, end)) end += 1;
    if (end - from >= minInexactDigits) return true;
  }
  return false;
}

/** False outside the text. */
function isDigitAt(text: string, at: number): boolean {
  const mark = text.charCodeAt(at);
  return mark >= 0x30 && mark <= 0x39;
}

/** Integer literals with their offsets; numbers inside texts are no literals. */
function* integersOf(json: string): Generator<{ literal: string; at: number }> {
  for (let at = 0; at < json.length; at += 1) {
    const mark = json.charCodeAt(at);
    if (mark === 0x22) at = endOfText(json, at);
    else if (mark === 0x2d || (mark >= 0x30 && mark <= 0x39)) {
      number.lastIndex = at;
      const literal = number.exec(json)?.[0] ?? '';
      if (integer.test(literal)) yield { literal, at };
      at += Math.max(literal.length, 1) - 1;
    }
  }
}

/** @param from offset of the opening quote @returns offset of the closing one */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    const mark = json.charCodeAt(at);
    if (mark === 0x22) return at;
    if (mark === 0x5c) at += 1;
  }
  return json.length;
}
