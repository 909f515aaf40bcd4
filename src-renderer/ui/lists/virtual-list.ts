// A list of rows of equal height that draws only the rows in sight. A browser lays out no element above some 16 million
// pixels, less when zoomed: a taller list gets an element of the largest height, and one pixel of scrolling then stands
// for several pixels of the list.

/** Maximum height of the scrolled element, in pixels. */
const maxHeight = 10_000_000;
/** Rows drawn outside the view, on each side: a fast wheel shows them before the next frame. */
const defaultOverscan = 8;

/** Indexes from 0, `first` up to but not including `end`. */
export type IndexRange = { readonly first: number; readonly end: number };

type Sizes = {
  readonly count: number;
  /** Height of one row, or width of one column. */
  readonly size: number;
  readonly overscan?: number;
};

/** The visible part of the list, in pixels. */
type View = { readonly start: number; readonly length: number };

/** The rows or columns to draw. The range has the same length wherever the view is, if the list is long enough. */
export function rangeToDraw({ count, size, overscan = defaultOverscan }: Sizes, view: View): IndexRange {
  const length = Math.min(count, Math.ceil(view.length / size) + 1 + 2 * overscan);
  const first = Math.max(0, Math.min(count - length, Math.floor(view.start / size) - overscan));
  return { first, end: first + length };
}

/**
 * Assigns the indexes of a range to reusable elements: the n-th element shows the n-th index of the result. While the
 * range moves, an index keeps its element, so that a frame updates only the elements that change.
 */
export function assignElements({ first, end }: IndexRange): readonly number[] {
  const count = end - first;
  const start = count === 0 ? 0 : first % count;
  return Array.from({ length: count }, (_, element) => first + ((element - start + count) % count));
}

/** The start that the view must have to show the whole row or column; undefined if it shows it already. */
export function startToShow(index: number, size: number, { start, length }: View): number | undefined {
  const rowStart = index * size;
  if (rowStart < start) return rowStart;
  return rowStart + size > start + length ? rowStart + size - length : undefined;
}

type VirtualListOptions = {
  readonly count: number;
  /** In pixels, as all sizes here. */
  readonly rowHeight: number;
  /** Height of the visible part, without the head of a table. */
  readonly height: number;
  /** Scroll position of the element. */
  readonly scrollTop: number;
  readonly overscan?: number;
};

export class VirtualList {
  readonly #options: VirtualListOptions;
  /** Pixels of the list for one pixel of scrolling. */
  readonly #ratio: number;
  /** Height of the content of the element that scrolls. */
  readonly contentHeight: number;
  /** The rows to draw. */
  readonly rows: IndexRange;

  constructor(options: VirtualListOptions) {
    const { count, rowHeight, height, overscan = defaultOverscan } = options;
    const listHeight = count * rowHeight;
    this.#options = options;
    this.contentHeight = Math.min(listHeight, maxHeight);
    const isTooTall = listHeight > maxHeight && maxHeight > height;
    this.#ratio = isTooTall ? (listHeight - height) / (maxHeight - height) : 1;
    this.rows = rangeToDraw({ count, size: rowHeight, overscan }, { start: this.#start(), length: height });
  }

  /** The rows of which a part is visible. */
  get visibleRows(): IndexRange {
    const { count, rowHeight, height } = this.#options;
    const start = this.#start();
    const end = Math.min(count, Math.ceil((start + height) / rowHeight));
    return { first: Math.floor(start / rowHeight), end };
  }

  /** Height of the visible part. */
  get height(): number {
    return this.#options.height;
  }

  /** True if the whole row is visible. */
  showsWhole(index: number): boolean {
    const { rowHeight, height } = this.#options;
    return startToShow(index, rowHeight, { start: this.#start(), length: height }) === undefined;
  }

  /** Where in the scrolled content the row is drawn. */
  topOf(index: number): number {
    const { rowHeight, scrollTop } = this.#options;
    return index * rowHeight + scrollTop - this.#start();
  }

  /** Scrolls the element as little as it takes to show the whole row; with `isCentered`, to the middle. */
  reveal(element: Pick<HTMLElement, 'scrollTop'>, index: number, isCentered = false): void {
    const { rowHeight, height } = this.#options;
    const view = { start: this.#start(element.scrollTop), length: height };
    const start = startToShow(index, rowHeight, view);
    if (start === undefined) return;
    const centered = Math.max(0, index * rowHeight - (height - rowHeight) / 2);
    element.scrollTop = Math.round((isCentered ? centered : start) / this.#ratio);
  }

  /** Scrolls the element so that the row is the first in sight. */
  scrollTo(element: Pick<HTMLElement, 'scrollTop'>, index: number): void {
    element.scrollTop = Math.round((index * this.#options.rowHeight) / this.#ratio);
  }

  /** Start of the view in the list. */
  #start(scrollTop = this.#options.scrollTop): number {
    return scrollTop * this.#ratio;
  }
}
