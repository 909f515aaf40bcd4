// Changes of the file's text as a part of a transaction.
import { applyChanges, type TextChange } from '#contract';
import { ChangeSet, type EditorState, type StateEffect } from '@codemirror/state';
import { docOffset, fileOffset, fileText, keepBreak, mainBreak } from './file-format.ts';
import { splitBreaks, toDocument } from './line-ends.ts';
import { reconnectionTextSpec, type TextSpec } from './replace-text.ts';

/** All offsets are of the text before; changes do not overlap. Line breaks are written as the changes have them. */
export function changeSpec(state: EditorState, textChanges: readonly TextChange[]): TextSpec {
  const sorted = textChanges.toSorted((one, other) => one.from - other.from || one.to - other.to);
  if (sorted.some(({ from, to }) => isOutsideDocument(state, from) || isOutsideDocument(state, to)))
    return reconnectionTextSpec(state, applyChanges(fileText(state), sorted));
  const effects: StateEffect<unknown>[] = [];
  let shift = 0;
  const changes = sorted.map(({ from: fromInFile, to: toInFile, insert }) => {
    const [from, to] = [docOffset(state, fromInFile), docOffset(state, toInFile)];
    const { plain, breaks } = splitBreaks(insert);
    for (const { at, separator } of breaks) {
      if (separator !== mainBreak(state))
        effects.push(keepBreak.of({ at: from + shift + at, isCrlf: separator === '\r\n' }));
    }
    shift += plain.length - (to - from);
    return { from, to, insert: toDocument(plain) };
  });
  return { changes: ChangeSet.of(changes, state.doc.length), effects };
}

/** True for an offset inside a CRLF or before the byte order mark, which the document does not have. */
const isOutsideDocument = (state: EditorState, offset: number): boolean =>
  fileOffset(state, docOffset(state, offset)) !== offset;
