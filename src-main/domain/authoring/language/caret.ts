// Finds the part of a file that an offset lies in, also while the text is being typed and is no YAML yet: the open quotes
// and brackets of the line are closed first, and an empty spot gets a name. Who calls: completions, and symbols.
import { isMap, isScalar, isSeq, Scalar, type Document, type ParsedNode } from 'yaml';
import { isJsonObject, type JsonValue } from '../../../base/json-value.ts';
import { isBlockText } from '../edit/editable-file.ts';
import { scalarUnits } from '../edit/scalar-units.ts';
import { compose, composeFile, maxFileLength, readTokens } from '../../workflow/compose-file.ts';
import { fileJson, keyText, type FileNode, type FilePair } from '../../workflow/file-document.ts';
import type { PathStep } from '../../workflow/file-problem.ts';

export type Caret = {
  /** Path of the value, or of the key with that name. */
  readonly path: readonly PathStep[];
  readonly isKey: boolean;
  /** The text of the value or key; without the filler of an empty spot. */
  readonly text: string;
  /** Offset within `text`; undefined inside of an escape. */
  readonly at: number;
  /** Range of the value or key in the file, quotes included; empty for an empty spot. */
  readonly from: number;
  readonly to: number;
  readonly style: 'plain' | 'single' | 'double' | 'block';
  /** True inside of brackets or braces. */
  readonly isFlow: boolean;
  /** True if nothing but a dash stands before it on its line, so that a value could become a key. */
  readonly startsLine: boolean;
  /** The file as data, with the value as `text` has it. */
  readonly data: JsonValue;
};

/** A value of a file that is edited apart from it: its path, and its text, which the file may not have yet. */
export type EditedValue = { readonly path: readonly PathStep[]; readonly text: string };

/** The caret at an offset of a value that is edited apart from its file. There the text stands as it is, without escapes. */
export function caretInValue(source: string, { path, text }: EditedValue, at: number): Caret | undefined {
  if (source.length > maxFileLength || at > text.length) return undefined;
  const root = documentOf(composeFile(source.replace(/^\ufeff/, '')))?.contents ?? null;
  return {
    ...{ path, text, at, from: 0, to: text.length },
    ...{ isKey: false, style: 'block', isFlow: false, startsLine: false },
    data: withValueAt(fileJson(root), path, text),
  };
}

/** The data with another value at the path, and with the objects around it that are missing. */
function withValueAt(
  data: JsonValue | undefined,
  [step, ...rest]: readonly PathStep[],
  value: JsonValue,
): JsonValue {
  if (step === undefined) return value;
  if (Array.isArray(data)) {
    const items = data as readonly JsonValue[];
    return typeof step === 'number' ? items.with(step, withValueAt(items[step], rest, value)) : items;
  }
  const object = isJsonObject(data) ? data : {};
  return { ...object, [step]: withValueAt(object[step], rest, value) };
}

/** Stands in an empty spot, so that the parser finds something there. A name that no file has. */
const filler = 'zqfiller';

/** Undefined in a comment, between values, and in a text that cannot be made out. */
export function caretAt(source: string, offset: number): Caret | undefined {
  if (source.length > maxFileLength) return undefined;
  const mark = source.startsWith('\ufeff') ? 1 : 0;
  const text = source.slice(mark);
  const at = offset - mark;
  const found = readings(text, at)
    .map((reading) => ({
      reading,
      document: reading.text === text ? documentOf(composeFile(text)) : read(reading.text),
    }))
    .filter(({ document }) => (document?.contents ?? null) !== null)
    .toSorted((one, other) => errorsIn(one.document) - errorsIn(other.document));
  for (const { reading, document } of found) {
    const root = document?.contents ?? null;
    const caret = find(root, { ...reading, at, data: fileJson(root) });
    if (caret !== undefined) return { ...caret, from: caret.from + mark, to: caret.to + mark };
  }
  return undefined;
}

const read = (text: string): Document.Parsed | undefined => {
  const tokens = readTokens(text);
  return 'tooDeepAt' in tokens ? undefined : compose(tokens, text.length, true).documents[0];
};

const documentOf = (file: ReturnType<typeof composeFile>): Document.Parsed | undefined =>
  'tooDeepAt' in file ? undefined : file.documents[0];

const errorsIn = (document: Document.Parsed | undefined): number => document?.errors.length ?? Infinity;

type Reading = { readonly text: string; /** Characters of the filler. */ readonly filled: number };

