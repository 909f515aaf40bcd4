// Writes new values as a person would: lines for objects, one line for what is short, quotes only where needed.
import { isScalar, isSeq, Scalar } from 'yaml';
import type { JsonObject, JsonValue } from '../../../base/json-value.ts';
import { compose, readTokens } from '../../workflow/compose-file.ts';
import type { FileLayout } from './layout.ts';

/** Maximum characters of a list, or of an object in a list, that is written in one line. */
const maxLineLength = 160;

/**
 * Text behind the colon of a key or the dash of an item, from the blank or line break on.
 * @param column of the key or dash
 * @param oneLine true: an object or list goes in one line; absent: it gets lines
 */
export function textBehind(
  value: JsonValue,
  at: { readonly column: number; readonly isItem: boolean; readonly oneLine?: boolean },
  layout: FileLayout,
): string {
  if (layout.isJson || at.oneLine === true || isEmptyOrScalar(value))
    return (at.isItem ? layout.dashBlanks : ' ') + lineOrBlock(value, at, layout);
  const isList = Array.isArray(value);
  const column = at.isItem
    ? at.column + 1 + layout.dashBlanks.length
    : at.column + (isList ? layout.listStep : layout.step);
  const indent = layout.lineBreak + ' '.repeat(column);
  const lines = isList
    ? (value as readonly JsonValue[]).map((item) => `-${itemBehind(item, column, layout)}`)
    : Object.entries(value as JsonObject).map((pair) => pairText(pair, column, layout));
  return (at.isItem ? layout.dashBlanks : indent) + lines.join(indent);
}

/** A key with its value. */
export const pairText = (
  [key, value]: readonly [string, JsonValue],
  column: number,
  layout: FileLayout,
): string => `${keyInLine(key, false, layout)}:${behindKey(value, column, layout)}`;

/** Text behind the colon of a key: short lists in one line, everything else as by `textBehind`. */
export function behindKey(value: JsonValue, column: number, layout: FileLayout): string {
  const oneLine = Array.isArray(value) && isShortList(value as readonly JsonValue[], layout);
  return textBehind(value, { column, isItem: false, oneLine }, layout);
}

function itemBehind(item: JsonValue, column: number, layout: FileLayout): string {
  const oneLine = inOneLine(item, layout).length <= maxLineLength;
  return textBehind(item, { column, isItem: true, oneLine }, layout);
}

/** Lists of simple values, and lists of such lists. */
const isShortList = (list: readonly JsonValue[], layout: FileLayout): boolean =>
  list.every(
    (item) => isEmptyOrScalar(item) || (Array.isArray(item) && isShortList(item as JsonValue[], layout)),
  ) && inOneLine(list, layout).length <= maxLineLength;

const isEmptyOrScalar = (value: JsonValue): boolean =>
  typeof value !== 'object' || value === null || Object.keys(value).length === 0;

function lineOrBlock(value: JsonValue, { column }: { readonly column: number }, layout: FileLayout): string {
  const isLong = typeof value === 'string' && value.includes('\n') && !layout.isJson;
  const block = isLong
    ? literalBlock(value, { column: column + layout.step, lineBreak: layout.lineBreak })
    : undefined;
  return block ?? inOneLine(value, layout, false);
}

type BlockOptions = { readonly column: number; readonly lineBreak: string; readonly comment?: string };

/** `|` with the lines of a text; undefined where quotes are needed to hold it. */
export function literalBlock(
  text: string,
  { column, lineBreak, comment = '' }: BlockOptions,
): string | undefined {
  if (!/^\S/.test(text) || text.endsWith('\n\n') || isUnprintable(text.replaceAll(/[\n\t]/g, '')))
    return undefined;
  const lines = text.replace(/\n$/, '').split('\n');
  const indent = ' '.repeat(column);
  const body = lines.map((line) => lineBreak + (line === '' ? '' : indent + line)).join('');
  return `|${text.endsWith('\n') ? '' : '-'}${comment}${body}`;
}

