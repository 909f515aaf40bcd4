// The menus in the heads of the table: what can be done with a column or with the status of rows.
import {
  count,
  fineDuration,
  type CausesView,
  type Column,
  type Condition,
  type NodeStatisticsView,
  type RowSelection,
  type SortColumn,
  type TestedEnd,
} from '#contract';
import { sortKey } from './condition-texts.ts';
import type { RunColumns } from './run-columns.svelte.ts';
import type { ColumnGroup } from './column-choices.ts';
import { dataColumnOf, groupTitles, type TableColumn } from './table-columns.ts';

type HeadVerb = {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly isDisabled?: boolean;
  /** True if a separator is drawn above. */
  readonly startsGroup?: boolean;
  readonly act: () => void;
};

export type HeadActions = {
  readonly selection: RowSelection;
  readonly onsort: (sort: RowSelection['sort']) => void;
  readonly ongroup: (column: Column | undefined) => void;
  /** Opens the dialog with the filter of the column. */
  readonly onfilter: (column: Column) => void;
  readonly oncondition: (condition: Condition) => void;
};

/** Filters of a node's column, by how it ended. */
const endFilters = [
  { ends: ['failed'], title: 'Only rows that failed here' },
  { ends: ['skipped'], title: 'Only rows that skipped it' },
  { ends: ['retried'], title: 'Only rows that tried it again' },
  { ends: ['replaced'], title: 'Only rows with a replaced value' },
] as const satisfies readonly { readonly ends: readonly TestedEnd[]; readonly title: string }[];

/** @param counts rows by how the node ended, as far as they are known */
export function nodeMenu(
  columns: RunColumns,
  column: TableColumn,
  { oncondition, counts }: Pick<HeadActions, 'oncondition'> & { readonly counts: NodeCounts | undefined },
): HeadVerb[] {
  const { hasValues } = columns.view;
  return [
    ...endFilters.map(({ ends, title }) => {
      const [end] = ends;
      const rows = end === 'retried' ? undefined : counts?.[end];
      return {
        id: end,
        title,
        ...(rows === undefined ? {} : { note: count(rows), isDisabled: rows === 0 }),
        act: () => oncondition({ of: 'node', nodeId: column.name, ends }),
      };
    }),
    {
      id: 'width',
      title: hasValues ? 'Default width of values' : 'Default width of times',
      startsGroup: true,
      act: () => columns.resize(column, undefined),
    },
    foldVerb(columns, column.group),
  ];
}

/** The menu of a group of columns. */
export function groupMenu(columns: RunColumns, group: ColumnGroup): HeadVerb[] {
  const [left, right] = [columns.neighbourOf(group, -1), columns.neighbourOf(group, 1)];
  return [
    foldVerb(columns, group),
    {
      id: 'group-left',
      title: 'Move group left',
      startsGroup: true,
      isDisabled: left === undefined,
      act: () => left && columns.moveGroup(group, left),
    },
    {
      id: 'group-right',
      title: 'Move group right',
      isDisabled: right === undefined,
      act: () => right && columns.moveGroup(group, right),
    },
  ];
}

/** The number of the group is the key that goes to it, and there folds it. */
function foldVerb(columns: RunColumns, group: ColumnGroup): HeadVerb {
  const at = columns.groups.findIndex((each) => each.group === group);
  const isFolded = columns.groups[at]?.isFolded === true;
  return {
    id: 'fold',
    title: `${isFolded ? 'Unfold' : 'Fold'} ${groupTitles[group]}`,
    ...(at < 0 ? { isDisabled: true } : { note: String(at + 1) }),
    act: () => columns.fold(group, !isFolded),
  };
}

type NodeCounts = Pick<NodeStatisticsView, 'failed' | 'skipped' | 'replaced'>;

