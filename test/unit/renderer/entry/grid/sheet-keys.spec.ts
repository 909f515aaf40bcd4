import { describe, expect, it } from 'vitest';
import { keyMeaning } from '../../../../../src-renderer/state/entry/grid/sheet-keys.ts';

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const meaning = (key: string, modifiers: Partial<typeof none> = {}) =>
  keyMeaning({ ...none, key, ...modifiers });

describe('a key on a sheet', () => {
  it('moves, grows the selection with Shift, and goes to the edge with Ctrl or Cmd', () => {
    const step = { does: 'step', key: 'ArrowDown', isExtending: false, isFar: false };
    expect(meaning('ArrowDown')).toEqual(step);
    expect(meaning('ArrowDown', { shiftKey: true, ctrlKey: true })).toEqual({
      ...step,
      isExtending: true,
      isFar: true,
    });
    expect(meaning('ArrowDown', { metaKey: true })).toEqual({ ...step, isFar: true });
    expect(meaning('ArrowDown', { shiftKey: true, altKey: true })).toEqual({
      does: 'verb',
      verb: 'move-down',
    });
  });

  it('types what is a letter, also with AltGr and in an input method, and nothing else', () => {
    const letters = [meaning('x'), meaning('X', { shiftKey: true }), meaning('Process'), meaning('汉')];
    for (const each of letters) expect(each).toEqual({ does: 'type' });
    expect(meaning('@', { ctrlKey: true, altKey: true })).toEqual({ does: 'type' });
    for (const key of ['Shift', 'F5', 'Dead2', 'CapsLock']) expect(meaning(key)).toBeUndefined();
  });

  it('leaves the chords of the page and of the browser alone', () => {
    for (const key of ['k', 'r', 'c', 'v', 'Enter', 'Tab'])
      expect(meaning(key, { ctrlKey: true })).toBeUndefined();
    expect(meaning('ArrowLeft', { altKey: true })).toBeUndefined();
  });

  it('undoes and does again by all the usual chords', () => {
    const redo = { does: 'verb', verb: 'redo' };
    expect(meaning('z', { metaKey: true })).toEqual({ does: 'verb', verb: 'undo' });
    expect(meaning('Z', { ctrlKey: true, shiftKey: true })).toEqual(redo);
    expect(meaning('y', { ctrlKey: true })).toEqual(redo);
  });
});
