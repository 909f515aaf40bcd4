// Items and keys in brackets or braces, in one line or several; JSON as well.
import { isCollection } from 'yaml';
import type { JsonValue } from '../../../base/json-value.ts';
import type { EditableFile, FileCollection } from './editable-file.ts';
import type { FileLayout } from './layout.ts';
import type { TextChange } from './text-changes.ts';
import { inOneLine, jsonText, keyInLine } from './write-value.ts';

/** Text of a new item or key for this collection, laid out like those that are there. */
export function flowEntryText(
  collection: FileCollection,
  { key, value }: { readonly key?: string; readonly value: JsonValue },
  layout: FileLayout,
): string {
  const before = key === undefined ? '' : keyInLine(key, true, layout) + layout.colon;
  return before + flowValueText(collection, value, layout);
}

/** A new value for an entry of this collection. In JSON over lines it gets lines where its neighbours have them. */
export function flowValueText(collection: FileCollection, value: JsonValue, layout: FileLayout): string {
  if (!layout.isJson || !isOverLines(collection, layout)) return inOneLine(value, layout);
  const neighbours = collection.entries.map((entry) => entry.value).filter((node) => isCollection(node));
  const isInLine = neighbours.some(
    ({ range, items }) => items.length > 0 && !collection.file.text.slice(range[0], range[1]).includes('\n'),
  );
  return isInLine ? inOneLine(value, layout) : jsonText(value, entryIndent(collection, layout), layout);
}

type NewFlowEntry = { readonly written: string; readonly layout: FileLayout; readonly separator?: string };

export function insertFlowEntry(
  collection: FileCollection,
  index: number,
  { written, layout, separator = separatorIn(collection, index, layout) }: NewFlowEntry,
): TextChange[] {
  const { file, entries, isList } = collection;
  const [open, close] = bracketsOf(collection);
  const next = entries[index];
  const last = entries.at(-1);
  if (last === undefined) {
    if (file.text.slice(open + 1, close).includes('#')) file.refuse('A comment stands in the way', open);
    const pad = isList ? layout.bracketPad : layout.bracePad;
    const indent = layout.lineBreak + indentAt(file, open);
    const isInLines = isOverLines(collection, layout);
    const insert = isInLines ? indent + (layout.jsonIndent ?? '') + written + indent : pad + written + pad;
    return [{ from: open + 1, to: close, insert }];
  }
  if (next !== undefined) return [{ from: next.start, to: next.start, insert: written + separator }];
  const rest = restOfEntry(file.text, last.end, close);
  if (!rest.comment) return [{ from: last.end, to: last.end, insert: separator + written }];
  const lineBreak = separator.slice(separator.indexOf(',') + 1);
  return [
    ...(rest.comma ? [] : [{ from: last.end, to: last.end, insert: ',' }]),
    { from: rest.end, to: rest.end, insert: lineBreak + written + (rest.comma ? ',' : '') },
  ];
}

export function removeFlowEntry(collection: FileCollection, index: number): TextChange[] {
  const { file, entries } = collection;
  const [open, close] = bracketsOf(collection);
  const { text } = file;
  const entry = entries[index];
  const next = entries[index + 1];
  const previous = entries[index - 1];
  if (entry === undefined) return [];
  const rest = restOfEntry(text, entry.end, close);
  if (next !== undefined) {
    const comment = text.slice(rest.end, next.start).indexOf('#');
    return [{ from: entry.start, to: comment < 0 ? next.start : rest.end + comment, insert: '' }];
  }
  if (previous === undefined) {
    const others = text.slice(open + 1, entry.start) + text.slice(rest.end, close);
    if (others.includes('#')) return [{ from: entry.start, to: rest.end, insert: '' }];
    return [{ from: open + 1, to: close, insert: '' }];
  }
  const gap = text.slice(previous.end, entry.start);
  if (!gap.includes('#'))
    return [{ from: previous.end, to: rest.comment ? rest.end : entry.end, insert: '' }];
  return [{ from: file.lineEnd(previous.end + gap.lastIndexOf('#')), to: rest.end, insert: '' }];
}

export function moveFlowEntry(
  collection: FileCollection,
  { index, to, layout }: { readonly index: number; readonly to: number; readonly layout: FileLayout },
): TextChange[] {
  const [open, close] = bracketsOf(collection);
  const entry = collection.entries[index];
  if (entry === undefined) return [];
  const { file } = collection;
  const { text } = file;
  const gaps = [open, ...collection.entries.map(({ end }) => end)].map((end, gap) =>
    text.slice(end, collection.entries[gap]?.start ?? close),
  );
  if (gaps.some((gap) => gap.includes('#')))
    file.refuse('Comments inside the brackets stand in the way', open);
  const others = { ...collection, entries: collection.entries.toSpliced(index, 1) };
  const written = text.slice(entry.start, entry.end);
  const separator = separatorIn(collection, to, layout);
  return [
    ...removeFlowEntry(collection, index),
    ...insertFlowEntry(others, to, { written, layout, separator }),
  ];
}

const bracketsOf = ({ node }: FileCollection): readonly [open: number, close: number] => {
  const [open = 0, end = 0] = node.range ?? [];
  return [open, end - 1];
};

/** Comma and comment behind an entry, in its line. */
function restOfEntry(
  text: string,
  end: number,
  close: number,
): { comma: boolean; comment: boolean; end: number } {
  const [written = '', comma, comment] =
    /^(?:[ \t]*(,))?(?:[ \t]+(#[^\r\n]*))?/.exec(text.slice(end, close)) ?? [];
  return { comma: comma !== undefined, comment: comment !== undefined, end: end + written.trimEnd().length };
}

const indentAt = (file: EditableFile, offset: number): string =>
  /^[ \t]*/.exec(file.text.slice(file.lineStart(offset), offset))?.[0] ?? '';

/** Indentation of the lines that the entries stand in. */
function entryIndent(collection: FileCollection, layout: FileLayout): string {
  const { file, entries } = collection;
  const first = entries[0];
  const [open] = bracketsOf(collection);
  return first === undefined ? indentAt(file, open) + (layout.jsonIndent ?? '') : indentAt(file, first.start);
}

/** True if the entries stand in lines below the bracket, or would in this file. */
function isOverLines(collection: FileCollection, layout: FileLayout): boolean {
  const [open] = bracketsOf(collection);
  const first = collection.entries[0];
  if (first === undefined) return layout.jsonIndent !== undefined;
  return collection.file.lineStart(first.start) > open;
}

/** Comma and blanks between two entries, as between the neighbours. */
function separatorIn(collection: FileCollection, index: number, layout: FileLayout): string {
  const { file, entries } = collection;
  const gaps = entries.slice(1).map(({ start }, before) => file.text.slice(entries[before]?.end, start));
  const gap = gaps[Math.min(Math.max(index - 1, 0), gaps.length - 1)];
  if (gap !== undefined && !gap.includes('#')) return gap;
  if (isOverLines(collection, layout)) return `,${layout.lineBreak}${entryIndent(collection, layout)}`;
  return layout.comma;
}
