// From a place inside a string to its place in the file. A string may be plain, quoted, folded over lines or a
// block, but all that these ways of writing change is white space and escapes. So the n-th character that is not
// white space is the same on both sides:
//
//   code: >-            value  "row.a + row.b"       offset 8 ('r' of row.b) is the 6th of them
//     row.a             file   "row.a\n    + row.b"  and so is the 'r' in the third line
//     + row.b
import { Scalar } from 'yaml';

/** The offset in the file of a place in the scalar's value; behind its last character for a place behind that. */
export function scalarOffset(text: string, scalar: Scalar, offset: number): number {
  const [start, end] = scalar.range ?? [0, 0];
  if (typeof scalar.value !== 'string') return start;
  const style = styleOf(text, start, scalar.type);
  return nthSolid(text.slice(0, end), style, countSolid(scalar.value.slice(0, offset)));
}

const countSolid = (value: string): number => value.replace(/\s+/g, '').length;

/** A way of writing: where the text begins, one written character, and what that stands for. */
type Style = { readonly start: number; readonly unit: RegExp; readonly decode?: (written: string) => string };

function styleOf(text: string, start: number, type: Scalar.Type | undefined): Style {
  switch (type) {
    case Scalar.QUOTE_DOUBLE:
      return { start: start + 1, unit: /\\(?:x..|u.{4}|U.{8}|\r\n|[^])|[^"]/y, decode: unescape };
    case Scalar.QUOTE_SINGLE:
      return { start: start + 1, unit: /''|[^']/y, decode: (written) => written.charAt(0) };
    case Scalar.BLOCK_FOLDED:
    case Scalar.BLOCK_LITERAL:
      return { start: lineEnd(text, start), unit: /[^]/y };
    default:
      return { start, unit: /[^]/y };
  }
}

/** The header of a block (`|-`, and perhaps a comment) is no part of its text. */
function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Where the n-th character (from 0) that is not white space is written. */
function nthSolid(text: string, { start, unit, decode }: Style, n: number): number {
  let left = n;
  let behind = start;
  unit.lastIndex = start;
  for (
    let at = start, match = unit.exec(text);
    match !== null;
    at = unit.lastIndex, match = unit.exec(text)
  ) {
    // An escape may stand for a pair of UTF-16 units; both are where it is.
    const solid = countSolid(decode?.(match[0]) ?? match[0]);
    if (solid > left) return at;
    left -= solid;
    if (solid > 0) behind = unit.lastIndex;
  }
  return behind;
}

/** Enough of YAML's escapes to know which are white space: the letters below are, and a line break joins lines. */
function unescape(written: string): string {
  if (!written.startsWith('\\')) return written;
  if (/^\\[xuU]/.test(written)) return codePoint(parseInt(written.slice(2), 16));
  return /^\\[tnvfr \t_LP\r\n]/.test(written) ? ' ' : '*';
}

/** The character of a code point. The YAML parser has reported invalid code points already; they give `*`. */
const codePoint = (code: number): string => (code <= 0x10_ffff ? String.fromCodePoint(code) : '*');
