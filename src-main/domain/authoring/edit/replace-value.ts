// A value in lines that becomes another one: what stands on the line of its key or dash, and the lines below.
import { isCollection } from 'yaml';
import { entryBodies } from './block-entries.ts';
import type { EditableFile, FileEntry } from './editable-file.ts';
import type { TextChange } from './text-changes.ts';

/**
 * Replaces the value of an item or key that is not in brackets. Comments on its line, and those that belong to none of
 * its entries, stay.
 * @param behind the new text behind the dash or colon, from the blank or line break on
 */
export function replaceBlockValue(file: EditableFile, entry: FileEntry, behind: string): TextChange[] {
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
