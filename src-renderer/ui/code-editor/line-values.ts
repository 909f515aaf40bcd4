// Values at the ends of lines, beside the text: they are no part of it, cannot be selected, and move with edits.
import { StateEffect, StateField, type EditorState, type Extension, type Range } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { visibleSegments } from '../../format/shown-text.ts';
import type { LineValue, LineValues } from './editor-types.ts';

type Shown = { readonly decorations: DecorationSet; readonly isOld: boolean };

const setLineValues = StateEffect.define<LineValues>();

class ValueWidget extends WidgetType {
  readonly #value: LineValue;

  constructor(value: LineValue) {
    super();
    this.#value = value;
  }

  override eq(other: ValueWidget): boolean {
    const [one, two] = [this.#value, other.#value];
    return one.text === two.text && one.isError === two.isError;
  }

  /** The style sheet draws the text, so that it is not among the text of the line. Screen readers skip it. */
  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = this.#value.isError === true ? 'line-value of-error' : 'line-value';
    const text = visibleSegments(this.#value.text)
      .map((segment) => segment.text)
      .join('');
    element.setAttribute('data-value', text);
    element.setAttribute('aria-hidden', 'true');
    element.title = text;
    return element;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function decorationsOf({ doc }: EditorState, values: readonly LineValue[]): DecorationSet {
  const ranges = values.flatMap((value): Range<Decoration>[] => {
    if (value.line < 1 || value.line > doc.lines) return [];
    return [Decoration.widget({ widget: new ValueWidget(value), side: 1 }).range(doc.line(value.line).to)];
  });
  return Decoration.set(ranges, true);
}

const field = StateField.define<Shown>({
  create: () => ({ decorations: Decoration.none, isOld: false }),
  update: (shown, { changes, docChanged, effects, state }) => {
    const set = effects.findLast((effect) => effect.is(setLineValues))?.value;
    if (set !== undefined && !set.isOld)
      return { decorations: decorationsOf(state, set.values), isOld: false };
    if (set === undefined && !docChanged) return shown;
    return { decorations: shown.decorations.map(changes), isOld: set?.isOld ?? shown.isOld };
  },
  provide: (self) => [
    EditorView.decorations.from(self, ({ decorations }) => decorations),
    EditorView.editorAttributes.from(self, ({ isOld }) => (isOld ? { class: 'has-old-values' } : {})),
  ],
});

export const lineValues: Extension = field;

export const showLineValues = (values: LineValues): StateEffect<unknown> => setLineValues.of(values);
