// The columns of the Rows tab: the fields of rows, of outputs and values of nodes, as the user has arranged them.
import { columnText, type Column, type FieldPreview } from '#contract';
import {
  allColumnGroups,
  maxColumnWidth,
  minColumnWidth,
  type ColumnChoices,
  type ColumnGroup,
} from './column-choices.ts';
import type { ShownGroups } from './rows-fragment.ts';

/**
 * A field of the rows or outputs, a node's value, how a node ended, the reason of a failure in the place of outputs, or a
 * folded group.
 */
export type TableColumn = {
  /** `input.email`, `output.score`, `node.ask`, `cell.ask`, `reason` or `folded.input` */
  readonly key: string;
  readonly of: ColumnGroup | 'reason' | 'folded';
  readonly group: ColumnGroup;
  readonly name: string;
  readonly width: number;
  readonly isPinned: boolean;
};

/** A column that the user can show, hide, pin and move. */
export type ColumnSource = Pick<TableColumn, 'key' | 'name'> & { readonly of: Column['of'] | 'node' };

/** A column whose head has a menu. */
export type HeadColumn = TableColumn | 'state' | 'took';

const defaultWidth = 160;
const cellWidths = { time: 104, value: 160 };
/** Width of a group of which only the head is shown. */
const foldedWidth = 112;
/** Width of the reason why rows failed, if all rows that are shown failed. */
const reasonWidth = 320;

/** The field that a column shows; undefined for what is not stored as a field. */
export const dataColumnOf = ({ of, name }: Pick<TableColumn, 'of' | 'name'>): Column | undefined =>
  of === 'input' || of === 'output' ? { of, name } : undefined;

/** All groups from left to right. */
export const groupOrder = ({ groups }: Pick<ColumnChoices, 'groups'>): readonly ColumnGroup[] => [
  ...groups,
  ...allColumnGroups.filter((group) => !groups.includes(group)),
];

/** All columns that can be shown: the groups in the user's order, and within a group the columns in theirs. */
export function arrangedColumns(
  fields: readonly Column[],
  nodeIds: readonly string[],
  choices: Pick<ColumnChoices, 'order' | 'groups'>,
): readonly ColumnSource[] {
  const sources: readonly ColumnSource[] = [
    ...fields.map(({ of, name }) => ({ key: columnText({ of, name }), of, name })),
    ...nodeIds.map((id) => ({ key: `node.${id}`, of: 'node' as const, name: id })),
  ];
  const { order } = choices;
  const groups = groupOrder(choices);
  const positions = new Map(order.map((key, index) => [key, index]));
  const groupAt = ({ of }: ColumnSource): number => groups.indexOf(of);
  const at = ({ key }: ColumnSource): number => positions.get(key) ?? order.length;
  return sources.toSorted((one, other) => groupAt(one) - groupAt(other) || at(one) - at(other));
}

/** Groups that a table shows. */
export type TableView = ShownGroups & {
  /** Widths in which values fit, by the keys of columns. */
  readonly fittingWidths: Readonly<Record<string, number>>;
  /** Ids of the nodes whose cells can be shown. */
  readonly cellNodes: readonly string[];
  /** True if a filter leaves only failed rows, which have no outputs. */
  readonly hasOnlyFailed: boolean;
};

/** The columns that are shown from left to right: pinned ones, then the others in their groups. */
export function shownColumns(
  arranged: readonly ColumnSource[],
  choices: ColumnChoices,
  view: TableView,
): readonly TableColumn[] {
  const { show, hasOnlyFailed } = view;
  const data = show === 'nodes' ? [] : dataColumns(arranged, choices, view.fittingWidths);
  const others = data.filter(({ isPinned }) => !isPinned);
  const columnsOf = (group: ColumnGroup): readonly TableColumn[] => {
    if (group === 'cell') return show === 'data' ? [] : cellColumns(choices, view);
    if (group === 'output' && hasOnlyFailed) return show === 'nodes' ? [] : [reasonColumn];
    return others.filter((column) => column.group === group);
  };
  return [
    ...data.filter(({ isPinned }) => isPinned),
    ...groupOrder(choices).flatMap((group) => foldedOr(columnsOf(group), choices)),
  ];
}

const reasonColumn: TableColumn = {
  key: 'reason',
  of: 'reason',
  group: 'output',
  name: 'Reason',
  width: reasonWidth,
  isPinned: false,
};

