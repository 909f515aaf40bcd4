// The visible part of a grid, and how to scroll to the rest.
import { VirtualList, type IndexRange } from '../lists/virtual-list.ts';
import { visibleColumns } from './column-range.ts';

type GridSizes = {
  readonly count: number;
  /** In pixels, as all sizes here. */
  readonly rowHeight: number;
  /** Height of the head, which covers the first part of the visible rows. */
  readonly headHeight: number;
  /** Rows drawn outside the view, on each side. */
  readonly overscan?: number;
  /** Start of each column and the end of the last one, for a grid that draws only its visible columns. */
  readonly edges?: readonly number[];
  /** Number of columns that come first and stay in sight. */
  readonly pinned?: number;
};

/** The owner of a grid creates its viewport, so that it can fetch the rows in sight and scroll to a cell. */
export class GridViewport {
  readonly #sizes: () => GridSizes;
  /** The element that scrolls, and its position. */
  element = $state<HTMLElement>();
  top = $state(0);
  left = $state(0);
  width = $state(0);
  height = $state(0);

  /** The rows to draw. */
  readonly list = $derived.by(() => {
    const { headHeight, ...sizes } = this.#sizes();
    return new VirtualList({ ...sizes, height: Math.max(0, this.height - headHeight), scrollTop: this.top });
  });

  /** The columns to draw besides the pinned ones. */
  readonly columns = $derived.by((): IndexRange => {
    const { edges = [], pinned = 0 } = this.#sizes();
    const pinnedEnd = edges[pinned] ?? 0;
    const width = Math.max(0, this.width - pinnedEnd);
    const { first, end } = visibleColumns(edges, { left: this.left + pinnedEnd, width });
    return { first: Math.max(pinned, first), end };
  });

  constructor(sizes: () => GridSizes) {
    this.#sizes = sizes;
  }

  get sizes(): GridSizes {
    return this.#sizes();
  }

  /** Index of the first row that is whole in sight. */
  get firstWhole(): number {
    return Math.ceil(this.top / this.#sizes().rowHeight);
  }

  /** Rows that a page key moves by. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.list.height / this.#sizes().rowHeight) - 1);
  }

  focus(options?: FocusOptions): void {
    this.element?.focus(options);
  }

  follow(element: HTMLElement): void {
    this.top = element.scrollTop;
    this.left = element.scrollLeft;
  }

  /** Scrolls as little as it takes to show the whole row; with `isCentered`, to the middle. */
  reveal(index: number, isCentered = false): void {
    if (this.element !== undefined && index >= 0) this.list.reveal(this.element, index, isCentered);
  }

  /** Scrolls as little as it takes to show the whole column. */
  revealColumn(column: number): void {
    const { element } = this;
    const { edges = [], pinned = 0 } = this.#sizes();
    const [left, right] = [edges[column], edges[column + 1]];
    if (element === undefined || column < pinned || left === undefined || right === undefined) return;
    const start = left - (edges[pinned] ?? 0);
    if (start < element.scrollLeft) element.scrollLeft = start;
    else if (right > element.scrollLeft + element.clientWidth)
      element.scrollLeft = Math.min(start, right - element.clientWidth);
  }

  scrollToStart(): void {
    if (this.element !== undefined) this.element.scrollTop = 0;
  }
}
