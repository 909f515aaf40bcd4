// Assigns the drawn elements to the rows of a long list. Elements are reused for other rows as the list scrolls, each
// keeping its place among the others, so that a frame updates only the elements that change.
export type Window = { readonly first: number; readonly end: number };

/** For each of the elements the row that it shows; rows of the window keep their element while it moves. */
export function slotted({ first, end }: Window): readonly number[] {
  const count = end - first;
  const start = count === 0 ? 0 : first % count;
  return Array.from({ length: count }, (_, slot) => first + ((slot - start + count) % count));
}

/** A window of always the same size, where the list is long enough, around what is seen. */
export function steadyWindow(
  count: number,
  size: number,
  view: { readonly start: number; readonly length: number; readonly spare: number },
): Window {
  const { start, length, spare } = view;
  const wanted = Math.min(count, Math.ceil(length / size) + 1 + 2 * spare);
  const first = Math.max(0, Math.min(count - wanted, Math.floor(start / size) - spare));
  return { first, end: first + wanted };
}