/** The text as it stands, and with its line completed. */
function readings(text: string, at: number): readonly Reading[] {
  const isEmptySpot = !/[^\s,[\]{}:#]/.test(text.charAt(at - 1)) && !/[^\s,[\]{}:#'"]/.test(text.charAt(at));
  const insert = isEmptySpot && !isInQuotes(text, at) ? filler : '';
  const filled = text.slice(0, at) + insert + text.slice(at);
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const end = filled.indexOf('\n', at);
  const lineEnd = end < 0 ? filled.length : filled[end - 1] === '\r' ? end - 1 : end;
  const closing = missingEnd(filled.slice(lineStart, lineEnd));
  const completed = filled.slice(0, lineEnd) + closing + filled.slice(lineEnd);
  const readings = [{ text: filled, filled: insert.length }];
  if (closing !== '') readings.push({ text: completed, filled: insert.length });
  // A name alone may become a key; without its colon, it would be one text with the next line.
  const name = /^(?:\s*- )*\s*[\w$-]+$/.exec(filled.slice(lineStart, lineEnd));
  if (name !== null)
    readings.push({ text: `${filled.slice(0, lineEnd)}:${filled.slice(lineEnd)}`, filled: insert.length });
  return readings;
}

/** True if quotes are open on the line before the offset. */
function isInQuotes(text: string, at: number): boolean {
  return /['"]/.test(missingEnd(text.slice(text.lastIndexOf('\n', at - 1) + 1, at)));
}

const closedQuotes = /(?<=^|[\s,[{:])(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*')/g;

/** The quotes and brackets that a line leaves open, as they have to be closed. */
function missingEnd(line: string): string {
  const rest = line.replaceAll(closedQuotes, '_');
  const stop = /(?<=^|\s)#|(?<=^|[\s,[{:])["']/.exec(rest);
  const open: string[] = [];
  for (const bracket of rest.slice(0, stop?.index).match(/[{}[\]]/g) ?? []) {
    if (bracket === '{' || bracket === '[') open.push(bracket === '{' ? '}' : ']');
    else if (bracket === open.at(-1)) open.pop();
  }
  const quote = stop === null || stop[0] === '#' ? '' : stop[0];
  return quote + open.reverse().join('');
}

type Search = Reading & { readonly at: number; readonly data: JsonValue };
type Spot = Pick<Caret, 'path' | 'isFlow' | 'isKey'>;

function find(
  node: FileNode,
  search: Search,
  spot: Spot = { path: [], isFlow: false, isKey: false },
): Caret | undefined {
  const inside = { ...spot, isFlow: spot.isFlow || ((isMap(node) || isSeq(node)) && node.flow === true) };
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = find(item, search, { ...inside, path: [...spot.path, index] });
      if (found !== undefined) return found;
    }
  } else if (isMap(node)) {
    for (const { key, value } of node.items as FilePair[]) {
      const path = [...spot.path, keyText(key)];
      const found =
        find(value, search, { ...inside, path }) ??
        scalarCaret(key, search, { ...inside, path, isKey: true });
      if (found !== undefined) return found;
    }
  } else return scalarCaret(node, search, inside);
  return undefined;
}

function scalarCaret(
  node: ParsedNode | null,
  { text, at, filled, data }: Search,
  { path, isFlow, isKey }: Spot,
): Caret | undefined {
  if (!isScalar(node) || (typeof node.value !== 'string' && node.range[0] === node.range[1]))
    return undefined;
  const [from, end] = node.range;
  if (at < from || at > end) return undefined;
  const style = styleOf(node);
  const value = typeof node.value === 'string' ? node.value : text.slice(from, end);
  const offset = offsetIn(text, node, at);
  if (offset === undefined) return undefined;
  const isFilled = filled > 0 && value.includes(filler);
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  return {
    path,
    isKey,
    text: isFilled ? value.replace(filler, '') : value,
    at: offset,
    from,
    to: isFilled ? end - filled : end,
    style,
    isFlow,
    startsLine: /^\s*(?:- *)*$/.test(line) && !isFlow,
    data,
  };
}

const styleOf = (node: Scalar): Caret['style'] =>
  isBlockText(node)
    ? 'block'
    : node.type === Scalar.QUOTE_DOUBLE
      ? 'double'
      : node.type === Scalar.QUOTE_SINGLE
        ? 'single'
        : 'plain';

/** The offset in the value of an offset in the file. */
function offsetIn(text: string, node: Scalar.Parsed, at: number): number | undefined {
  if (typeof node.value !== 'string') return at - node.range[0];
  let offset = 0;
  for (const unit of scalarUnits(text, node) ?? []) {
    if (unit.from >= at) return offset;
    if (unit.to > at)
      return unit.text.length > 1 || unit.text === '\n' ? offset + unit.text.length : undefined;
    offset += unit.text.length;
  }
  return offset;
}
