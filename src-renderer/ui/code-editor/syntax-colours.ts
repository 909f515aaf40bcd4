// Colours of the visible lines, by the lexer that read-only views use too, and the names of hidden characters.
import { RangeSetBuilder, type Extension, type Text } from '@codemirror/state';
import {
  Decoration,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from '@codemirror/view';
import type { TokenKind } from '../../format/code-text.ts';
import { LineStates, type LineLexer } from '../../format/line-states.ts';
import { hiddenCharacters } from '../../format/shown-text.ts';
import { yamlTokens, type YamlState } from '../../format/yaml-text.ts';
import { hiddenMark } from './shown-nodes.ts';

type ColouredKind = Exclude<TokenKind, 'plain'>;

const markOf = (kind: ColouredKind): Decoration => Decoration.mark({ class: `of-${kind}` });

const marks: Readonly<Record<ColouredKind, Decoration>> = {
  key: markOf('key'),
  text: markOf('text'),
  number: markOf('number'),
  word: markOf('word'),
  comment: markOf('comment'),
  mark: markOf('mark'),
  expression: markOf('expression'),
};

class SyntaxColours {
  readonly #states: LineStates<YamlState>;
  decorations: DecorationSet;

  constructor(view: EditorView, lexer: LineLexer<YamlState>) {
    this.#states = new LineStates(lexer, view.state.doc.lines);
    this.decorations = this.#colour(view);
  }

  update({ view, docChanged, viewportChanged, changes, startState }: ViewUpdate): void {
    if (docChanged) {
      const edits: [number, number, number][] = [];
      changes.iterChangedRanges((...[fromA, toA, fromB, toB]) => {
        const first = startState.doc.lineAt(fromA).number;
        const removed = startState.doc.lineAt(toA).number - first + 1;
        edits.push([first - 1, removed, linesIn(view.state.doc, fromB, toB)]);
      });
      // From the last on, so that the numbers of lines before stay.
      for (const edit of edits.reverse()) this.#states.replaceLines(...edit);
    }
    if (docChanged || viewportChanged) this.decorations = this.#colour(view);
  }

  #colour({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    let coloured = 0;
    for (const { from, to } of visibleRanges) {
      // A long line may be visible in several ranges.
      const first = Math.max(coloured + 1, doc.lineAt(from).number);
      coloured = doc.lineAt(to).number;
      for (let number = first; number <= coloured; number += 1) this.#colourLine(builder, doc, number);
    }
    return builder.finish();
  }

  #colourLine(builder: RangeSetBuilder<Decoration>, doc: Text, number: number): void {
    const { from, text: line } = doc.line(number);
    const state = this.#states.at(number - 1, (before) => doc.line(before + 1).text);
    let at = from;
    for (const { kind, text } of yamlTokens(line, state)) {
      if (kind !== 'plain') builder.add(at, at + text.length, marks[kind]);
      at += text.length;
    }
  }
}

const linesIn = (doc: Text, from: number, to: number): number =>
  doc.lineAt(to).number - doc.lineAt(from).number + 1;

class NamedCharacter extends WidgetType {
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  override eq(other: NamedCharacter): boolean {
    return other.#name === this.#name;
  }

  toDOM(): HTMLElement {
    return hiddenMark(this.#name);
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** Names hidden characters in the visible text alone: a line may be as long as the file. */
function nameHidden({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (const { index, length, name } of hiddenAndReturns(doc.sliceString(from, to))) {
      const widget = new NamedCharacter(name);
      builder.add(from + index, from + index + length, Decoration.replace({ widget }));
    }
  }
  return builder.finish();
}

/** In the editor a carriage return, which is no line break here, is a hidden character too. */
const hiddenAndReturns = (text: string): ReturnType<typeof hiddenCharacters> =>
  [
    ...hiddenCharacters(text),
    ...[...text.matchAll(/\r/g)].map(({ index }) => ({ index, length: 1, name: 'U+000D' })),
  ].sort((one, other) => one.index - other.index);

const hiddenNames = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = nameHidden(view);
    }

    update({ view, docChanged, viewportChanged }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = nameHidden(view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

export const syntaxColours = (lexer: LineLexer<YamlState>): Extension => [
  ViewPlugin.define((view) => new SyntaxColours(view, lexer), {
    decorations: ({ decorations }) => decorations,
  }),
  hiddenNames,
];
