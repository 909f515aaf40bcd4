// The ranges that an edit replaces. Where there is more than one way to write it, the one that touches least goes first.
import { isCollection, isMap, isScalar, Scalar } from 'yaml';
import type { JsonValue } from '../../../base/json-value.ts';
import { textOfEntry, insertEntry, moveEntry, removeEntry, entryBodies } from './block-entries.ts';
import { textCandidates } from './change-text.ts';
import {
  describePath,
  type EditableFile,
  type FileCollection,
  type Located,
  type Path,
  type FileEntry,
} from './editable-file.ts';
import type { FileEdit } from './file-edit.ts';
import {
  flowEntryText,
  flowValueText,
  insertFlowEntry,
  moveFlowEntry,
  removeFlowEntry,
} from './flow-entries.ts';
import { layoutOf, type FileLayout } from './layout.ts';
import { differingRange, type TextChange } from './text-changes.ts';
import { behindKey, inOneLine, keyInLine, pairText, quoted, textBehind } from './write-value.ts';

type EditOf<K extends FileEdit['kind']> = Extract<FileEdit, { readonly kind: K }>;

export function editCandidates(file: EditableFile, edit: FileEdit): Iterable<TextChange[]> {
  switch (edit.kind) {
    case 'setValue':
      return valueCandidates(file, edit);
    case 'insertItem':
      return itemCandidates(file, edit);
    case 'insertKey':
      return [keyInsertion(file, edit)];
    case 'removeItem':
      return [removal(file, edit.path)];
    case 'moveItem':
    case 'copyItem':
      return [move(file, edit)];
    case 'renameKey':
      return keyCandidates(file, edit);
    case 'changeTexts':
      return changedTexts(file, edit);
    case 'setComment':
      return [commentAbove(file, edit)];
  }
}

function valueCandidates(
  file: EditableFile,
  { path, value, written: lines }: EditOf<'setValue'>,
): Iterable<TextChange[]> {
  const located = file.locate(path);
  const { entry, parent, around } = located;
  const old = isScalar(entry.value) && entry.end > entry.valueStart ? entry.value.value : undefined;
  if (typeof old === 'string' && typeof value === 'string') {
    const { start, oldEnd, newEnd } = differingRange(old, value);
    return textCandidates(located, [{ from: start, to: oldEnd, insert: value.slice(start, newEnd) }]);
  }
  const layout = layoutOf(file, around, entry.start);
  if (!parent.isFlow) {
    const texts = [valueBehind(located, value, layout)];
    // A comment below would become part of a block.
    if (typeof value === 'string') texts.push(` ${quoted(value, '"')}`);
    const indent = `\n${' '.repeat(file.column(entry.start) + layout.listStep)}`;
    if (lines !== undefined)
      texts.unshift(`\n${lines}`.replaceAll('\n', layout.lineBreak).replaceAll(/\n(?!\r?\n|$)/g, indent));
    return texts.map((text) => replaceBlockValue(file, entry, text));
  }
  const written = flowValueText(parent, value, layout);
  const isEmpty = entry.end === entry.valueStart;
  const before = entry.key === undefined || !isEmpty ? '' : entry.hasColon ? ' ' : ': ';
  return [[{ from: entry.valueStart, to: entry.end, insert: before + written }]];
}

function valueBehind({ entry, parent }: Located, value: JsonValue, layout: FileLayout): string {
  const column = parent.file.column(entry.start);
  const isInBrackets = isCollection(entry.value) && entry.value.flow === true && entry.value.items.length > 0;
  if (!parent.isList && !isInBrackets) return behindKey(value, column, layout);
  return textBehind(value, { column, isItem: parent.isList, oneLine: isInBrackets }, layout);
}

function itemCandidates(
  file: EditableFile,
  { path, index, value, written }: EditOf<'insertItem'>,
): TextChange[][] {
  const anew = insertion(file, { path, index }, { value });
  if (written === undefined || emptyEntry(file, path, { value }) !== undefined) return [anew];
  const { collection } = file.collectionAt(path);
  if (collection.isFlow) return [anew];
  const first = collection.entries[0]?.start ?? 0;
  const indent = file.lineBreakAt(first) + ' '.repeat(file.column(first));
  return [insertEntry(collection, index, written.replaceAll(/\n(?!\n|$)/g, indent)), anew];
}

type NewEntry = { readonly key?: string; readonly value: JsonValue };

function keyInsertion(file: EditableFile, { path, key, value, before }: EditOf<'insertKey'>): TextChange[] {
  const empty = emptyEntry(file, path, { key, value });
  if (empty !== undefined) return insertion(file, { path, index: 0 }, { key, value });
  const { collection } = file.collectionAt(path);
  if (collection.isList) file.refuse('A list has no keys', collection.node.range?.[0]);
  if (file.indexOf(collection, key) >= 0)
    file.refuse(`There is a key ${JSON.stringify(key)} already`, collection.node.range?.[0]);
  const index = before === undefined ? collection.entries.length : file.indexOf(collection, before);
  if (index < 0)
    file.refuse(`There is no ${describePath([...path, before ?? ''])}`, collection.node.range?.[0]);
  return insertion(file, { path, index }, { key, value });
}

