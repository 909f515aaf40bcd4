import { describe, expect, it } from 'vitest';
import { moveCell, moveRow } from '../../../../../src-renderer/ui/lists/list-keys.ts';

const pressed = (key: string, modifiers: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...modifiers,
});

describe('a key in a list', () => {
  const press = (key: string, modifiers?: Partial<KeyboardEvent>) =>
    moveRow(pressed(key, modifiers), 50, { rows: 100, pageRows: 20 });

  it('moves by a row, a page or to an end, and not beyond', () => {
    expect(['j', 'ArrowUp', 'PageDown', 'Home', 'End'].map((key) => press(key))).toEqual([51, 49, 70, 0, 99]);
    expect(moveRow(pressed('PageUp'), 3, { rows: 100 })).toBe(0);
    expect(moveRow(pressed('ArrowDown'), -1, { rows: 3 })).toBe(0);
  });

  it('moves nothing with a modifier or along the row', () => {
    expect([press('k', { ctrlKey: true }), press('ArrowLeft'), press('x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a key in a table', () => {
  const press = (key: string, modifiers?: Partial<KeyboardEvent>) =>
    moveCell(pressed(key, modifiers), { index: 50, column: 2 }, { rows: 100, columns: 5, pageRows: 20 });

  it('moves by a cell, a page, or to the edge, and not beyond', () => {
    expect(press('j')).toEqual({ index: 51, column: 2 });
    expect(press('ArrowLeft')).toEqual({ index: 50, column: 1 });
    expect(press('PageUp')).toEqual({ index: 30, column: 2 });
    expect(press('End')).toEqual({ index: 99, column: 2 });
    expect(press('Home')).toEqual({ index: 0, column: 2 });
    expect(press('ArrowLeft', { ctrlKey: true })).toEqual({ index: 50, column: 0 });
    expect(press('ArrowRight', { metaKey: true })).toEqual({ index: 50, column: 4 });
    expect(press('ArrowDown', { ctrlKey: true })).toEqual({ index: 99, column: 2 });
  });

  it('that is a shortcut moves nothing', () => {
    for (const modifiers of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }])
      expect(press('k', modifiers)).toBeUndefined();
    expect(press('x')).toBeUndefined();
  });
});
