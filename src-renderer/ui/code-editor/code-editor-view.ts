// The text editor in a shadow root: an editing surface that knows nothing of workflows. CodeMirror writes its styles
// into the shadow root's adopted sheets, which the content security policy allows, and nothing leaves the tree.
//
// Called by CodeEditor.svelte. Invariants: `text` is the file byte for byte; every change that the owner did not pass
// to `replaceAll` is a step of undo and is reported once; Tab is never taken.
import type { TextChange } from '#contract';
import {
  closeCompletion,
  completionKeymap,
  completionStatus,
  selectedCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, isolateHistory, redo, undo, undoDepth } from '@codemirror/commands';
import { indentService } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Prec, type Extension, Transaction } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
  type ViewUpdate,
} from '@codemirror/view';
import {
  completions,
  descriptions,
  issueMarks,
  showIssues,
  type Complete,
  type Hover,
} from './assistance.ts';
import type {
  CodeIssue,
  EditorLabels,
  FieldOptions,
  LineRange,
  LineValues,
  OwnerHistory,
  OwnerKey,
  TextUpdate,
} from './editor-types.ts';
import { yamlLexer } from '../../format/yaml-text.ts';
import { changeSpec } from './apply-changes.ts';
import { changesFile, docOffset, changesOf, fileFormat, fileOffset, fileText } from './file-format.ts';
import { readFileText } from './line-ends.ts';
import { lineValues, showLineValues } from './line-values.ts';
import { changeLabel, undoSteps } from './undo-steps.ts';
import { reconnectionTextSpec } from './replace-text.ts';
import { selectedLines, selectLines } from './selected-lines.ts';
import { syntaxColours } from './syntax-colours.ts';
import { editorTheme, fieldTheme } from './theme.ts';
import { yamlIndent } from './yaml-indent.ts';

/** Free pixels around a line that is brought into sight; the breadcrumb that appears below takes some of them. */
const selectionMargin = 48;

export type CodeEditorOptions = {
  readonly text: string;
  readonly labels: EditorLabels;
  readonly field?: FieldOptions | undefined;
  readonly keys: readonly OwnerKey[];
  readonly onchange: (text: string, update: TextUpdate) => void;
  readonly oncaret: (line: number, offset: number) => void;
  readonly complete?: Complete | undefined;
  readonly hover?: Hover | undefined;
  readonly history?: OwnerHistory | undefined;
};

/** Marks and values that the owner shows in the text. */
type Marks = {
  readonly issues: readonly CodeIssue[];
  readonly selected: LineRange | undefined;
  readonly lineValues: LineValues;
};

export class CodeEditorView {
  readonly #view: EditorView;
  readonly #options: CodeEditorOptions;
  readonly #readOnly = new Compartment();
  readonly #labels = new Compartment();
  #marks: Marks | undefined;

  constructor(host: HTMLElement, options: CodeEditorOptions) {
    this.#options = options;
    const root = host.attachShadow({ mode: 'open' });
    const parent = document.createElement('div');
    parent.style.cssText = options.field === undefined ? 'height: 100%' : '';
    root.append(parent);
    const { doc, lineEnds } = readFileText(options.text);
    const state = EditorState.create({
      doc,
      extensions: [
        fileFormat(lineEnds),
        this.#readOnly.of([]),
        this.#labels.of(labelsOf(options.labels)),
        ownerKeys(options.keys),
        options.field === undefined ? fileEditing : fieldEditing(options.field),
        editing,
        undoSteps(options.history),
        lineValues,
        options.complete === undefined ? [] : completions(options.complete),
        options.hover === undefined ? [] : descriptions(options.hover),
        EditorView.updateListener.of((update) => this.#report(update)),
      ],
    });
    this.#view = new EditorView({ root, parent, state });
  }

  /** The whole file, byte for byte. */
  get text(): string {
    return fileText(this.#view.state);
  }

  /** The part of the text that is selected; empty at the caret. */
  get selection(): { readonly from: number; readonly to: number } {
    const { state } = this.#view;
    const { from, to } = state.selection.main;
    return { from: fileOffset(state, from), to: fileOffset(state, to) };
  }

  /** Changes the text in one step of undo. Offsets are of the text as it is. */
  apply(textChanges: readonly TextChange[], label: string): void {
    const { changes, effects } = changeSpec(this.#view.state, textChanges);
    this.#view.dispatch({
      changes,
      effects: [changeLabel.of(label), ...effects],
      annotations: isolateHistory.of('full'),
      userEvent: 'apply',
    });
  }

  /** Takes a text from elsewhere, such as a newer file. Not reported, and no step of undo: undo is for the user's own. */
  replaceAll(text: string): void {
    if (text === this.text) return;
    const { changes, effects } = reconnectionTextSpec(this.#view.state, text);
    const scroll = this.#view.scrollSnapshot().map(changes);
    this.#view.dispatch({
      changes,
      effects: scroll === undefined ? effects : [...effects, scroll],
      annotations: Transaction.addToHistory.of(false),
      userEvent: outside,
    });
  }

  setReadOnly(isReadOnly: boolean): void {
    const extension = isReadOnly ? EditorState.readOnly.of(true) : [];
    this.#view.dispatch({ effects: this.#readOnly.reconfigure(extension) });
  }

  setLabels(labels: EditorLabels): void {
    this.#view.dispatch({ effects: this.#labels.reconfigure(labelsOf(labels)) });
  }