/** @param inFlow true inside of brackets or braces */
export function inOneLine(value: JsonValue, layout: FileLayout, inFlow = true): string {
  if (typeof value === 'string') return textInLine(value, layout, inFlow);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? (value as readonly JsonValue[]).map((item) => inOneLine(item, layout))
    : Object.entries(value as JsonObject).map(
        ([key, entry]) => `${keyInLine(key, true, layout)}${layout.colon}${inOneLine(entry, layout)}`,
      );
  const [open, close, pad] = isList ? ['[', ']', layout.bracketPad] : ['{', '}', layout.bracePad];
  return parts.length === 0 ? open + close : open + pad + parts.join(layout.comma) + pad + close;
}

/** JSON over lines, the first of which stands at `indent`. */
export function jsonText(value: JsonValue, indent: string, layout: FileLayout): string {
  if (layout.jsonIndent === undefined) return inOneLine(value, layout);
  return JSON.stringify(value, null, layout.jsonIndent).replaceAll('\n', layout.lineBreak + indent);
}

export function keyInLine(key: string, inFlow: boolean, layout: FileLayout): string {
  // A bare `<<` is YAML's merge key.
  if (!layout.isJson && key !== '<<' && !key.includes('\n') && isPlain(key, inFlow, true)) return key;
  return quoted(key, quoteFor(key, layout));
}

function textInLine(text: string, layout: FileLayout, inFlow: boolean): string {
  if (!layout.isJson && !/[\n\r]/.test(text) && isPlain(text, inFlow, false)) return text;
  return quoted(text, quoteFor(text, layout));
}

/** The kind that the file has more of, else the one that needs no escapes. */
function quoteFor(text: string, { isJson, quote }: FileLayout): '"' | "'" {
  if (isJson) return '"';
  return quote ?? (/["\\]/.test(text) && !text.includes("'") ? "'" : '"');
}

/** True if only double quotes can hold the text, with escapes. */
export const isUnprintable = (text: string): boolean =>
  /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(
    text.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, ''),
  );

export const quoted = (text: string, quote: '"' | "'"): string =>
  quote === "'" && !isUnprintable(text) ? `'${text.replaceAll("'", "''")}'` : `"${escaped(text)}"`;

/** A text as double quotes hold it, in YAML and in JSON. */
export const escaped = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(
      /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

const obviouslyPlain = /^(?!(?:null|true|false)$)[a-z_][a-z0-9_/.@-]*(?: [a-z0-9_/.@-]+)*$/i;

/** Texts that begin with a character of YAML's own, that would end early, or that lose blanks. */
const neverPlain = /^$|^[\s[\]{},#&*!|>'"%@`]|^(?:---|\.\.\.)|: | #|[\s:]$/;

/** True if the text can stand without quotes and is read as the same text. */
function isPlain(text: string, inFlow: boolean, isKey: boolean): boolean {
  if (obviouslyPlain.test(text)) return true;
  if (neverPlain.test(text) || isUnprintable(text) || (inFlow && /[[\]{},]/.test(text))) return false;
  const source = isKey && !inFlow ? [`- ${text}: 0`, `- ${text}`] : inFlow ? [`[${text}]`] : [`- ${text}`];
  return source.every((written) => readsAs(written, text));
}

function readsAs(source: string, text: string): boolean {
  const tokens = readTokens(source);
  const [document] = 'tooDeepAt' in tokens ? [] : compose(tokens, source.length).documents;
  if (document === undefined || document.errors.length > 0 || !isSeq(document.contents)) return false;
  const [item] = document.contents.items;
  const scalar: unknown = isScalar(item) || document.contents.items.length !== 1 ? item : firstKey(item);
  return (
    isScalar(scalar) &&
    scalar.type === Scalar.PLAIN &&
    scalar.value === text &&
    !document.comment &&
    !scalar.comment
  );
}

const firstKey = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'items' in item && Array.isArray(item.items)
    ? (item.items[0] as { readonly key?: unknown } | undefined)?.key
    : undefined;