function insertion(
  file: EditableFile,
  { path, index }: { readonly path: Path; readonly index: number },
  entry: NewEntry,
): TextChange[] {
  const empty = emptyEntry(file, path, entry);
  if (empty !== undefined) return firstEntry(file, empty, entry);
  const { collection, around } = file.collectionAt(path);
  const { entries, isFlow, isList } = collection;
  if (isList !== (entry.key === undefined)) file.refuse('This is no list', collection.node.range?.[0]);
  if (index < 0 || index > entries.length)
    file.refuse(`There is no ${describePath([...path, index])}`, collection.node.range?.[0]);
  const offset = firstOffset(entries[index], entries.at(-1), { start: collection.node.range?.[0] ?? 0 });
  const layout = layoutOf(file, [...around, collection], offset);
  if (isFlow) {
    const written = flowEntryText(collection, entry, layout);
    return insertFlowEntry(collection, index, { written, layout });
  }
  return insertEntry(collection, index, blockEntryText(collection, index, { ...entry, layout }));
}

const firstOffset = (...entries: readonly ({ readonly start: number } | undefined)[]): number =>
  entries.find((entry) => entry !== undefined)?.start ?? 0;

/** The first entry below a key or dash that has none: in lines, but for a simple item. */
function firstEntry(
  file: EditableFile,
  { entry, parent, around }: Located,
  { key, value }: NewEntry,
): TextChange[] {
  const layout = layoutOf(file, around, entry.start);
  const at = { column: file.column(entry.start), isItem: parent.isList };
  if (key !== undefined) return replaceBlockValue(file, entry, textBehind({ [key]: value }, at, layout));
  if (typeof value !== 'object' || value === null)
    return replaceBlockValue(file, entry, textBehind([value], { ...at, oneLine: true }, layout));
  const column = at.column + (parent.isList ? 1 + layout.dashBlanks.length : layout.listStep);
  const before = parent.isList ? layout.dashBlanks : layout.lineBreak + ' '.repeat(column);
  return replaceBlockValue(file, entry, `${before}-${textBehind(value, { column, isItem: true }, layout)}`);
}

function blockEntryText(
  collection: FileCollection,
  index: number,
  { key, value, layout }: NewEntry & { readonly layout: FileLayout },
): string {
  const column = collection.file.column(collection.entries[0]?.start ?? 0);
  const nearest = [...collection.entries.entries()]
    .filter(([, entry]) => isCollection(entry.value) && entry.value.items.length > 0)
    .filter(([, entry]) => key === undefined || isMap(entry.value) !== Array.isArray(value))
    .sort(([one], [other]) => Math.abs(one - index + 0.5) - Math.abs(other - index + 0.5))[0]?.[1].value;
  const oneLine = isCollection(nearest) && nearest.flow === true;
  if (key === undefined) return `-${textBehind(value, { column, isItem: true, oneLine }, layout)}`;
  return oneLine
    ? `${keyInLine(key, false, layout)}: ${inOneLine(value, layout, typeof value === 'object')}`
    : pairText([key, value], column, layout);
}

/** The entry at the path if it is empty, or holds empty brackets that need not stay; it is to hold lines. */
function emptyEntry(file: EditableFile, path: Path, { key, value: first }: NewEntry): Located | undefined {
  if (path.length === 0 || file.isJson) return undefined;
  const located = file.locate(path);
  const { value } = located.entry;
  if (located.around.some(({ isFlow }) => isFlow)) return undefined;
  if (!isCollection(value))
    return value === null || (isScalar(value) && value.value === null) ? located : undefined;
  const isSimple = typeof first !== 'object' || first === null;
  return value.items.length === 0 && !isSimple && isMap(value) === (key !== undefined) ? located : undefined;
}

function removal(file: EditableFile, path: Path): TextChange[] {
  const { parent, index } = file.locate(path);
  if (parent.isFlow) return removeFlowEntry(parent, index);
  if (parent.entries.length > 1) return removeEntry(parent, index);
  if (path.length === 1) file.refuse('The file would be empty');
  const { entry } = file.locate(path.slice(0, -1));
  return replaceBlockValue(file, entry, parent.isList ? ' []' : ' {}');
}

function move(file: EditableFile, { kind, path, to }: EditOf<'moveItem' | 'copyItem'>): TextChange[] {
  const { parent, index, entry, around } = file.locate(path);
  if (kind === 'copyItem' && !parent.isList) file.refuse('A key cannot be there twice', entry.start);
  const count = parent.entries.length + (kind === 'copyItem' ? 1 : 0);
  if (to < 0 || to >= count) file.refuse(`There is no position ${to}`, entry.start);
  if (kind === 'moveItem' && to === index) return [];
  if (!parent.isFlow)
    return kind === 'moveItem'
      ? moveEntry(parent, { index, to })
      : insertEntry(parent, to, textOfEntry(parent, index));
  const layout = layoutOf(file, around, entry.start);
  if (kind === 'moveItem') return moveFlowEntry(parent, { index, to, layout });
  const written = file.text.slice(entry.start, entry.end);
  return insertFlowEntry(parent, to, { written, layout });
}

