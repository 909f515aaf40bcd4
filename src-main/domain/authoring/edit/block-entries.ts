// Items and keys in lines: inserted, removed and moved together with the comments that belong to them.
//
// The bodies of the entries all begin in one column. What is between two bodies is a gap: line breaks, blank lines,
// indentation, and comments that belong to no entry. An edit moves bodies and leaves such comments where they are.
import type { EditableFile, FileCollection, FileEntry } from './editable-file.ts';
import type { TextChange } from './text-changes.ts';

/** An entry with its comments: from its first character to the end of its last line, without the line break. */
export type EntryBody = { readonly from: number; readonly to: number };

/**
 * Comments belong to an entry if they stand in its lines, directly above it in its column, or below it and deeper.
 */
export function entryBodies({ file, entries }: FileCollection): EntryBody[] {
  const bodies: EntryBody[] = [];
  for (const entry of entries) {
    const floor = bodies.at(-1)?.to ?? 0;
    bodies.push({ from: commentsAbove(file, entry, floor), to: bodyEnd(file, entry) });
  }
  return bodies;
}

function commentsAbove(file: EditableFile, { start }: FileEntry, floor: number): number {
  const column = file.column(start);
  let from = start;
  for (;;) {
    const line = file.lineStart(from);
    if (file.text.slice(line, from).trim() !== '' || line - 1 <= floor) return from;
    const above = file.lineStart(line - 1);
    const comment = above + column;
    // Comments at the top of the file are about the file.
    if (above === 0 && file.text[above] === '#') return start;
    if (above < floor || comment >= line || file.text[comment] !== '#') return from;
    if (file.text.slice(above, comment).trim() !== '') return from;
    from = comment;
  }
}

function bodyEnd(file: EditableFile, { start, end }: FileEntry): number {
  const { text } = file;
  const column = file.column(start);
  let to = file.lineEnd(end);
  for (let at = to; at < text.length;) {
    const line = text.indexOf('\n', at) + 1;
    if (line === 0) break;
    at = file.lineEnd(line);
    const content = text.slice(line, at).trimStart();
    if (content === '') continue;
    if (!content.startsWith('#') || at - content.length - line <= column) break;
    to = at;
  }
  return to;
}

/** @param written the new entry, without the indentation of its first line */
export function insertEntry(collection: FileCollection, index: number, written: string): TextChange[] {
  const bodies = entryBodies(collection);
  return insertBody(bodies, index, { written, separator: separatorAt(collection.file, bodies, index) });
}

function insertBody(
  bodies: readonly EntryBody[],
  index: number,
  { written, separator }: { readonly written: string; readonly separator: string },
): TextChange[] {
  const next = bodies[index];
  if (next !== undefined) return [{ from: next.from, to: next.from, insert: written + separator }];
  const end = bodies.at(-1)?.to ?? 0;
  return [{ from: end, to: end, insert: separator + written }];
}

/** Line breaks and blanks between two entries here: as many blank lines as between the neighbours. */
function separatorAt(file: EditableFile, bodies: readonly EntryBody[], index: number): string {
  const first = bodies[0]?.from ?? 0;
  const lineBreak = file.lineBreakAt(bodies[index]?.from ?? bodies.at(-1)?.to ?? 0);
  const gaps = bodies.slice(1).map(({ from }, before) => file.text.slice(bodies[before]?.to, from));
  const gap = gaps[Math.min(Math.max(index - 1, 0), gaps.length - 1)] ?? '\n';
  const lines = gap.includes('#') ? 1 : gap.split('\n').length - 1;
  return lineBreak.repeat(Math.max(lines, 1)) + ' '.repeat(file.column(first));
}

/** Removes one of several entries. */
export function removeEntry(collection: FileCollection, index: number): TextChange[] {
  const { file } = collection;
  const bodies = entryBodies(collection);
  const body = bodies[index];
  const next = bodies[index + 1];
  const previous = bodies[index - 1];
  if (body === undefined) return [];
  if (next !== undefined) {
    const gap = file.text.slice(body.to, next.from);
    const comment = gap.indexOf('#');
    // A line of its own goes as a whole, so that the comment keeps its indentation.
    const isWhole = file.text.slice(file.lineStart(body.from), body.from).trim() === '';
    if (comment < 0) return [{ from: body.from, to: next.from, insert: '' }];
    const to = body.to + comment;
    return [
      isWhole
        ? { from: file.lineStart(body.from), to: file.lineStart(to), insert: '' }
        : { ...body, to, insert: '' },
    ];
  }
  if (previous === undefined) return [];
  const gap = file.text.slice(previous.to, body.from);
  const comment = gap.lastIndexOf('#');
  const from = comment < 0 ? previous.to : file.lineEnd(previous.to + comment);
  return [{ from, to: body.to, insert: '' }];
}

/** Moves one of several entries so that it has the index `to` afterwards. */
export function moveEntry(
  collection: FileCollection,
  { index, to }: { readonly index: number; readonly to: number },
): TextChange[] {
  const bodies = entryBodies(collection);
  const written = textOfEntry(collection, index);
  const separator = separatorAt(collection.file, bodies, to);
  return [
    ...removeEntry(collection, index),
    ...insertBody(bodies.toSpliced(index, 1), to, { written, separator }),
  ];
}

/** Text of an entry with its comments, without the indentation of its first line. */
export function textOfEntry(collection: FileCollection, index: number): string {
  const body = entryBodies(collection)[index];
  return body === undefined ? '' : collection.file.text.slice(body.from, body.to);
}
