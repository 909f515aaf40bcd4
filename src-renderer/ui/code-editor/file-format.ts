// The line ends of the file as part of the editor's state: they follow every edit, and undo restores them.
import type { TextChange } from '#contract';
import { invertedEffects } from '@codemirror/commands';
import {
  MapMode,
  StateEffect,
  StateField,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Transaction,
} from '@codemirror/state';
import { textDifference } from '../../format/line-edits.ts';
import { toDocOffset, toFileOffset, writeFileText, writePart, type LineEnds } from './line-ends.ts';

/** A line break that a transaction writes in a certain way, by its offset in the new document. */
export const keepBreak = StateEffect.define<{ readonly at: number; readonly isCrlf: boolean }>({
  map: ({ at, isCrlf }, changes) => {
    const moved = followBreak(at, changes);
    return moved === undefined ? undefined : { at: moved, isCrlf };
  },
});

/** Sets the line ends of all lines: the file was read anew. */
export const setLineEnds = StateEffect.define<LineEnds>();

const lineEndsField = StateField.define<LineEnds>({
  create: () => ({ hasBom: false, main: '\n', others: [] }),
  update: (lineEnds, { changes, docChanged, effects }) => {
    let next = docChanged ? followEdit(lineEnds, changes) : lineEnds;
    const added: number[] = [];
    for (const effect of effects) {
      if (effect.is(setLineEnds)) next = effect.value;
      else if (effect.is(keepBreak) && effect.value.isCrlf !== (next.main === '\r\n'))
        added.push(effect.value.at);
    }
    if (added.length === 0) return next;
    return { ...next, others: [...new Set([...next.others, ...added])].sort((one, other) => one - other) };
  },
});

/** The offset of a line break after an edit; undefined if the edit removed it. */
const followBreak = (at: number, changes: ChangeDesc): number | undefined =>
  changes.mapPos(at, 1, MapMode.TrackAfter) ?? undefined;

function followEdit(lineEnds: LineEnds, changes: ChangeDesc): LineEnds {
  if (lineEnds.others.length === 0) return lineEnds;
  const others = lineEnds.others
    .map((at) => followBreak(at, changes))
    .filter((at): at is number => at !== undefined);
  return { ...lineEnds, others };
}

/** Gives undo the removed line breaks that were not the file's main one, or all where all were set. */
const restoreBreaks = invertedEffects.of(({ startState, changes, docChanged, effects }) => {
  const lineEnds = startState.field(lineEndsField);
  if (effects.some((effect) => effect.is(setLineEnds))) return [setLineEnds.of(lineEnds)];
  if (!docChanged) return [];
  const { main, others } = lineEnds;
  return others
    .filter((at) => followBreak(at, changes) === undefined)
    .map((at) => keepBreak.of({ at, isCrlf: main === '\n' }));
});

export const fileFormat = (lineEnds: LineEnds): Extension => [
  lineEndsField.init(() => lineEnds),
  restoreBreaks,
];

export const mainBreak = (state: EditorState): LineEnds['main'] => state.field(lineEndsField).main;

/** The file's text, byte for byte. */
export const fileText = (state: EditorState): string => writeFileText(state.doc, state.field(lineEndsField));

export const fileOffset = (state: EditorState, at: number): number =>
  toFileOffset(state.doc, state.field(lineEndsField), at);

export const docOffset = (state: EditorState, offset: number): number =>
  toDocOffset(state.doc, state.field(lineEndsField), offset);

/** True if a transaction changes the file's text; line ends alone are no part of the document. */
export const changesFile = ({ docChanged, effects }: Transaction): boolean =>
  docChanged || effects.some((effect) => effect.is(setLineEnds));

/** Changes of the file that a transaction made. All offsets are of the text before. */
export function changesOf({ startState, state, changes, effects }: Transaction): readonly TextChange[] {
  if (effects.some((effect) => effect.is(setLineEnds)))
    return [textDifference(fileText(startState), fileText(state))];
  const textChanges: TextChange[] = [];
  changes.iterChanges((...[fromA, toA, fromB, toB]) => {
    textChanges.push({
      from: fileOffset(startState, fromA),
      to: fileOffset(startState, toA),
      insert: writePart(state.doc, state.field(lineEndsField), { from: fromB, to: toB }),
    });
  });
  return textChanges;
}
