// The keyboard of the table of rows: what a key does in the line of heads and in the rows.
import { moveCell, type TableCell } from '../../../ui/list-keys.ts';

/** Index of the line of heads, which is above the first row. */
export const headLine = -1;

type KeyAction =
  | { readonly kind: 'move'; readonly to: TableCell }
  | { readonly kind: 'sort' | 'menu' | 'open' | 'toggle' | 'select-all' | 'copy' }
  /** Extends the selected rows, or changes the width or the position of the active column. */
  | { readonly kind: 'extend' | 'resize' | 'shift'; readonly by: 1 | -1 };

type Bounds = { readonly rows: number; readonly columns: number; readonly pageRows: number };

const sideways: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 };
const upAndDown: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

/** Undefined for a key that does nothing here. */
export function keyAction(event: KeyboardEvent, active: TableCell, bounds: Bounds): KeyAction | undefined {
  const isCommand = event.ctrlKey || event.metaKey;
  const own = active.index === headLine ? headAction(event) : rowAction(event, isCommand);
  return (isCommand ? commandAction(event) : undefined) ?? own ?? moveAction(event, active, bounds);
}

function commandAction({ key }: KeyboardEvent): KeyAction | undefined {
  if (key === 'a') return { kind: 'select-all' };
  // Text that the user has selected is copied by the browser.
  return key === 'c' && getSelection()?.isCollapsed !== false ? { kind: 'copy' } : undefined;
}

function moveAction(event: KeyboardEvent, active: TableCell, bounds: Bounds): KeyAction | undefined {
  const isFar = event.ctrlKey || event.metaKey;
  if (event.key === 'ArrowUp' && active.index === 0 && !isFar)
    return { kind: 'move', to: { ...active, index: headLine } };
  const to = moveCell(event, active, bounds);
  if (to === undefined) return undefined;
  const staysInHeads = active.index === headLine && event.key in sideways;
  return { kind: 'move', to: staysInHeads ? { ...to, index: headLine } : to };
}

function headAction({ key, shiftKey, altKey }: KeyboardEvent): KeyAction | undefined {
  if (key === 'Enter' || key === ' ') return { kind: 'sort' };
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey) || (key === 'ArrowDown' && altKey))
    return { kind: 'menu' };
  const by = sideways[key];
  if (by === undefined || !shiftKey) return undefined;
  return { kind: altKey ? 'shift' : 'resize', by };
}

function rowAction({ key, shiftKey }: KeyboardEvent, isCommand: boolean): KeyAction | undefined {
  if (key === 'Enter') return { kind: 'open' };
  if (key === ' ' || (key === 'x' && !isCommand)) return { kind: 'toggle' };
  const by = upAndDown[key];
  return by !== undefined && shiftKey ? { kind: 'extend', by } : undefined;
}
