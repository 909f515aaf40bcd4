// The keyboard of a grid of rows: what a key does.
import { moveRow, type TableCell } from '../lists/list-keys.ts';

/** Index of the line of heads, which is above the first row. */
export const headLine = -1;

export type Step = 1 | -1;

/** Actions of keys on the active row or cell. A key whose action is missing is not handled. */
export type GridActions = {
  /** Opens the active row. */
  readonly open?: () => void;
  /** Selects or unselects the active row. */
  readonly toggle?: () => void;
  readonly 'select-all'?: () => void;
  /** Makes the next row active, or the one before, and selects the rows between. */
  readonly extend?: (by: Step) => void;
  readonly copy?: () => void;
  /** Sorts by the active column. */
  readonly sort?: () => void;
  /** Opens the menu of the active column. */
  readonly menu?: () => void;
  /** Makes the active column wider or narrower. */
  readonly resize?: (by: Step) => void;
  /** Moves the active column to the right or to the left. */
  readonly shift?: (by: Step) => void;
};

/** `by` is the direction of an action that has one. */
export type GridAction =
  | { readonly kind: 'move'; readonly to: TableCell }
  | { readonly kind: keyof GridActions; readonly by?: Step };

export type GridBounds = {
  readonly rows: number;
  readonly pageRows: number;
  /** Number of columns with the one of the row itself; 0 if whole rows are active. */
  readonly columns: number;
};

/** The action of a key in a grid with an active row; undefined for a key that does nothing here. */
export function gridAction(
  event: KeyboardEvent,
  active: TableCell,
  bounds: GridBounds,
): GridAction | undefined {
  if (event.ctrlKey || event.metaKey) return event.key === 'a' ? { kind: 'select-all' } : undefined;
  const index = moveRow(event, active.index, bounds);
  if (index !== undefined) return { kind: 'move', to: { ...active, index } };
  return active.index < 0 || event.altKey ? undefined : rowAction(event);
}

/** The action of a key on the active row, apart from moving. */
export function rowAction({ key, ctrlKey, metaKey }: KeyboardEvent): GridAction | undefined {
  if (key === 'Enter') return { kind: 'open' };
  return key === ' ' || (key === 'x' && !ctrlKey && !metaKey) ? { kind: 'toggle' } : undefined;
}
