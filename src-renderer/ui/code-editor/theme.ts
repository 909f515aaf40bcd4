// The look of the code editor, by the properties of tokens.css, which reach into its shadow tree. Both themes are in
// the tokens. No file sheet reaches into the tree, so that what base.css says is repeated where it is needed.
import { EditorView } from '@codemirror/view';

const field = {
  height: '28px',
  padding: '0 8px',
  border: '1px solid var(--line-strong)',
  borderRadius: 'var(--radius-small)',
  background: 'var(--surface)',
  color: 'var(--text)',
  font: '400 var(--size-small) / 20px var(--sans)',
};

const ring = { outline: '2px solid var(--focus)', outlineOffset: '1px' };

const text = EditorView.theme({
  '&': { height: '100%', background: 'var(--surface)', color: 'var(--text)', fontSize: '12px' },
  // The host draws the outline.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontVariantLigatures: 'none',
    lineHeight: '20px',
  },
  '.cm-content': { padding: '0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 var(--space-5) 0 var(--space-2)' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--text)', marginLeft: '-1px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--selection)',
  },
  '@media (prefers-reduced-motion: reduce)': {
    '&.cm-focused > .cm-scroller > .cm-cursorLayer': { animation: 'none' },
  },
  '.of-key': { color: 'var(--code-key)' },
  '.of-text': { color: 'var(--code-text)' },
  '.of-number, .of-word': { color: 'var(--code-number)' },
  '.of-comment': { color: 'var(--text-faint)', fontStyle: 'italic' },
  '.of-mark': { color: 'var(--text-quiet)' },
  '.of-expression': { color: 'var(--code-expression)' },
  '.hidden-mark': {
    marginInline: '1px',
    padding: '0 3px',
    borderRadius: '3px',
    background: 'var(--amber-soft)',
    color: 'var(--amber)',
    font: '500 10px / 1.4 var(--mono)',
    unicodeBidi: 'isolate',
  },
  '.selected-line': { background: 'var(--accent-soft)' },
  '.line-value': {
    display: 'inline-block',
    maxWidth: 'min(60ch, 50vw)',
    marginLeft: '2ch',
    paddingLeft: '1ch',
    borderLeft: '2px solid var(--line-strong)',
    overflow: 'hidden',
    verticalAlign: 'bottom',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    unicodeBidi: 'isolate',
    color: 'var(--text-quiet)',
    cursor: 'default',
    userSelect: 'none',
  },
  '.line-value::before': { content: 'attr(data-value)' },
  '.line-value.of-error': { color: 'var(--red)' },
  '&.has-old-values .line-value': { color: 'var(--text-faint)', fontStyle: 'italic' },
});

