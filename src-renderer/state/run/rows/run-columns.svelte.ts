// The columns of a run's table, with what the user has chosen about them.
import type { Column } from '#contract';
import {
  loadChoices,
  noChoices,
  saveChoices,
  type ColumnChoices,
  type ColumnGroup,
} from './column-choices.ts';
import {
  allowedColumnWidth,
  arrangedColumns,
  bandsOf,
  groupOrder,
  movedGroup,
  movedOrder,
  shownColumns,
  type ColumnBand,
  type ColumnSource,
  type HeadColumn,
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
  /** Groups that scroll, from left to right. */
  readonly groups: readonly ColumnBand[] = $derived(this.bands.filter(({ isPinned }) => !isPinned));

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

  /** Shows only these columns of a group. */
  showOnly(group: ColumnGroup, keys: readonly string[]): void {
    for (const column of this.arranged)
      if (column.of === group && this.isShown(column) !== keys.includes(column.key))
        this.show(column, keys.includes(column.key));
  }

  /** Number of columns of a group, with those that are hidden. */
  sizeOf(group: ColumnGroup): number {
    if (group === 'cell') return this.#cellNodes.length;
    return this.arranged.filter(({ of }) => of === group).length;
  }

  fold(group: ColumnGroup, isFolded: boolean): void {
    const others = this.choices.folded.filter((each) => each !== group);
    this.#change({ folded: isFolded ? [...others, group] : others });
  }

  /** Unfolds the group that the column stands for. False for every other column. */
  openGroupOf(column: HeadColumn | undefined): boolean {
    if (typeof column !== 'object' || column.of !== 'folded') return false;
    this.fold(column.group, false);
    return true;
  }

  /**
   * Unfolds a group and answers the number of the column to go to, which is its first one. If that column's group is active already, it is folded.
   * @param index index among `groups`
   * @param active number of the active column
   */
  goToGroup(index: number, active: number): number {
    const found = this.groups[index];
    if (found === undefined) return active;
    const isThere = active > found.first && active <= found.end;
    if (isThere || found.isFolded) this.fold(found.group, !found.isFolded);
    return found.first + 1;
  }

  /** The group at the right or left of another one, among those that are shown; undefined at the end. */
  neighbourOf(group: ColumnGroup, by: 1 | -1): ColumnGroup | undefined {
    return this.groups[this.groups.findIndex((each) => each.group === group) + by]?.group;
  }

  /** Moves a group to where another one is. */
  moveGroup(group: ColumnGroup, to: ColumnGroup): void {
    this.#change({ groups: movedGroup(groupOrder(this.choices), group, to) });
  }

  /** Sets the column whose values are the labels of rows; undefined restores the first text of the input. */
  labelBy(key: string | undefined): void {
    const { label: _before, ...choices } = this.choices;
    this.#store(key === undefined ? choices : { ...choices, label: key });
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

  /** Moves a column over its neighbour among the columns that are shown. Answers its new number. */
  move(column: TableColumn, by: 1 | -1): number {
    const neighbour = this.columnNextTo(column, by);
    if (neighbour !== undefined) this.moveTo(column, { nextTo: neighbour.key, isAfter: by === 1 });
    return 1 + this.shown.findIndex(({ key }) => key === column.key);
  }

  /** The column at the right or left of another one, if the two can change places. */
  columnNextTo({ key, group, isPinned }: TableColumn, by: 1 | -1): TableColumn | undefined {
    const neighbour = this.shown[this.shown.findIndex((each) => each.key === key) + by];
    return neighbour?.group === group && neighbour.isPinned === isPinned ? neighbour : undefined;
  }

  showStatistics(hasStatistics: boolean): void {
    this.#change({ hasStatistics });
  }

  /** Shows the columns as the run has them. */
  reset(): void {
    const { hasStatistics } = this.choices;
    this.#store({ ...noChoices, hasStatistics });
  }

  #change(changes: Partial<ColumnChoices>): void {
    this.#store({ ...this.choices, ...changes });
  }

  #store(choices: ColumnChoices): void {
    this.#choices = choices;
    saveChoices(this.#workflowId, choices);
  }
}

type ColumnsView = Omit<TableView, 'cellNodes' | 'fittingWidths'>;

type NamedColumn = Pick<TableColumn, 'key' | 'of' | 'name'>;

const toggled = (list: readonly string[], key: string, isListed: boolean): readonly string[] =>
  isListed ? [...list.filter((each) => each !== key), key] : list.filter((each) => each !== key);
