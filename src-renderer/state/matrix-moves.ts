// Keyboard moves in the matrix.

/** A cell; column -1 is the row itself. Rows are counted by their place in the list, from 0. */
export type MatrixSpot = { readonly index: number; readonly column: number };

export type MatrixBounds = {
  readonly rows: number;
  readonly columns: number;
  /** Rows of a page. */
  readonly page: number;
};

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

/** Undefined for a key that leads nowhere. With Ctrl or Cmd an arrow leads to the edge. */
export function movedBy(pressed: Pressed, spot: MatrixSpot, bounds: MatrixBounds): MatrixSpot | undefined {
  const isFar = pressed.ctrlKey || pressed.metaKey;
  if (pressed.altKey || (isFar && pressed.key.length === 1)) return undefined;
  const pages = { PageDown: bounds.page, PageUp: -bounds.page }[pressed.key];
  const step = pages === undefined ? steps[pressed.key] : ([pages, 0] as const);
  if (step === undefined) return undefined;
  const far = (by: number): number => (isFar && by !== 0 ? by * Infinity : by);
  return withinBounds({ index: spot.index + far(step[0]), column: spot.column + far(step[1]) }, bounds);
}

const withinBounds = ({ index, column }: MatrixSpot, { rows, columns }: MatrixBounds): MatrixSpot => ({
  index: Math.max(0, Math.min(rows - 1, index)),
  column: Math.max(-1, Math.min(columns - 1, column)),
});