/** The columns of a group; if it is folded, one column in the place of them. */
function foldedOr(
  columns: readonly TableColumn[],
  { folded }: Pick<ColumnChoices, 'folded'>,
): readonly TableColumn[] {
  const [first] = columns;
  if (first === undefined || !folded.includes(first.group)) return columns;
  const { group } = first;
  return [
    {
      key: `folded.${group}`,
      of: 'folded',
      group,
      name: groupTitles[group],
      width: foldedWidth,
      isPinned: false,
    },
  ];
}

const cellColumns = (
  { widths }: ColumnChoices,
  { cellNodes, hasValues }: TableView,
): readonly TableColumn[] =>
  cellNodes.map((name) => {
    const key = `cell.${name}`;
    const width = widths[key] ?? (hasValues ? cellWidths.value : cellWidths.time);
    return { key, of: 'cell', group: 'cell', name, width, isPinned: false };
  });

function dataColumns(
  arranged: readonly ColumnSource[],
  { hidden, pinned, nodes, widths }: ColumnChoices,
  fittingWidths: Readonly<Record<string, number>>,
): readonly TableColumn[] {
  const isShown = ({ key, of, name }: ColumnSource): boolean =>
    of === 'node' ? nodes.includes(name) : !hidden.includes(key);
  return arranged.filter(isShown).map((source) => ({
    ...source,
    group: source.of,
    width: widths[source.key] ?? fittingWidths[source.key] ?? defaultWidth,
    isPinned: pinned.includes(source.key),
  }));
}

export const groupTitles: Readonly<Record<ColumnGroup, string>> = {
  output: 'Output',
  input: 'Input',
  node: 'Values',
  cell: 'Nodes',
};

/** Neighbours of one group, which share a head. */
export type ColumnBand = {
  readonly group: ColumnGroup;
  readonly first: number;
  readonly end: number;
  /** Pinned columns stay where they are while the others scroll below them. */
  readonly isPinned: boolean;
  readonly isFolded: boolean;
};

export function bandsOf(columns: readonly TableColumn[]): readonly ColumnBand[] {
  const bands: ColumnBand[] = [];
  for (const [index, { of, group, isPinned }] of columns.entries()) {
    const last = bands.at(-1);
    const end = index + 1;
    if (last?.group === group && last.isPinned === isPinned) bands[bands.length - 1] = { ...last, end };
    else bands.push({ group, first: index, end, isPinned, isFolded: of === 'folded' });
  }
  return bands;
}

/** The order of all groups after one was moved to where another one is. */
export function movedGroup(
  order: readonly ColumnGroup[],
  group: ColumnGroup,
  to: ColumnGroup,
): readonly ColumnGroup[] {
  const others = order.filter((each) => each !== group);
  return others.toSpliced(order.indexOf(to), 0, group);
}

/** The order of all columns after one was moved to where another one is. */
export function movedOrder(
  arranged: readonly ColumnSource[],
  key: string,
  to: { readonly nextTo: string; readonly isAfter: boolean },
): readonly string[] {
  if (key === to.nextTo) return arranged.map((column) => column.key);
  const others = arranged.map((column) => column.key).filter((each) => each !== key);
  const at = others.indexOf(to.nextTo) + (to.isAfter ? 1 : 0);
  return at < 0 ? [...others, key] : others.toSpliced(at, 0, key);
}

const letterWidth = 7.3;
const padding = 44;
const minFittingWidth = 96;
const maxFittingWidth = 320;

type Fields = Readonly<Record<Column['of'], readonly Pick<FieldPreview, 'name' | 'text'>[]>>;

/** Widths in which the values of these rows fit, within limits, by the keys of the columns. */
export function fittingWidths(rows: readonly Fields[]): Readonly<Record<string, number>> {
  const letters = new Map<string, number>();
  for (const row of rows)
    for (const of of ['input', 'output'] as const)
      for (const { name, text } of row[of]) {
        const key = columnText({ of, name });
        letters.set(key, Math.max(letters.get(key) ?? name.length, text.length));
      }
  return Object.fromEntries([...letters].map(([key, widest]) => [key, fittingWidth(widest)]));
}

const fittingWidth = (letters: number): number =>
  Math.round(Math.min(maxFittingWidth, Math.max(minFittingWidth, letters * letterWidth + padding)));

export const allowedColumnWidth = (width: number): number =>
  Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, width)));
