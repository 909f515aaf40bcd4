// Steps of undo: their names, their number, and the keys that undo and redo them.
import { history, invertedEffects, redo, undo } from '@codemirror/commands';
import { Prec, StateEffect, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { OwnerHistory } from './editor-types.ts';

/** Steps of undo: a day's work. */
const minUndoSteps = 5_000;

/** Name of the changes that a transaction applied; it stays with them in the history. */
export const changeLabel = StateEffect.define<string>();

/**
 * Marks each change in the history. A step whose text is gone, since the whole file was replaced, stays a step: an owner
 * that counts steps of several files would else undo the wrong one.
 */
const changed = StateEffect.define<null>();

const effectsInHistory = invertedEffects.of(({ effects, docChanged }) => [
  ...effects.filter((effect) => effect.is(changeLabel)),
  ...(docChanged ? [changed.of(null)] : []),
]);

/** @param owner undoes and redoes in place of the editor */
export function undoSteps(owner: OwnerHistory | undefined): Extension {
  const run = (name: 'undo' | 'redo') => (view: EditorView) =>
    owner === undefined ? { undo, redo }[name](view) : owner[name]();
  const [undoStep, redoStep] = [run('undo'), run('redo')];
  return [
    history({ minDepth: minUndoSteps }),
    effectsInHistory,
    keymap.of([
      { key: 'Mod-z', run: undoStep, preventDefault: true },
      { key: 'Mod-y', run: redoStep, preventDefault: true },
      { key: 'Mod-Shift-z', run: redoStep, preventDefault: true },
    ]),
    Prec.high(
      EditorView.domEventHandlers({
        beforeinput: (event, view) => {
          if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return false;
          event.preventDefault();
          return (event.inputType === 'historyUndo' ? undoStep : redoStep)(view);
        },
      }),
    ),
  ];
}
