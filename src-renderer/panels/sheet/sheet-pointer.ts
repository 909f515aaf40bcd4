// The pointer over a sheet: which cell it is on, and what dragging it does.
import { sizeOf, fillTarget } from '../../state/entry/grid/selection.ts';
import type { CellAddress, CellRange } from '../../state/entry/grid/sheet-change.ts';
import type { SheetView } from '../../state/entry/grid/sheet-view.svelte.ts';
import { columnAt } from '../../ui/grid/column-range.ts';

export const rowHeight = 28;
export const headHeight = 30;
export const gutterWidth = 56;
/** Width of the column that says why rows failed. */
export const reasonWidth = 260;

export type Part = 'corner' | 'columns' | 'rows' | 'cells';
type Point = Pick<PointerEvent, 'clientX' | 'clientY'>;

export class SheetPointer {
  readonly #view: SheetView;
  readonly #scroll: HTMLElement;
  readonly #edges: () => readonly number[];
  readonly #onfill: (to: CellRange | undefined) => void;
  #drag: Part | 'fill' | undefined;
  #last: Point = { clientX: 0, clientY: 0 };
  #frame = 0;

  /** While the handle is dragged, `onfill` gets the range that would be filled; undefined when it is let go. */
  constructor(view: SheetView, { scroll, edges, onfill }: SheetSurface) {
    this.#view = view;
    this.#scroll = scroll;
    this.#edges = edges;
    this.#onfill = onfill;
  }

  partAt({ clientX, clientY }: Point): Part {
    const { left, top } = this.#scroll.getBoundingClientRect();
    const isHead = clientY - top < headHeight;
    const x = clientX - left - gutterWidth;
    const isGutter = x < 0 || x + this.#scroll.scrollLeft < (this.#edges()[0] ?? 0);
    if (isHead) return isGutter ? 'corner' : 'columns';
    return isGutter ? 'rows' : 'cells';
  }

  /** The cell under the pointer, or the nearest one. */
  cellAt({ clientX, clientY }: Point): CellAddress {
    const { left, top } = this.#scroll.getBoundingClientRect();
    const { rows } = sizeOf(this.#view.model);
    const row = Math.floor((clientY - top - headHeight + this.#scroll.scrollTop) / rowHeight);
    const column = columnAt(this.#edges(), clientX - left - gutterWidth + this.#scroll.scrollLeft);
    return { row: Math.max(0, Math.min(rows - 1, row)), column };
  }

  begin(event: PointerEvent, isHandle: boolean): void {
    this.#drag = isHandle ? 'fill' : this.partAt(event);
    this.#scroll.setPointerCapture(event.pointerId);
    if (!isHandle) this.select(event, this.#drag as Part);
    this.move(event);
  }

  move(event: Point): void {
    if (this.#drag === undefined) return;
    this.#last = { clientX: event.clientX, clientY: event.clientY };
    this.#follow(this.#drag);
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#scrollOn());
  }

  end(): void {
    if (this.#drag === 'fill') this.#view.fillTo(this.#fillRange());
    this.cancel();
  }

  /** Fills nothing. */
  cancel(): void {
    this.#drag = undefined;
    this.#onfill(undefined);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Selects the cell, row or column under the pointer; with Shift, extends the selection to it. */
  select(event: Point & { readonly shiftKey: boolean }, part: Part): void {
    const address = this.cellAt(event);
    const from = event.shiftKey ? this.#view.selection.anchor : address;
    if (part === 'corner') this.#view.verbs['select-all']();
    else if (part === 'columns') this.#view.selectColumns(from.column, address.column);
    else if (part === 'rows') this.#view.selectRows(from.row, address.row);
    else if (event.shiftKey) this.#view.extendTo(address);
    else this.#view.selectCell(address);
  }

  #follow(drag: Part | 'fill'): void {
    const address = this.cellAt(this.#last);
    const { anchor } = this.#view.selection;
    if (drag === 'fill') this.#onfill(this.#fillRange());
    else if (drag === 'columns') this.#view.selectColumns(anchor.column, address.column);
    else if (drag === 'rows') this.#view.selectRows(anchor.row, address.row);
    else if (drag === 'cells') this.#view.extendTo(address);
  }

  #fillRange(): CellRange {
    const { rowCount } = this.#view.model;
    const { row, column } = this.cellAt(this.#last);
    return fillTarget(this.#view.range, { row: Math.min(row, Math.max(0, rowCount - 1)), column });
  }

  /** A pointer beyond the edge scrolls, the faster the further it is. */
  #scrollOn(): void {
    this.#frame = 0;
    if (this.#drag === undefined) return;
    const { left, right, top, bottom } = this.#scroll.getBoundingClientRect();
    const { clientX, clientY } = this.#last;
    const across = beyond(clientX, left + gutterWidth, right);
    const down = beyond(clientY, top + headHeight, bottom);
    if (across === 0 && down === 0) return;
    this.#scroll.scrollBy(this.#drag === 'rows' ? 0 : across / 3, this.#drag === 'columns' ? 0 : down / 3);
    this.#follow(this.#drag);
    this.#frame = requestAnimationFrame(() => this.#scrollOn());
  }
}

type SheetSurface = {
  readonly scroll: HTMLElement;
  readonly edges: () => readonly number[];
  readonly onfill: (to: CellRange | undefined) => void;
};

const beyond = (at: number, from: number, to: number): number =>
  Math.min(0, at - from) + Math.max(0, at - to);
