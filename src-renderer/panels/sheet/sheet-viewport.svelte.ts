// The visible part of a sheet, and how to scroll to the rest.
import { cellPreview } from '../../state/entry/grid/cell-preview.ts';
import { columnEdges, widthFor } from '../../state/entry/grid/column-layout.ts';
import type { CellAddress } from '../../state/entry/grid/sheet-change.ts';
import type { SheetView } from '../../state/entry/grid/sheet-view.svelte.ts';
import { visibleColumns } from '../../ui/grid/column-range.ts';
import { rangeToDraw, startToShow } from '../../ui/lists/virtual-list.ts';
import { gutterWidth, headHeight, rowHeight } from './sheet-pointer.ts';

export class SheetViewport {
  readonly #view: () => SheetView;
  readonly #lead: () => number;
  /** The element that scrolls, and where it is. */
  element = $state<HTMLElement>();
  top = $state(0);
  left = $state(0);
  width = $state(0);
  height = $state(0);

  readonly edges = $derived.by(() =>
    columnEdges(this.#view().model.columns, this.#view().widths, this.#lead()),
  );
  readonly rows = $derived.by(() =>
    rangeToDraw(
      { count: this.#view().model.rowCount + 1, size: rowHeight },
      { start: this.top, length: Math.max(0, this.height - headHeight) },
    ),
  );
  readonly columns = $derived.by(() =>
    visibleColumns(this.edges, { left: this.left, width: this.width - gutterWidth }),
  );

  /** @param lead width that is left free before the first column */
  constructor(view: () => SheetView, lead: () => number) {
    this.#view = view;
    this.#lead = lead;
  }

  /** Rows that a key which turns the page goes on by. */
  get page(): number {
    return Math.max(1, Math.floor(this.height / rowHeight) - 2);
  }

  has({ row, column }: CellAddress): boolean {
    const { rows, columns } = this;
    return row >= rows.first && row < rows.end && column >= columns.first && column < columns.end;
  }

  follow(element: HTMLElement): void {
    this.top = element.scrollTop;
    this.left = element.scrollLeft;
  }

  /** Scrolls as little as it takes to see the cell whole. */
  reveal({ row, column }: CellAddress): void {
    const { element } = this;
    if (element === undefined) return;
    const view = { start: element.scrollTop, length: this.height - headHeight };
    const down = startToShow(row, rowHeight, view);
    if (down !== undefined) element.scrollTop = down;
    const from = column === 0 ? 0 : (this.edges[column] ?? 0);
    const to = this.edges[column + 1] ?? from;
    const inSight = this.width - gutterWidth;
    if (from < element.scrollLeft) element.scrollLeft = from;
    else if (to > element.scrollLeft + inSight) element.scrollLeft = Math.min(from, to - inSight);
    this.follow(element);
  }

  /** As wide as the widest of the cells that are drawn. */
  fit(column: number): void {
    const { model } = this.#view();
    const fitted = model.columns[column];
    if (fitted === undefined) return;
    const letters = model.rows
      .slice(this.rows.first, this.rows.end)
      .map(({ cells }) => cellPreview(cells[fitted.slot], fitted.type).text.length);
    this.#view().resize(fitted.slot, widthFor(Math.max(fitted.name.length + 5, ...letters)));
  }
}
