// Puts an entry at the end of a file's list: what is there stays as it is, character by character where the list is a
// block of lines, with comments and order kept where it is not.
import { Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { invariant } from '../../base/invariant.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { PathStep } from './file-problem.ts';
import { quoteMergeKeys } from './edit-workflow.ts';

export type Entry = {
  readonly value: JsonObject;
  /** A line above one of the entry's keys; JSON has no place for it. */
  readonly note: { readonly above: string; readonly text: string };
  /** Lists in the entry whose objects have a line each. */
  readonly compact: readonly (readonly PathStep[])[];
};

/**
 * The text with the entry at the end of that list; undefined where the list is not a block of lines. The text must be
 * YAML or JSON without syntax errors.
 */
export function appendEntry(text: string, list: string, entry: Entry): string | undefined {
  const document = parseDocument(text, { stringKeys: true });
  const there = document.get(list);
  if (text.trimStart().startsWith('{') || !isSeq(there) || there.flow === true || !there.range)
    return undefined;
  const [start, blockEnd] = there.range;
  const filled = start + text.slice(start, blockEnd).trimEnd().length;
  // A comment may stand behind the last value.
  const lineEnd = text.indexOf('\n', filled);
  const end = lineEnd < 0 ? text.length : lineEnd + 1;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const indent = start - (text.lastIndexOf('\n', start) + 1);
  const block = entryText(entry, indent).replaceAll('\n', lineBreak);
  return `${text.slice(0, end)}${lineEnd < 0 ? lineBreak : ''}${block}${text.slice(end)}`;
}

/** The entry as lines of a list that is indented by so many columns. */
export function entryText({ value, note, compact }: Entry, indent: number): string {
  // No aliases, which the files of this program do not have.
  const document = new Document([value], { aliasDuplicateObjects: false });
  const [entry] = (document.contents as unknown as { readonly items: readonly YAMLMap[] }).items;
  invariant(entry !== undefined, 'the document holds the entry');
  const annotated = entry.items.find(({ key }) => isScalar(key) && key.value === note.above);
  if (isScalar(annotated?.key)) annotated.key.commentBefore = ` ${note.text}`;
  quoteMergeKeys(entry);
  for (const path of compact) inOneLineEach(entry.getIn(path));
  return document.toString({ lineWidth: 0 }).replaceAll(/^(?=.)/gm, ' '.repeat(indent));
}

function inOneLineEach(list: unknown): void {
  if (isSeq(list)) for (const entry of list.items) if (isMap(entry)) entry.flow = true;
}