  /** Shows what has changed of the marks, in one step: outside of the focus, each one makes the browser lay out the page. */
  showMarks(marks: Marks): void {
    const { issues, selected, lineValues: values } = marks;
    const shown = this.#marks;
    this.#marks = marks;
    const { state } = this.#view;
    const effects = [
      ...(shown?.selected === selected ? [] : [selectLines(selected)]),
      ...(shown?.lineValues === values ? [] : [showLineValues(values)]),
    ];
    const { issues: before = [] } = shown ?? {};
    const isSame = before === issues || (before.length === 0 && issues.length === 0);
    const spec = isSame ? {} : showIssues(state, issues);
    if (spec.effects !== undefined || effects.length > 0) this.#view.dispatch(spec, { effects });
  }

  /** Scrolls so that the line is seen. The caret stays. */
  reveal(line: number): void {
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(Math.max(1, line), doc.lines));
    this.#view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }

  /** Selects a range of the text and scrolls to it. */
  select(from: number, to = from): void {
    const { state } = this.#view;
    const selection = { anchor: docOffset(state, from), head: docOffset(state, to) };
    const effects = EditorView.scrollIntoView(selection.head, { y: 'nearest', yMargin: selectionMargin });
    this.#view.dispatch({ selection, effects });
  }

  /** Moves the caret to a point of the window, in pixels. */
  selectPoint(point: { readonly x: number; readonly y: number }): void {
    this.#view.dispatch({ selection: { anchor: this.#view.posAtCoords(point, false) } });
  }

  undo(): boolean {
    return undo(this.#view);
  }

  redo(): boolean {
    return redo(this.#view);
  }

  focus(): void {
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }

  #report({ startState, state, docChanged, selectionSet, transactions }: ViewUpdate): void {
    for (const transaction of transactions) {
      if (!changesFile(transaction) || transaction.isUserEvent(outside)) continue;
      const changes = changesOf(transaction);
      this.#options.onchange(fileText(transaction.state), { changes, ...causeOf(transaction) });
    }
    const { head } = state.selection.main;
    if ((docChanged || selectionSet) && head !== startState.selection.main.head)
      this.#options.oncaret(state.doc.lineAt(head).number, fileOffset(state, head));
  }
}

const outside = 'outside';

function causeOf(transaction: Transaction): Omit<TextUpdate, 'changes'> {
  const label = transaction.effects.find((effect) => effect.is(changeLabel))?.value;
  const cause =
    (['apply', 'undo', 'redo'] as const).find((name) => transaction.isUserEvent(name)) ?? 'typing';
  const isNewStep = undoDepth(transaction.state) !== undoDepth(transaction.startState);
  return { cause, isNewStep, ...(label === undefined ? {} : { label }) };
}

/** The tab stop is explicit: axe wants one on whatever scrolls. */
const labelsOf = ({ label, description, isInvalid = false }: EditorLabels): Extension =>
  EditorView.contentAttributes.of({
    'aria-label': label,
    tabindex: '0',
    ...(description ? { 'aria-description': description } : {}),
    ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
  });

const ownerKeys = (keys: readonly OwnerKey[]): Extension =>
  Prec.highest(
    keymap.of(
      keys.map(({ key, run }) => ({
        key,
        scope: 'editor search-panel',
        preventDefault: true,
        run: () => {
          run();
          return true;
        },
      })),
    ),
  );

/** The words of the search panel, written as elsewhere in the app. */
const phrases = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Case',
  regexp: 'Regex',
  replace: 'Replace',
  'replace all': 'Replace all',
  Replace: 'Replace with',
  close: 'Close',
  go: 'Go',
});

function hasTypedChoice(state: EditorState): boolean {
  const { head } = state.selection.main;
  const { label = '', apply } = selectedCompletion(state) ?? {};
  return apply === undefined && label !== '' && state.sliceDoc(head - label.length, head) === label;
}

const fieldEditing = ({ lexer, placeholder: text, onenter, onescape }: FieldOptions): Extension => [
  // Completions that are still awaited would take the key, too.
  Prec.highest(
    keymap.of([{ key: 'Escape', run: ({ state }) => completionStatus(state) !== 'active' && onescape() }]),
  ),
  // A choice that is typed whole already needs no Enter of its own.
  Prec.highest(
    keymap.of([
      { key: 'Enter', run: (view) => hasTypedChoice(view.state) && closeCompletion(view) && onenter() },
    ]),
  ),
  keymap.of([{ key: 'Enter', run: onenter }]),
  EditorView.lineWrapping,
  placeholder(text),
  syntaxColours(lexer),
  fieldTheme,
];

const fileEditing: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  issueMarks,
  selectedLines,
  search(),
  indentService.of(({ state }, at) => {
    const line = state.doc.lineAt(at);
    return yamlIndent(line.text.slice(0, at - line.from));
  }),
  EditorState.languageData.of(() => [{ commentTokens: { line: '#' } }]),
  keymap.of(searchKeymap),
  syntaxColours(yamlLexer),
  phrases,
];

/** Without `lintKeymap`, whose panel nests controls, and without Tab, which leaves the editor. */
const editing: Extension = [
  drawSelection(),
  dropCursor(),
  keymap.of([...completionKeymap, ...defaultKeymap]),
  editorTheme,
];
