// The keyboard over a sheet: keys move, edit and run verbs. The editor of a cell has its own keys.
import { flushSync } from 'svelte';
import { keyMeaning } from '../../state/entry/grid/sheet-keys.ts';
import type { SheetView } from '../../state/entry/grid/sheet-view.svelte.ts';
import type { SheetViewport } from './sheet-viewport.svelte.ts';

type SheetKeyboardDeps = {
  readonly port: SheetViewport;
  readonly onmenu: () => void;
  readonly onfind: (part: 'find' | 'replace') => void;
  /** Brings that end of the selection into view, and gives the keys to the grid. */
  readonly onfollow: (end?: 'anchor' | 'head') => void;
};

export class SheetKeyboard {
  /** False before the first key and after Escape: Tab then leads out of the sheet. */
  isEngaged = false;
  readonly #view: () => SheetView;
  readonly #deps: SheetKeyboardDeps;

  constructor(view: () => SheetView, deps: SheetKeyboardDeps) {
    this.#view = view;
    this.#deps = deps;
  }

  press(event: KeyboardEvent): void {
    const meaning = keyMeaning(event);
    if (meaning === undefined) return;
    if (meaning.does === 'tab') return this.#pressTab(event, meaning.by);
    const view = this.#view();
    const { port, onmenu, onfind, onfollow } = this.#deps;
    this.isEngaged = meaning.does !== 'escape';
    if (meaning.does === 'escape') return view.selectCell(view.active);
    // The letter goes into the editor that is there when the browser comes to write it.
    if (meaning.does === 'type') {
      port.reveal(view.active);
      return flushSync(() => view.beginEdit('typed'));
    }
    event.preventDefault();
    if (meaning.does === 'step') {
      view.step({ ...meaning, page: port.page });
      return onfollow('head');
    }
    const { verb } = meaning;
    if (verb === 'find' || verb === 'replace') return onfind(verb);
    if (verb === 'menu') onmenu();
    else view.verbs[verb]();
    onfollow();
  }

  /** Ends the edit of a cell. The key that ended it moves the selection. */
  commit(text: string, event?: KeyboardEvent): void {
    const view = this.#view();
    view.commitText(text);
    if (event === undefined) return;
    this.isEngaged = true;
    const isBack = event.shiftKey;
    if (event.key === 'Tab') view.tab(isBack ? -1 : 1);
    else if (event.key.startsWith('Arrow'))
      view.step({ key: event.key, isExtending: false, isFar: false, page: 1 });
    else if (!event.ctrlKey && !event.metaKey) view.enter(isBack ? -1 : 1);
    this.#deps.onfollow();
  }

  #pressTab(event: KeyboardEvent, by: 1 | -1): void {
    if (!this.isEngaged || !this.#view().tab(by)) return;
    event.preventDefault();
    this.#deps.onfollow();
  }
}

/** True if the paste is unhandled, no dialog is open, and the target is no form field and in no pane of an editor. */
export const isFree = ({ defaultPrevented, target }: ClipboardEvent): boolean =>
  !defaultPrevented &&
  document.querySelector('dialog[open]') === null &&
  !(target instanceof Element && target.closest('input, textarea, select, [data-pane]') !== null);
