// Another text for the editor, such as a file that another program saved. Caret and scroll position stay, because only
// the lines that differ are replaced.
import { ChangeSet, type EditorState, type Text, type StateEffect } from '@codemirror/state';
import { lineEdits, textDifference, type LineEdit } from '../../format/line-edits.ts';
import { setLineEnds } from './file-format.ts';
import { readFileText, toDocument } from './line-ends.ts';

/** Part of a transaction that changes the text. */
export type TextSpec = { readonly changes: ChangeSet; readonly effects: StateEffect<unknown>[] };

export function reconnectionTextSpec(state: EditorState, text: string): TextSpec {
  const { doc, lineEnds } = readFileText(text);
  const edits = lineEdits(state.doc.toJSON(), doc.toJSON());
  return {
    changes: ChangeSet.of(
      edits.map((edit) => withoutCommonEnds(state.doc, changeOf(state.doc, edit))),
      state.doc.length,
    ),
    effects: [setLineEnds.of(lineEnds)],
  };
}

type Change = { readonly from: number; readonly to: number; readonly insert: string };

/** Whole lines, with the break behind them, or before them where they are the last. */
function changeOf(doc: Text, { from, to, lines }: LineEdit): Change {
  const startOf = (line: number): number => doc.line(line + 1).from;
  if (to < doc.lines) {
    return { from: startOf(from), to: startOf(to), insert: lines.map((line) => `${line}\n`).join('') };
  }
  if (from === 0) return { from: 0, to: doc.length, insert: lines.join('\n') };
  const start = from === doc.lines ? doc.length : startOf(from) - 1;
  return { from: start, to: doc.length, insert: lines.map((line) => `\n${line}`).join('') };
}

/** A caret inside a changed line stays where the line did not change. */
function withoutCommonEnds(
  doc: Text,
  { from, to, insert }: Change,
): { from: number; to: number; insert: Text } {
  const difference = textDifference(doc.sliceString(from, to), insert);
  return { from: from + difference.from, to: from + difference.to, insert: toDocument(difference.insert) };
}
