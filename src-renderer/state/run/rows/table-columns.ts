// The columns of the Rows tab: the fields of rows, of outputs and values of nodes, as the user has arranged them.
import { columnText, type Column, type FieldPreview } from '#contract';
import { maxColumnWidth, minColumnWidth, type ColumnChoices } from './column-choices.ts';
import type { ShownGroups } from './shown-groups.ts';

/** A field of the rows or outputs, a node's value, how a node ended, or the reason of a failure in the place of outputs. */
export type TableColumn = {
  /** `input.email`, `output.score`, `node.ask`, `cell.ask` or `reason` */
  readonly key: string;
  readonly of: Column['of'] | 'node' | 'cell' | 'reason';
  readonly name: string;
  readonly width: number;
  readonly isPinned: boolean;
};

/** A column that the user can show, hide, pin and move. */
export type ColumnSource = Pick<TableColumn, 'key' | 'name'> & { readonly of: Column['of'] | 'node' };

/** A column whose head sorts and has a menu. */
export type HeadColumn = TableColumn | 'state' | 'took';

const defaultWidth = 160;
const cellWidths = { time: 104, value: 160 };
/** Width of the reason why rows failed, if all rows that are shown failed. */
const reasonWidth = 320;

/** The field that a column shows; undefined for what is not stored as a field. */
export const dataColumnOf = ({ of, name }: Pick<TableColumn, 'of' | 'name'>): Column | undefined =>
  of === 'input' || of === 'output' ? { of, name } : undefined;

/** All columns that can be shown, in the user's order. */
export function arrangedColumns(
  fields: readonly Column[],
  nodeIds: readonly string[],
  { order }: Pick<ColumnChoices, 'order'>,
): readonly ColumnSource[] {
  const fieldsOf = (group: Column['of']): readonly Column[] => fields.filter(({ of }) => of === group);
  const sources: readonly ColumnSource[] = [
    ...[...fieldsOf('output'), ...fieldsOf('input')].map(({ of, name }) => ({
      key: columnText({ of, name }),
      of,
      name,
    })),
    ...nodeIds.map((id) => ({ key: `node.${id}`, of: 'node' as const, name: id })),
  ];
  const positions = new Map(order.map((key, index) => [key, index]));
  const at = ({ key }: ColumnSource): number => positions.get(key) ?? order.length;
  return sources.toSorted((one, other) => at(one) - at(other));
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

/** The columns that are shown from left to right, pinned ones first. */
export function shownColumns(
  arranged: readonly ColumnSource[],
  choices: ColumnChoices,
  view: TableView,
): readonly TableColumn[] {
  const { show, hasOnlyFailed } = view;
  const data = show === 'nodes' ? [] : dataColumns(arranged, choices, view.fittingWidths);
  const reason = {
    key: 'reason',
    of: 'reason',
    name: 'Reason',
    width: reasonWidth,
    isPinned: false,
  } as const;
  const [pinned, others] = [
    data.filter(({ isPinned }) => isPinned),
    data.filter(({ isPinned }) => !isPinned),
  ];
  return [
    ...pinned,
    ...(hasOnlyFailed && show !== 'nodes' ? [reason] : []),
    ...(hasOnlyFailed ? others.filter(({ of }) => of !== 'output') : others),
    ...(show === 'data' ? [] : cellColumns(choices, view)),
  ];
}

const cellColumns = (
  { widths }: ColumnChoices,
  { cellNodes, hasValues }: TableView,
): readonly TableColumn[] =>
  cellNodes.map((name) => {
    const key = `cell.${name}`;
    const width = widths[key] ?? (hasValues ? cellWidths.value : cellWidths.time);
    return { key, of: 'cell', name, width, isPinned: false };
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
    width: widths[source.key] ?? fittingWidths[source.key] ?? defaultWidth,
    isPinned: pinned.includes(source.key),
  }));
}

/** Neighbours of one kind, which share a heading: `Input`, `Output`, `Nodes`. */
export type ColumnBand = { readonly of: TableColumn['of']; readonly first: number; readonly end: number };

export function bandsOf(columns: readonly TableColumn[]): readonly ColumnBand[] {
  const bands: { of: TableColumn['of']; first: number; end: number }[] = [];
  for (const [index, { of, isPinned }] of columns.entries()) {
    const last = bands.at(-1);
    // A pinned column stays where it is while the others scroll below it.
    const isSameValue = last?.of === of && columns[index - 1]?.isPinned === isPinned;
    if (last !== undefined && isSameValue) last.end = index + 1;
    else bands.push({ of, first: index, end: index + 1 });
  }
  return bands;
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
