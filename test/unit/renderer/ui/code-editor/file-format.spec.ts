import { history, redo, undo, isolateHistory } from '@codemirror/commands';
import { EditorState, Transaction } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, type TextChange } from '#contract';
import { changeSpec } from '../../../../../src-renderer/ui/code-editor/apply-changes.ts';
import {
  docOffset,
  changesOf,
  fileFormat,
  fileOffset,
  fileText,
} from '../../../../../src-renderer/ui/code-editor/file-format.ts';
import { readFileText, writeFileText } from '../../../../../src-renderer/ui/code-editor/line-ends.ts';
import { reconnectionTextSpec } from '../../../../../src-renderer/ui/code-editor/replace-text.ts';

/** The editor's text, edits and undo, without a page. */
class Editor {
  state: EditorState;
  readonly reported: (readonly TextChange[])[] = [];

  constructor(text: string) {
    const { doc, lineEnds } = readFileText(text);
    this.state = EditorState.create({
      doc,
      extensions: [fileFormat(lineEnds), history({ minDepth: 5_000 })],
    });
  }

  get text(): string {
    return fileText(this.state);
  }

  readonly dispatch = (transaction: Transaction): void => {
    this.reported.push(changesOf(transaction));
    this.state = transaction.state;
  };

  apply(edits: readonly TextChange[]): void {
    this.dispatch(
      this.state.update({ ...changeSpec(this.state, edits), annotations: isolateHistory.of('full') }),
    );
  }

  replaceAll(text: string): void {
    const annotations = Transaction.addToHistory.of(false);
    this.dispatch(this.state.update({ ...reconnectionTextSpec(this.state, text), annotations }));
  }

  /** Text that a user types or pastes, in the document. */
  type(from: number, to: number, insert: string): void {
    this.dispatch(this.state.update({ changes: { from, to, insert }, userEvent: 'input.type' }));
  }

  undo = (): boolean => undo(this);
  redo = (): boolean => redo(this);
}

const piece = fc.constantFrom('a', 'key: ', '\n', '\r\n', '\r\n', '\r', ' ', '🦊', 'é', '');
const text = fc
  .tuple(fc.constantFrom('', '\uFEFF'), fc.array(piece, { maxLength: 40 }))
  .map(([bom, pieces]) => bom + pieces.join(''));
const insertion = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));

/** Changes of a text that do not overlap. */
const editsIn = (content: string, positions: readonly number[], insert: string): readonly TextChange[] => {
  const sorted = positions.map((at) => at % (content.length + 1)).sort((one, other) => one - other);
  return Array.from({ length: sorted.length >> 1 }, (_, n) => ({
    from: sorted[n * 2] ?? 0,
    to: sorted[n * 2 + 1] ?? 0,
    insert: `${insert}${n}`,
  }));
};

describe('a file in the editor', () => {
  it.each([
    ['LF', 'a: 1\nb: 2\n'],
    ['CRLF', 'a: 1\r\nb: 2\r\n'],
    ['mixed line breaks', 'a: 1\r\nb: 2\nc: 3\r\n\n\r\nd'],
    ['a byte order mark', '\uFEFFa: 1\r\nb: 2'],
    ['no last line break', 'a: 1\nb: 2'],
    ['carriage returns alone', 'a: 1\rb: 2\r\r\nc\n\r'],
    ['nothing', ''],
    ['a byte order mark alone', '\uFEFF'],
  ])('with %s is given back byte for byte', (_name, content) => {
    const { doc, lineEnds } = readFileText(content);
    expect(writeFileText(doc, lineEnds)).toBe(content);
  });

  it('has its offsets of the file, in every kind of line break', () => {
    fc.assert(
      fc.property(text, (content) => {
        const { state } = new Editor(content);
        for (let at = 0; at <= state.doc.length; at += 1) {
          const offset = fileOffset(state, at);
          expect(docOffset(state, offset)).toBe(at);
          const before = readFileText(content.slice(0, offset));
          expect(before.doc.toString()).toBe(state.doc.sliceString(0, at));
        }
      }),
    );
  });

  it('gets edits as in its text, reports them, and is undone and redone byte for byte', () => {
    const step = fc.record({ positions: fc.array(fc.nat(), { maxLength: 6 }), insert: insertion });
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 8 }), (content, steps) => {
        const editor = new Editor(content);
        const texts = [content];
        for (const { positions, insert } of steps) {
          const edits = editsIn(editor.text, positions, insert);
          const expected = applyChanges(editor.text, edits);
          editor.apply(edits);
          expect(editor.text).toBe(expected);
          expect(applyChanges(texts.at(-1) ?? '', editor.reported.at(-1) ?? [])).toBe(expected);
          if (expected !== texts.at(-1)) texts.push(expected);
        }
        const last = editor.text;
        while (editor.undo());
        expect(editor.text).toBe(content);
        while (editor.redo());
        expect(editor.text).toBe(last);
      }),
    );
  });

  it('keeps the line breaks of other lines while a user types, removes and pastes, and undo restores all', () => {
    const step = fc.record({ from: fc.nat(), length: fc.nat(12), insert: insertion });
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 12 }), (content, steps) => {
        const editor = new Editor(content);
        for (const { from, length, insert } of steps) {
          const before = editor.text;
          const start = from % (editor.state.doc.length + 1);
          const end = Math.min(start + length, editor.state.doc.length);
          const head = before.slice(0, fileOffset(editor.state, start));
          const tail = before.slice(fileOffset(editor.state, end));
          editor.type(start, end, insert);
          expect(editor.text.startsWith(head)).toBe(true);
          expect(editor.text.endsWith(tail)).toBe(true);
          expect(applyChanges(before, editor.reported.at(-1) ?? [])).toBe(editor.text);
        }
        while (editor.undo());
        expect(editor.text).toBe(content);
      }),
    );
  });

  it('gets the line break of the file in new lines', () => {
    const editor = new Editor('a: 1\r\nb: 2\r\n');
    editor.type(4, 4, '\nx: 1');
    expect(editor.text).toBe('a: 1\r\nx: 1\r\nb: 2\r\n');
  });

  it('takes any newer text, with its line breaks and byte order mark', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const editor = new Editor(before);
        editor.replaceAll(after);
        expect(editor.text).toBe(after);
        expect(editor.undo()).toBe(false);
      }),
    );
  });

  it('keeps the caret in its line when a newer text has other lines before, after and in it', () => {
    const editor = new Editor('a: 1\nb: 2\nc: 3\nd: 4\n');
    const at = 'a: 1\nb: 2\nc'.length;
    editor.dispatch(editor.state.update({ selection: { anchor: at } }));
    editor.replaceAll('x: 0\na: 1\nb: 2\nc: 33\ne: 6\n');
    const { head } = editor.state.selection.main;
    expect(editor.state.doc.lineAt(head).text).toBe('c: 33');
    expect(head - editor.state.doc.lineAt(head).from).toBe(1);
  });
});
