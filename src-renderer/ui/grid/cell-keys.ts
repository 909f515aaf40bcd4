// The keyboard of a grid whose cells are active one by one, also those of its head. On demand: the first screen has none.
import { moveCell, type TableCell } from '../lists/list-keys.ts';
import { headLine, rowAction, type GridAction, type GridBounds, type Step } from './grid-keys.ts';

const sideways: Readonly<Record<string, Step>> = { ArrowLeft: -1, ArrowRight: 1 };
const upAndDown: Readonly<Record<string, Step>> = { ArrowUp: -1, ArrowDown: 1 };

/** The action of a key in a grid with an active cell; undefined for a key that does nothing here. */
export function cellAction(
  event: KeyboardEvent,
  active: TableCell,
  bounds: GridBounds,
): GridAction | undefined {
  const isCommand = event.ctrlKey || event.metaKey;
  const own = active.index === headLine ? headAction(event) : (rowAction(event) ?? extendAction(event));
  return (isCommand ? commandAction(event) : undefined) ?? own ?? moveAction(event, active, bounds);
}

function commandAction({ key }: KeyboardEvent): GridAction | undefined {
  if (key === 'a') return { kind: 'select-all' };
  // Text that the user has selected is copied by the browser.
  return key === 'c' && getSelection()?.isCollapsed !== false ? { kind: 'copy' } : undefined;
}

function headAction({ key, shiftKey, altKey }: KeyboardEvent): GridAction | undefined {
  if (key === 'Enter' || key === ' ') return { kind: 'sort' };
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey) || (key === 'ArrowDown' && altKey))
    return { kind: 'menu' };
  const by = sideways[key];
  if (by === undefined || !shiftKey) return undefined;
  return { kind: altKey ? 'shift' : 'resize', by };
}

function extendAction({ key, shiftKey }: KeyboardEvent): GridAction | undefined {
  const by = upAndDown[key];
  return by !== undefined && shiftKey ? { kind: 'extend', by } : undefined;
}

function moveAction(event: KeyboardEvent, active: TableCell, bounds: GridBounds): GridAction | undefined {
  const isFar = event.ctrlKey || event.metaKey;
  if (event.key === 'ArrowUp' && active.index === 0 && !isFar)
    return { kind: 'move', to: { ...active, index: headLine } };
  const to = moveCell(event, active, bounds);
  if (to === undefined) return undefined;
  const staysInHeads = active.index === headLine && event.key in sideways;
  return { kind: 'move', to: staysInHeads ? { ...to, index: headLine } : to };
}
