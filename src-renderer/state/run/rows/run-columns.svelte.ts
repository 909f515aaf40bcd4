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
} from './table-columns.ts';

export class RunColumns {
  readonly #workflowId: string;
  #choices = $state.raw<ColumnChoices>();
  #fields = $state.raw<readonly Column[]>([]);
  #nodeIds = $state.raw<readonly string[]>([]);
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
    shownColumns(this.arranged, this.choices, this.#fittingWidths),
  );
  readonly bands: readonly ColumnBand[] = $derived(bandsOf(this.shown));
  /** Ids of nodes whose values are shown. */
  readonly shownNodes: readonly string[] = $derived(
    this.shown.filter(({ of }) => of === 'node').map(({ name }) => name),
  );

  get choices(): ColumnChoices {
    return this.#choices as ColumnChoices;
  }

  setFields(fields: readonly Column[]): void {
    this.#fields = fields;
  }

  /** True once the ids of the workflow's nodes are known, and there are any. */
  get hasNodes(): boolean {
    return this.#nodeIds.length > 0;
  }

  setNodes(nodeIds: readonly string[]): void {
    this.#nodeIds = nodeIds;
  }

  /** Sets the widths of columns that have none yet; those that the user has chosen come first. */
  fitWidths(widths: Readonly<Record<string, number>>): void {
    this.#fittingWidths = { ...widths, ...this.#fittingWidths };
  }

  isShown({ key, of, name }: ColumnSource): boolean {
    return of === 'node' ? this.choices.nodes.includes(name) : !this.choices.hidden.includes(key);
  }

  show(column: ColumnSource, isShown: boolean): void {
    const { of, name, key } = column;
    if (of === 'node') this.#change({ nodes: toggled(this.choices.nodes, name, isShown) });
    else this.#change({ hidden: toggled(this.choices.hidden, key, !isShown) });
  }

  pin({ key }: ColumnSource, isPinned: boolean): void {
    this.#change({ pinned: toggled(this.choices.pinned, key, isPinned) });
  }

  /** @param width undefined restores the initial width */
  resize({ key }: ColumnSource, width: number | undefined): void {
    const others = Object.entries(this.choices.widths).filter(([other]) => other !== key);
    const resized: (readonly [string, number])[] =
      width === undefined ? [] : [[key, allowedColumnWidth(width)]];
    this.#change({ widths: Object.fromEntries([...others, ...resized]) });
  }

  /** Moves a column to where another one is. */
  moveTo({ key }: ColumnSource, to: { readonly nextTo: string; readonly isAfter: boolean }): void {
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

const toggled = (list: readonly string[], key: string, isListed: boolean): readonly string[] =>
  isListed ? [...list.filter((each) => each !== key), key] : list.filter((each) => each !== key);
