/** The sizes of the matrix, in CSS pixels. */
export type MatrixShape = {
  readonly rowHeight: number;
  readonly columnWidth: number;
  /** Width of the pinned column: number, label and duration of a row. */
  readonly headWidth: number;
};

const headWidth = 168;
const labelWidth = { min: 84, max: 200, share: 0.14 };
const columnWidth = { min: 124, max: 220 };

/** Few nodes share the width of the screen; many have a readable width and scroll. */
export function matrixShape(width: number, nodes: number, hasLabels: boolean): MatrixShape {
  const label = Math.max(labelWidth.min, Math.min(labelWidth.max, Math.floor(width * labelWidth.share)));
  const head = headWidth + (hasLabels ? label : 0);
  const share = Math.floor((width - head) / Math.max(1, nodes));
  return {
    rowHeight: 30,
    columnWidth: Math.max(columnWidth.min, Math.min(columnWidth.max, share)),
    headWidth: head,
  };
}