export function columnMenu(columns: RunColumns, column: TableColumn, actions: HeadActions): HeadVerb[] {
  const field = dataColumnOf(column);
  const isLabel = columns.choices.label === column.key;
  return [
    ...(field === undefined ? [] : fieldVerbs(field, actions)),
    {
      id: 'pin',
      title: column.isPinned ? 'Unpin' : 'Pin to the left',
      startsGroup: true,
      act: () => columns.pin(column, !column.isPinned),
    },
    {
      id: 'left',
      title: 'Move left',
      note: 'Shift Alt ←',
      isDisabled: columns.columnNextTo(column, -1) === undefined,
      act: () => columns.move(column, -1),
    },
    {
      id: 'right',
      title: 'Move right',
      note: 'Shift Alt →',
      isDisabled: columns.columnNextTo(column, 1) === undefined,
      act: () => columns.move(column, 1),
    },
    { id: 'width', title: 'Fit width to the values', act: () => columns.resize(column, undefined) },
    ...(field === undefined
      ? []
      : [
          {
            id: 'label',
            title: isLabel ? 'Do not use as label' : 'Use as label',
            act: () => columns.labelBy(isLabel ? undefined : column.key),
          },
        ]),
    { id: 'hide', title: 'Hide', act: () => columns.show(column, false) },
    foldVerb(columns, column.group),
  ];
}

function fieldVerbs(field: Column, { selection, onsort, ongroup, onfilter }: HeadActions): HeadVerb[] {
  const isGrouped = selection.groupBy !== undefined && sortKey(selection.groupBy) === sortKey(field);
  return [
    ...sortVerbs(field, selection.sort, onsort),
    { id: 'filter', title: 'Filter…', startsGroup: true, act: () => onfilter(field) },
    {
      id: 'group',
      title: isGrouped ? 'Do not group' : 'Group by this column',
      act: () => ongroup(isGrouped ? undefined : field),
    },
  ];
}

function sortVerbs(
  column: SortColumn,
  sort: RowSelection['sort'],
  onsort: HeadActions['onsort'],
): HeadVerb[] {
  const isSorted = sort !== undefined && sortKey(sort.column) === sortKey(column);
  return [
    { id: 'ascending', title: 'Sort ascending', act: () => onsort({ column, descending: false }) },
    { id: 'descending', title: 'Sort descending', act: () => onsort({ column, descending: true }) },
    ...(isSorted ? [{ id: 'unsorted', title: 'Do not sort', act: () => onsort(undefined) }] : []),
  ];
}

/** The menu of the times of rows. */
export function tookMenu(
  { selection, onsort, oncondition }: HeadActions,
  slowMs: number | undefined,
): HeadVerb[] {
  return [
    ...sortVerbs('took', selection.sort, onsort),
    ...(slowMs === undefined
      ? []
      : [
          {
            id: 'slow',
            title: 'Only slow rows',
            note: `from ${fineDuration(slowMs)}`,
            startsGroup: true,
            act: () => oncondition({ of: 'took', minMs: slowMs }),
          },
        ]),
    {
      id: 'retried',
      title: 'Only rows that were tried again',
      startsGroup: slowMs === undefined,
      act: () => oncondition({ of: 'retried' }),
    },
  ];
}

/** True if the causes are those of all failed rows. */
export const areAllLooked = (causes: CausesView | undefined): boolean =>
  causes === undefined || causes.looked >= causes.failed;

/** Maximum causes in the menu; the others are rare. */
const maxCauses = 8;

export function statusMenu(
  causes: CausesView | undefined,
  { selection, onsort, oncondition }: HeadActions,
): HeadVerb[] {
  return [
    ...sortVerbs('state', selection.sort, onsort),
    ...(['failed', 'done', 'unfinished'] as const).map((state, index) => ({
      id: state,
      title: `Only rows that ${{ failed: 'failed', done: 'are done', unfinished: 'did not end' }[state]}`,
      startsGroup: index === 0,
      act: () => oncondition({ of: 'state', states: [state] }),
    })),
    ...(causes?.groups ?? []).slice(0, maxCauses).map(({ nodeId, cause, message, rows }, index) => ({
      id: `cause-${index}`,
      title: `Failed because: ${cause}`,
      note: `${areAllLooked(causes) ? '' : 'at least '}${rows.toLocaleString('en-US')} at ${nodeId}`,
      startsGroup: index === 0,
      act: () => oncondition({ of: 'cause', nodeId, message }),
    })),
  ];
}
