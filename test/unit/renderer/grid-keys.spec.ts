import { describe, expect, it, vi } from 'vitest';
import { cellAction } from '../../../src-renderer/ui/grid/cell-keys.ts';
import { gridAction, headLine } from '../../../src-renderer/ui/grid/grid-keys.ts';

const pressed = (key: string, modifiers: Partial<KeyboardEvent> = {}) =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers }) as KeyboardEvent;

describe('a key in a grid of rows', () => {
  const press = (key: string, modifiers?: Partial<KeyboardEvent>, index = 5) =>
    gridAction(pressed(key, modifiers), { index, column: 0 }, { rows: 100, pageRows: 20, columns: 0 });

  it('moves the active row, opens it or selects it', () => {
    expect(press('j')).toEqual({ kind: 'move', to: { index: 6, column: 0 } });
    expect(press('Enter')).toEqual({ kind: 'open' });
    expect([press('x'), press(' ')]).toEqual([{ kind: 'toggle' }, { kind: 'toggle' }]);
    expect(press('a', { ctrlKey: true })).toEqual({ kind: 'select-all' });
  });

  it('moves to the first row, but opens and selects nothing while no row is active', () => {
    expect(press('ArrowDown', {}, -1)).toEqual({ kind: 'move', to: { index: 0, column: 0 } });
    expect([press('Enter', {}, -1), press('x', {}, -1)]).toEqual([undefined, undefined]);
  });

  it('leaves other keys, and keys along the row, to the browser', () => {
    expect([
      press('ArrowLeft'),
      press('p'),
      press('x', { altKey: true }),
      press('j', { metaKey: true }),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a key in a grid of cells', () => {
  const press = (key: string, modifiers: Partial<KeyboardEvent> = {}, index = 5) =>
    cellAction(pressed(key, modifiers), { index, column: 2 }, { rows: 100, pageRows: 20, columns: 4 });

  it('moves the active cell, and from the first row to the heads and along them', () => {
    expect(press('ArrowRight')).toEqual({ kind: 'move', to: { index: 5, column: 3 } });
    expect(press('PageDown')).toEqual({ kind: 'move', to: { index: 25, column: 2 } });
    expect(press('ArrowUp', {}, 0)).toEqual({ kind: 'move', to: { index: headLine, column: 2 } });
    expect(press('ArrowLeft', {}, headLine)).toEqual({ kind: 'move', to: { index: headLine, column: 1 } });
    expect(press('ArrowDown', {}, headLine)).toEqual({ kind: 'move', to: { index: 0, column: 2 } });
  });

  it('opens and selects rows', () => {
    expect([press('Enter'), press(' '), press('x')].map((action) => action?.kind)).toEqual([
      'open',
      'toggle',
      'toggle',
    ]);
    expect(press('a', { metaKey: true })).toEqual({ kind: 'select-all' });
    expect(press('ArrowUp', { shiftKey: true })).toEqual({ kind: 'extend', by: -1 });
    expect(press('x', { ctrlKey: true })).toBeUndefined();
  });

  it('copies rows unless text is selected', () => {
    vi.stubGlobal('getSelection', () => ({ isCollapsed: true }));
    expect(press('c', { ctrlKey: true })).toEqual({ kind: 'copy' });
    vi.stubGlobal('getSelection', () => ({ isCollapsed: false }));
    expect(press('c', { ctrlKey: true })).toBeUndefined();
    vi.unstubAllGlobals();
  });

  it('sorts by the active column, opens its menu, and changes its width and position', () => {
    const pressHead = (key: string, modifiers: Partial<KeyboardEvent> = {}) =>
      press(key, modifiers, headLine);
    expect([pressHead('Enter'), pressHead(' ')]).toEqual([{ kind: 'sort' }, { kind: 'sort' }]);
    expect([pressHead('F10', { shiftKey: true }), pressHead('ArrowDown', { altKey: true })]).toEqual([
      { kind: 'menu' },
      { kind: 'menu' },
    ]);
    expect(pressHead('ArrowLeft', { shiftKey: true })).toEqual({ kind: 'resize', by: -1 });
    expect(pressHead('ArrowRight', { shiftKey: true, altKey: true })).toEqual({ kind: 'shift', by: 1 });
  });
});
