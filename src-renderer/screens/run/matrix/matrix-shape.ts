/** The sizes of the matrix, in CSS pixels. */
export type MatrixShape = {
  readonly rowHeight: number;
  readonly columnWidth: number;
  readonly headWidth: number;
};

const headWidth = 168;
const columnWidth = { least: 124, most: 220 };

/** Few nodes share the room that there is; many keep a width that can be read, and scroll. */
export function matrixShape(width: number, nodes: number): MatrixShape {
  const share = Math.floor((width - headWidth) / Math.max(1, nodes));
  return {
    rowHeight: 30,
    columnWidth: Math.max(columnWidth.least, Math.min(columnWidth.most, share)),
    headWidth,
  };
}
