// An editor of text without a page: it has steps of undo as CodeMirror has them, and reports what changes.
import { applyChanges, type TextChange } from '../../../../../src-main/contract/index.ts';
import type { TextEditor } from '../../../../../src-renderer/state/workflow/files/editor-file.svelte.ts';
import type { EditorSession } from '../../../../../src-renderer/state/workflow/files/editor-session.svelte.ts';

type PlainEditor = TextEditor & {
  /** Types at the end of the text, as a step of its own. */
  readonly type: (typed: string) => void;
  readonly typeAt: (offset: number, typed: string) => void;
};

export function plainEditor(session: EditorSession, name: string): PlainEditor {
  let text = session.textOf(name);
  const [done, undone]: [string[], string[]] = [[], []];
  type Cause = 'typing' | 'apply' | 'undo' | 'redo';
  const report = (next: string, cause: Cause): void => {
    text = next;
    session.change(name, text, { cause, isNewStep: cause === 'typing' || cause === 'apply' });
  };
  const step = (next: string, cause: Cause): void => {
    done.push(text);
    undone.length = 0;
    report(next, cause);
  };
  const move = (from: string[], to: string[], cause: Cause): boolean => {
    const next = from.pop();
    if (next === undefined) return false;
    to.push(text);
    report(next, cause);
    return true;
  };
  return {
    type: (typed) => step(text + typed, 'typing'),
    typeAt: (offset, typed) => step(text.slice(0, offset) + typed + text.slice(offset), 'typing'),
    apply: (changes: readonly TextChange[]) => step(applyChanges(text, changes), 'apply'),
    replaceAll: (next) => (text = next),
    undo: () => move(done, undone, 'undo'),
    redo: () => move(undone, done, 'redo'),
  };
}
