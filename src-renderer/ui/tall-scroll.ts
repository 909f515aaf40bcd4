// A list may be taller than a browser can lay out; then one pixel of scrolling stands for several of the list.

/** As tall as an element may be: browsers end somewhere above 16 million pixels, zoomed ones earlier. */
const tallest = 15_000_000;

export type TallScroll = {
  /** Height of the scrolled content, in pixels. */
  readonly height: number;
  /** Where the list stands for a scrolled element. */
  readonly toList: (scrolled: number) => number;
  readonly toScroll: (top: number) => number;
};

/** @param height of the whole list @param seen of the part in sight */
export function tallScroll(height: number, seen: number): TallScroll {
  const drawn = Math.min(height, tallest);
  const ratio = drawn > seen && height > drawn ? (height - seen) / (drawn - seen) : 1;
  return { height: drawn, toList: (scrolled) => scrolled * ratio, toScroll: (top) => top / ratio };
}
