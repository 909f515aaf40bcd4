// What the owner knows of the text, shown in the editor: issues, completions, descriptions under the pointer.
import {
  autocompletion,
  closeCompletion,
  completionStatus,
  pickedCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { linter, lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Prec, type EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, type Rect, type Tooltip } from '@codemirror/view';
import { visibleSegments } from '../../format/shown-text.ts';
import type {
  CodeCompletion,
  CodeCompletions,
  CodeIssue,
  CompletionRequest,
  HoverText,
} from './editor-types.ts';
import { docOffset, fileOffset, fileText } from './file-format.ts';
import { elementWith, shownNodes } from './shown-nodes.ts';

/** The marks of issues. `showIssues` sets them; edits move them. Their list, with fixes, is the owner's. */
export const issueMarks: Extension = [linter(null), lintGutter()];

export const showIssues = (state: EditorState, issues: readonly CodeIssue[]): TransactionSpec =>
  setDiagnostics(
    state,
    issues.map(({ from, to, severity, message }): Diagnostic => {
      const start = docOffset(state, from);
      const renderMessage = (): Node => {
        const text = document.createDocumentFragment();
        text.append(...shownNodes(message));
        return text;
      };
      const end = Math.max(start, docOffset(state, to));
      return {
        from: start,
        to: end,
        severity: severity === 'note' ? 'info' : severity,
        message,
        renderMessage,
      };
    }),
  );

export type Complete = (
  offset: number,
  text: string,
  request: CompletionRequest,
) => Promise<CodeCompletions | undefined>;

/** Completions of the owner. A newer request, an edit and a caret that leaves abort an older one. */
export const completions = (complete: Complete): Extension => [reachableList, completionList(complete)];

/** Maximum width of the help of a completion, in pixels. */
const maxInfoWidth = 400;
/** With less room next to the list, the help stands below or above it. */
const minInfoWidth = 160;

type InfoLayout = [view: EditorView, list: Rect, option: Rect, info: Rect, space: Rect];

/** Position of the help of a completion: next to the list, or else below or above it, never over it. */
function infoPosition(...[, list, option, info, space]: InfoLayout): { readonly style: string } {
  const [left, right] = [list.left - space.left, space.right - list.right];
  const room = Math.max(left, right);
  if (room >= minInfoWidth) {
    const top = Math.max(space.top, Math.min(option.top, space.bottom - (info.bottom - info.top))) - list.top;
    const isRight = right >= Math.min(left, maxInfoWidth);
    const width = Math.min(maxInfoWidth, isRight ? right : left);
    return { style: `top: ${top}px; ${isRight ? 'left' : 'right'}: 100%; max-width: ${width}px` };
  }
  const isBelow = space.bottom - list.bottom >= list.top - space.top;
  return {
    style: `${isBelow ? 'top' : 'bottom'}: 100%; left: 0; max-width: ${Math.min(maxInfoWidth, space.right - list.left)}px`,
  };
}

const completionList = (complete: Complete): Extension =>
  autocompletion({
    icons: false,
    // As soon as the owner looks at a changed text, so that it can ask about everything at once.
    activateOnTypingDelay: 20,
    positionInfo: infoPosition,
    override: [
      async (context: CompletionContext): Promise<CompletionResult | null> => {
        const abort = new AbortController();
        // Else CodeMirror waits for the older answer, and asks no more while it is awaited.
        context.addEventListener('abort', () => abort.abort(), { onDocChange: true });
        const { state, pos, explicit } = context;
        const request = { isExplicit: explicit, signal: abort.signal };
        const found = await complete(fileOffset(state, pos), fileText(state), request);
        if (found === undefined || found.options.length === 0 || context.aborted) return null;
        return {
          from: docOffset(state, found.from),
          options: found.options.map((option, index) => optionOf(option, index, state)),
          validFor: /^[\p{L}\p{N}_$-]*$/u,
        };
      },
    ],
  });

/** The list scrolls, so that the keyboard has to reach it. Tab still leaves the editor: it closes the list first. */
const reachableList: Extension = [
  EditorView.updateListener.of(({ view, state }) => {
    if (completionStatus(state) !== 'active') return;
    view.dom.querySelector('.cm-tooltip-autocomplete > ul')?.setAttribute('tabindex', '0');
  }),
  Prec.high(
    keymap.of([
      {
        key: 'Tab',
        run: (view) => {
          closeCompletion(view);
          return false;
        },
      },
    ]),
  ),
];

/** The range of ranks that CodeMirror allows. */
const maxRank = 99;

function optionOf(
  { label, detail, info, insert, from }: CodeCompletion,
  index: number,
  state: EditorState,
): Completion {
  const shown = visibleSegments(label)
    .map(({ text }) => text)
    .join('');
  return {
    label,
    // The order of the owner, where the typed text fits equally well.
    boost: Math.max(-maxRank, maxRank - index),
    ...(shown === label ? {} : { displayLabel: shown }),
    ...(detail === undefined ? {} : { detail }),
    ...(insert === undefined
      ? {}
      : { apply: from === undefined ? insert : insertFrom(docOffset(state, from), insert) }),
    ...(info === undefined ? {} : { info: () => elementWith('', info) }),
  };
}

/** Replaces text that begins before the completed name. */
const insertFrom =
  (start: number, insert: string) =>
  (view: EditorView, completion: Completion, ...[, to]: [from: number, to: number]): void =>
    view.dispatch({
      changes: { from: start, to, insert },
      selection: { anchor: start + insert.length },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
    });

export type Hover = (offset: number) => Promise<HoverText | undefined>;

/** Descriptions of the owner, above the text under the pointer. */
export const descriptions = (hover: Hover): Extension =>
  hoverTooltip(async (view: EditorView, at: number): Promise<Tooltip | null> => {
    const { state } = view;
    const found = await hover(fileOffset(state, at));
    if (found === undefined || view.state.doc !== state.doc) return null;
    return {
      pos: docOffset(state, found.from),
      end: docOffset(state, found.to),
      above: true,
      create: () => ({ dom: hoverElement(found) }),
    };
  });

function hoverElement({ text, value }: HoverText): HTMLElement {
  const element = elementWith('hover-text', text);
  if (value !== undefined) element.append(elementWith('hover-value', value));
  return element;
}
