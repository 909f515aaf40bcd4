// Lines that stand out, such as those of the selected node. They move with edits.
import { RangeSet, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutterLineClass, type DecorationSet } from '@codemirror/view';
import type { LineRange } from './editor-types.ts';

const setSelectedLines = StateEffect.define<LineRange | undefined>();

const lineDecoration = Decoration.line({ class: 'selected-line' });

class SelectedLine extends GutterMarker {
  override elementClass = 'selected-line';
}
const gutterMarker = new SelectedLine();

const startsOf = ({ doc }: EditorState, { first, last }: LineRange): DecorationSet => {
  const end = Math.min(last, doc.lines);
  const lines = Array.from({ length: Math.max(0, end - first + 1) }, (_, n) => doc.line(first + n));
  return Decoration.set(lines.map(({ from }) => lineDecoration.range(from)));
};

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (starts, { changes, effects, state }) => {
    let next = starts.map(changes);
    for (const effect of effects)
      if (effect.is(setSelectedLines))
        next = effect.value === undefined ? Decoration.none : startsOf(state, effect.value);
    return next;
  },
  provide: (self) => EditorView.decorations.from(self),
});

const gutterClasses = gutterLineClass.compute([field], (state) => {
  const markers: ReturnType<typeof gutterMarker.range>[] = [];
  for (const at = state.field(field).iter(); at.value !== null; at.next())
    markers.push(gutterMarker.range(at.from));
  return RangeSet.of(markers);
});

export const selectedLines: Extension = [field, gutterClasses];

export const selectLines = (lines: LineRange | undefined): StateEffect<unknown> => setSelectedLines.of(lines);
