// The columns of a run's table, with what the user has chosen about them.
import type { Column } from '#contract';
import { loadChoices, saveChoices, type ColumnChoices } from './column-choices.ts';
import {
  allowedColumnWidth,
  arrangedColumns,
  bandsOf,
  movedOrder,
  shownColumns,
  type ColumnBand,
  type ColumnSource,
  type TableColumn,
  type TableView,
} from './table-columns.ts';

/** Change of a column's width by a key, in pixels. */
const widthStep = 16;

export class RunColumns {
  readonly #workflowId: string;
  #choices = $state.raw<ColumnChoices>();
  #fields = $state.raw<readonly Column[]>([]);
  #nodeIds = $state.raw<readonly string[]>([]);
  #view = $state.raw<ColumnsView>({ show: 'data', hasValues: false, hasOnlyFailed: false });
  #cellNodes = $state.raw<readonly string[]>([]);
  #fittingWidths = $state.raw<Readonly<Record<string, number>>>({});

  constructor(workflowId: string) {
    this.#workflowId = workflowId;
    this.#choices = loadChoices(workflowId);
  }

  /** All columns that can be shown, in the user's order. */
  readonly arranged: readonly ColumnSource[] = $derived(
    arrangedColumns(this.#fields, this.#nodeIds, this.choices),
  );
  /** The columns that are shown, pinned ones first. */
  readonly shown: readonly TableColumn[] = $derived(
    shownColumns(this.arranged, this.choices, {
      ...this.#view,
      fittingWidths: this.#fittingWidths,
      cellNodes: this.#cellNodes,
    }),
  );
  readonly bands: readonly ColumnBand[] = $derived(bandsOf(this.shown));
  /** Ids of nodes whose values are shown. */
  readonly shownNodes: readonly string[] = $derived(
    this.shown.filter(({ of }) => of === 'node').map(({ name }) => name),
  );

  get choices(): ColumnChoices {
    return this.#choices as ColumnChoices;
  }

  /** Groups that are shown. */
  get view(): ColumnsView {
    return this.#view;
  }

  setView(view: ColumnsView): void {
    this.#view = view;
  }

  /** Index of a node among the cells of rows. */
  cellIndex(nodeId: string): number {
    return this.#cellNodes.indexOf(nodeId);
  }

  setCellNodes(nodeIds: readonly string[]): void {
    this.#cellNodes = nodeIds;
  }

  setFields(fields: readonly Column[]): void {
    this.#fields = fields;
  }

  setNodes(nodeIds: readonly string[]): void {
    this.#nodeIds = nodeIds;
  }

  /** Sets the widths of columns that have none yet; those that the user has chosen come first. */
  fitWidths(widths: Readonly<Record<string, number>>): void {
    this.#fittingWidths = { ...widths, ...this.#fittingWidths };
  }

  isShown({ key, of, name }: NamedColumn): boolean {
    return of === 'node' ? this.choices.nodes.includes(name) : !this.choices.hidden.includes(key);
  }

  show(column: NamedColumn, isShown: boolean): void {
    const { of, name, key } = column;
    if (of === 'node') this.#change({ nodes: toggled(this.choices.nodes, name, isShown) });
    else this.#change({ hidden: toggled(this.choices.hidden, key, !isShown) });
  }

  pin({ key }: NamedColumn, isPinned: boolean): void {
    this.#change({ pinned: toggled(this.choices.pinned, key, isPinned) });
  }

  /** @param width undefined restores the initial width */
  resize({ key }: NamedColumn, width: number | undefined): void {
    const others = Object.entries(this.choices.widths).filter(([other]) => other !== key);
    const resized: (readonly [string, number])[] =
      width === undefined ? [] : [[key, allowedColumnWidth(width)]];
    this.#change({ widths: Object.fromEntries([...others, ...resized]) });
  }

  /** Makes a column a step wider or narrower. */
  resizeBy(column: TableColumn, by: 1 | -1): void {
    this.resize(column, column.width + widthStep * by);
  }

  /** Moves a column to where another one is. */
  moveTo({ key }: NamedColumn, to: { readonly nextTo: string; readonly isAfter: boolean }): void {
    this.#change({ order: movedOrder(this.arranged, key, to) });
  }

  /** Moves a column over its neighbour among the columns that are shown. */
  move(column: TableColumn, by: 1 | -1): void {
    const at = this.shown.findIndex(({ key }) => key === column.key);
    const neighbour = this.shown[at + by];
    if (neighbour !== undefined && neighbour.isPinned === column.isPinned)
      this.moveTo(column, { nextTo: neighbour.key, isAfter: by === 1 });
  }

  showStatistics(hasStatistics: boolean): void {
    this.#change({ hasStatistics });
  }

  /** Shows the columns as the run has them. */
  reset(): void {
    this.#change({ order: [], hidden: [], pinned: [], nodes: [], widths: {} });
  }

  #change(changes: Partial<ColumnChoices>): void {
    this.#choices = { ...this.choices, ...changes };
    saveChoices(this.#workflowId, this.#choices);
  }
}

type ColumnsView = Omit<TableView, 'cellNodes' | 'fittingWidths'>;

type NamedColumn = Pick<TableColumn, 'key' | 'of' | 'name'>;

const toggled = (list: readonly string[], key: string, isListed: boolean): readonly string[] =>
  isListed ? [...list.filter((each) => each !== key), key] : list.filter((each) => each !== key);
