/** The sizes of the matrix, in CSS pixels. */
export type MatrixShape = {
  readonly rowHeight: number;
  readonly columnWidth: number;
  readonly headWidth: number;
};

const headWidth = 168;
const columnWidth = { min: 124, max: 220 };

/** Few nodes share the width of the screen; many have a readable width and scroll. */
export function matrixShape(width: number, nodes: number): MatrixShape {
  const share = Math.floor((width - headWidth) / Math.max(1, nodes));
  return {
    rowHeight: 30,
    columnWidth: Math.max(columnWidth.min, Math.min(columnWidth.max, share)),
    headWidth,
  };
}
