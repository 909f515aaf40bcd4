// Each character of a text value, with the range of the file that it is written in: quotes, escapes, folded lines and
// blocks. So a part of a value can be changed while every other character stays as its author wrote it.
import { Scalar } from 'yaml';
import { isBlockText } from './editable-file.ts';

/** One or more characters of the value (none for an escaped line break), and where the file has them. */
export type Unit = { readonly from: number; readonly to: number; readonly text: string };

/** The units of the value, in order; undefined for a way of writing that is too odd to take apart. */
export function scalarUnits(text: string, scalar: Scalar.Parsed): readonly Unit[] | undefined {
  if (typeof scalar.value !== 'string') return undefined;
  const units = isBlockText(scalar) ? blockUnits(text, scalar, scalar.value) : inlineUnits(text, scalar);
  return units.map((unit) => unit.text).join('') === scalar.value ? units : undefined;
}

const fold = '[ \\t]*(?:\\r?\\n[ \\t]*)+';
const plainUnit = new RegExp(`${fold}|[^]`, 'y');
const singleUnit = new RegExp(`${fold}|''|[^']`, 'y');
const doubleUnit = new RegExp(`\\\\(?:x..|u.{4}|U.{8}|\\r?\\n[ \\t]*|[^])|${fold}|[^"]`, 'y');

function inlineUnits(text: string, { type, range: [start, end] }: Scalar.Parsed): Unit[] {
  const isQuoted = type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE;
  const pattern =
    type === Scalar.QUOTE_DOUBLE ? doubleUnit : type === Scalar.QUOTE_SINGLE ? singleUnit : plainUnit;
  const units: Unit[] = [];
  const last = isQuoted ? end - 1 : end;
  let from = isQuoted ? start + 1 : start;
  while (from < last) {
    pattern.lastIndex = from;
    const written = pattern.exec(text)?.[0];
    if (written === undefined) break;
    units.push({ from, to: from + written.length, text: valueOf(written, type) });
    from += written.length;
  }
  return units;
}

function valueOf(written: string, type: Scalar.Type | undefined): string {
  if (type === Scalar.QUOTE_DOUBLE && written.startsWith('\\')) return unescaped(written);
  if (type === Scalar.QUOTE_SINGLE && written === "''") return "'";
  const breaks = written.split('\n').length - 1;
  if (breaks === 0) return written;
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

const letters: Readonly<Record<string, string>> = {
  ...{ '0': '\0', a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b' },
  ...{ N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029' },
};

function unescaped(written: string): string {
  if (/^\\\r?\n/.test(written)) return '';
  const code = /^\\[xuU](.+)/.exec(written)?.[1];
  if (code !== undefined) return String.fromCodePoint(Math.min(parseInt(code, 16) || 0, 0x10_ffff));
  return letters[written.charAt(1)] ?? written.charAt(1);
}

/** Lines of a block, each without its indentation; all that is between two of them is one unit. */
function blockUnits(text: string, { range: [start, end] }: Scalar.Parsed, value: string): Unit[] {
  const units: Unit[] = [];
  const body = text.indexOf('\n', start) + 1;
  if (body === 0 || body >= end) return units;
  const indent = columnsBefore(text.slice(body, end)) - columnsBefore(value);
  let at = 0;
  let gap = body;
  for (const line of text.slice(body, end).matchAll(/[^\r\n]+/g)) {
    const content = line[0].slice(indent);
    if (content === '') continue;
    const from = body + line.index + indent;
    const breaks = (at === 0 ? /^\n*/ : /^(?: (?=\S)|\n*)/).exec(value.slice(at))?.[0] ?? '';
    if (breaks !== '') units.push({ from: gap, to: from, text: breaks });
    for (let i = 0; i < content.length; i += 1)
      units.push({ from: from + i, to: from + i + 1, text: content.charAt(i) });
    at += breaks.length + content.length;
    gap = from + content.length;
  }
  if (at < value.length) units.push({ from: gap, to: end, text: value.slice(at) });
  return units;
}

/** Blanks in front of the first line that has anything else. */
const columnsBefore = (text: string): number => /^( *)[^ \r\n]/m.exec(text)?.[1]?.length ?? 0;
