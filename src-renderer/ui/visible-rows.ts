/** Rows drawn beyond what is seen, on each side: what a fast wheel turns up before the next frame. */
const spareRows = 8;

export type Visible = { readonly first: number; readonly end: number };

/** Which rows of equal height to draw: `first` up to but not including `end`. */
export function visibleRows(
  count: number,
  rowHeight: number,
  view: { top: number; height: number },
): Visible {
  const first = Math.floor(view.top / rowHeight) - spareRows;
  const end = Math.ceil((view.top + view.height) / rowHeight) + spareRows;
  return { first: Math.max(0, Math.min(first, count)), end: Math.max(0, Math.min(end, count)) };
}

/** Where to scroll, if at all, so that the row is seen whole. */
export function scrollToShow(
  row: number,
  rowHeight: number,
  view: { top: number; height: number },
): number | undefined {
  const top = row * rowHeight;
  if (top < view.top) return top;
  if (top + rowHeight > view.top + view.height) return top + rowHeight - view.height;
  return undefined;
}