const gutters = EditorView.theme({
  '.cm-gutters': { border: '0', background: 'var(--surface)', color: 'var(--text-faint)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '3ch', padding: '0 var(--space-1) 0 0' },
  '.cm-activeLineGutter': { background: 'none', color: 'var(--text)', fontWeight: '600' },
  '.cm-gutterElement.selected-line': { background: 'var(--accent-soft)', color: 'var(--accent-text)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    padding: '0',
  },
  // The shape tells what it is, besides the colour: a disc for an error, a triangle for a warning, a square for a note.
  '.cm-lint-marker': { width: '8px', height: '8px', content: 'none' },
  '.cm-lint-marker-error': { content: 'none', borderRadius: '50%', background: 'var(--red-bar)' },
  '.cm-lint-marker-warning': {
    content: 'none',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
    background: 'var(--amber-bar)',
  },
  '.cm-lint-marker-info': { content: 'none', background: 'var(--text-faint)' },
  '.cm-lintRange': { backgroundImage: 'none', padding: '0' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy 1px var(--red-bar)', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning': {
    textDecoration: 'underline wavy 1px var(--amber-bar)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-info': {
    textDecoration: 'underline dotted 1px var(--text-faint)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--red-bar)' },
  '.cm-lintPoint-warning:after': { borderBottomColor: 'var(--amber-bar)' },
});

const search = EditorView.theme({
  '.cm-panels': {
    background: 'var(--ground)',
    color: 'var(--text)',
    font: '400 var(--size-small) / 20px var(--sans)',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-dialog': {
    padding: 'var(--space-1) 36px var(--space-1) var(--space-2)',
    fontSize: 'var(--size-small)',
  },
  // One line.
  '.cm-panel.cm-search': {
    display: 'flex',
    alignItems: 'center',
    gap: 'var(--space-1)',
    paddingRight: 'var(--space-1)',
    overflowX: 'auto',
  },
  '.cm-panel.cm-search br, .cm-panel.cm-search [name=select], .cm-panel.cm-search label:has([name=word])': {
    display: 'none',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    flexShrink: 0,
    margin: 0,
    fontSize: 'var(--size-small)',
  },
  '.cm-panel.cm-search button:not([name=close])': { padding: '2px 4px' },
  '.cm-panel.cm-search [name=close]': { position: 'static' },
  '.cm-panel.cm-search input[name=search], .cm-panel.cm-search input[name=replace]': {
    flex: '1 1 56px',
    minWidth: '56px',
  },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', minHeight: '24px' },
  '.cm-panel.cm-search input[type=checkbox]': {
    width: '16px',
    height: '16px',
    margin: '0 var(--space-1) 0 0',
  },
  '.cm-textfield': field,
  '.cm-button': {
    ...field,
    backgroundImage: 'none',
    cursor: 'pointer',
    '&:active': { backgroundImage: 'none' },
  },
  '.cm-button:hover': { background: 'var(--hover)' },
  '.cm-textfield:focus-visible, .cm-button:focus-visible, input[type=checkbox]:focus-visible': ring,
  '.cm-panel.cm-search [name=close], .cm-dialog-close': {
    top: '4px',
    right: '4px',
    width: '28px',
    height: '28px',
    borderRadius: 'var(--radius-small)',
    color: 'var(--text-quiet)',
    cursor: 'pointer',
    '&:hover': { background: 'var(--hover)' },
    '&:focus-visible': ring,
  },
  '.cm-searchMatch': { background: 'var(--amber-soft)', outline: '1px solid var(--amber-bar)' },
  '.cm-searchMatch-selected': { background: 'var(--selection)', outline: '2px solid var(--amber-bar)' },
  // One colour of text on these grounds: all colours of code together would not be readable there.
  '.cm-searchMatch, .cm-searchMatch span': { color: 'var(--text)' },
});

const tooltips = EditorView.theme({
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    background: 'var(--raised)',
    boxShadow: 'var(--shadow-float)',
    color: 'var(--text)',
    font: '400 var(--size-small) / 18px var(--sans)',
    zIndex: '100',
  },
  '.cm-tooltip-section:not(:first-child)': { borderTop: '1px solid var(--line)' },
  '.cm-diagnostic, .hover-text': { maxWidth: '480px', padding: '6px 10px', overflowWrap: 'anywhere' },
  '.cm-diagnostic': { margin: '0', borderLeft: '3px solid' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--red-bar)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--amber-bar)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--text-faint)' },
  '.hover-text': { whiteSpace: 'pre-wrap' },
  '.hover-value': { marginTop: '4px', fontFamily: 'var(--mono)', color: 'var(--text-quiet)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: '264px',
    padding: '4px',
    fontFamily: 'var(--mono)',
    fontSize: '12px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: 'var(--space-4)',
    padding: '2px 8px',
    borderRadius: 'var(--radius-small)',
    lineHeight: '20px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-soft)', color: 'var(--text)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700', color: 'var(--accent-text)' },
  '.cm-completionDetail': { marginLeft: 'auto', color: 'var(--text-quiet)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
});

/** The editor as a field of a form: its line is that of the field without the focus, to the pixel. */
export const fieldTheme = EditorView.theme({
  '&': { height: 'auto', background: 'none' },
  '.cm-scroller': { maxHeight: '308px', overflow: 'auto' },
  // A long value beside the text would make the lines wider than the field.
  '.cm-content': { minWidth: '0' },
  '.line-value': { maxWidth: 'min(60ch, calc(100% - 4ch))' },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--text-faint)' },
});

export const editorTheme = [text, gutters, search, tooltips];