function keyCandidates(file: EditableFile, { path, key }: EditOf<'renameKey'>): TextChange[][] {
  const { parent, entry, around } = file.locate(path);
  if (!isScalar(entry.key)) file.refuse('This is no key', entry.start);
  if (file.indexOf(parent, key) >= 0)
    file.refuse(`There is a key ${JSON.stringify(key)} already`, entry.start);
  const [from, to] = entry.key.range;
  const layout = layoutOf(file, around, from);
  const { type } = entry.key;
  const quote = type === Scalar.QUOTE_SINGLE ? "'" : type === Scalar.QUOTE_DOUBLE ? '"' : undefined;
  const spellings = [quote ? quoted(key, quote) : keyInLine(key, parent.isFlow, layout), quoted(key, '"')];
  return spellings.map((insert) => [{ from, to, insert }]);
}

/** Several texts in the way that touches least, or one in each way. */
function changedTexts(file: EditableFile, { texts }: EditOf<'changeTexts'>): Iterable<TextChange[]> {
  const candidates = texts.map(({ path, changes }) => textCandidates(file.locate(path), changes));
  const [only = []] = candidates;
  return texts.length === 1 ? only : [candidates.flatMap(([first = []]) => first)];
}

function commentAbove(file: EditableFile, { path, text }: EditOf<'setComment'>): TextChange[] {
  const { parent, entry, index } = file.locate(path);
  if (parent.isFlow) file.refuse('Inside of brackets there is no line for a comment', entry.start);
  const from = entryBodies(parent)[index]?.from ?? entry.start;
  const between = file.lineBreakAt(entry.start) + ' '.repeat(file.column(entry.start));
  const lines = text.trim() === '' ? [] : text.trim().split(/\r?\n/);
  const insert = lines.map((line) => `# ${line.trim()}`.trimEnd() + between).join('');
  return [{ from, to: entry.start, insert }];
}

/** The comment above a key or item, without its marks; undefined if none belongs to it. */
export function commentOf(file: EditableFile, path: Path): string | undefined {
  const { parent, entry, index } = file.locate(path);
  const from = parent.isFlow ? entry.start : (entryBodies(parent)[index]?.from ?? entry.start);
  const lines = file.text.slice(from, entry.start).trim();
  return lines === '' ? undefined : lines.replaceAll(/^[ \t]*# ?/gm, '');
}

// A value in lines that becomes another one: what stands on the line of its key or dash, and the lines below.

/**
 * Replaces the value of an item or key that is not in brackets. Comments on its line, and those that belong to none of
 * its entries, stay.
 * @param behind the new text behind the dash or colon, from the blank or line break on
 */
function replaceBlockValue(file: EditableFile, entry: FileEntry, behind: string): TextChange[] {
  if (entry.key !== undefined && !entry.hasColon) file.refuse('This key has no ":"', entry.start);
  const lineBreak = /\r?\n/.exec(behind)?.index ?? behind.length;
  const parts = { head: behind.slice(0, lineBreak), tail: behind.slice(lineBreak) };
  const { value } = entry;
  return isCollection(value) && value.flow !== true
    ? replaceLines(file, { entry, bodies: entryBodies(file.collectionOf(value)) }, parts)
    : replaceInLine(file, entry, parts);
}

/** The new text on the line of the key or dash, and that of the lines below. */
type NewText = { readonly head: string; readonly tail: string };

function replaceInLine(
  file: EditableFile,
  { valueFrom, valueStart, end }: FileEntry,
  { head, tail }: NewText,
): TextChange[] {
  const isEmpty = end === valueFrom;
  const lineEnd = file.lineEnd(end);
  return [
    { from: head === '' ? valueFrom : valueStart, to: end, insert: isEmpty ? head : head.trimStart() },
    { from: lineEnd, to: lineEnd, insert: tail },
  ];
}

function replaceLines(
  file: EditableFile,
  { entry, bodies }: { readonly entry: FileEntry; readonly bodies: ReturnType<typeof entryBodies> },
  { head, tail }: NewText,
): TextChange[] {
  const { valueFrom, valueStart, end } = entry;
  const to = bodies.at(-1)?.to ?? end;
  if (file.lineStart(valueStart) <= valueFrom)
    return [{ from: valueStart, to, insert: head.trimStart() + tail }];
  const above = file.lineEnd(file.lineStart(bodies[0]?.from ?? valueStart) - 1);
  return [
    { from: valueFrom, to: valueFrom, insert: head },
    { from: above, to, insert: tail },
  ];
}
