// The keyboard of lists and tables: one row or cell is active, and keys move to another.
import { isTyping } from './is-typing.ts';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  j: [1, 0],
  ArrowUp: [-1, 0],
  k: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
};

/** Rows that a page key moves by, where the list does not say. */
const defaultPageRows = 15;

type ListBounds = { readonly rows: number; readonly pageRows?: number };

/** The row that the key leads to, by index from 0; undefined for a key that does not move along the rows. */
export function moveRow(pressed: Pressed, index: number, bounds: ListBounds): number | undefined {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return undefined;
  const rows = stepOf(pressed.key, bounds)?.[0] ?? 0;
  return rows === 0 ? undefined : clamp(index + rows, 0, bounds.rows - 1);
}

/** A cell of a table, counted from 0. */
export type TableCell = { readonly index: number; readonly column: number };

type TableBounds = ListBounds & { readonly columns: number };

/** The cell that the key leads to; undefined for a key that moves nothing. With Ctrl or Cmd, an arrow leads to the edge. */
export function moveCell(pressed: Pressed, cell: TableCell, bounds: TableBounds): TableCell | undefined {
  const isFar = pressed.ctrlKey || pressed.metaKey;
  if (pressed.altKey || (isFar && pressed.key.length === 1)) return undefined;
  const step = stepOf(pressed.key, bounds);
  if (step === undefined) return undefined;
  const [rows, columns] = step.map((by) => (isFar && by !== 0 ? by * Infinity : by)) as [number, number];
  return {
    index: clamp(cell.index + rows, 0, bounds.rows - 1),
    column: clamp(cell.column + columns, 0, bounds.columns - 1),
  };
}

function stepOf(key: string, { pageRows = defaultPageRows }: ListBounds) {
  if (key === 'PageDown') return [pageRows, 0] as const;
  return key === 'PageUp' ? ([-pageRows, 0] as const) : steps[key];
}

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value));

/** Moves the focus among elements: J and K from anywhere on the page, arrows once one of the elements has it. */
export function moveFocus(event: KeyboardEvent, elements: readonly HTMLElement[]): void {
  const at = elements.findIndex((element) => element === document.activeElement);
  if (isTyping(event) || (at < 0 && !['j', 'k'].includes(event.key))) return;
  const to = moveRow(event, at, { rows: elements.length });
  if (to === undefined) return;
  event.preventDefault();
  elements[to]?.focus();
}
