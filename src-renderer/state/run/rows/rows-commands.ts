import { count, counted } from '#contract';
import type { Command } from '../../shell/rank-commands.ts';
import { maxCopiedRows } from './copy-rows.ts';
import type { RowsView } from './rows-view.svelte.ts';

/** Shows all rows, or those of the shown attempt. */
const scopeKey = 'W';

type RowsActions = {
  readonly view: RowsView;
  /** Shows the rows of the attempt alone, or of all; undefined if there are no other attempts. */
  readonly onscope: ((isAttempt: boolean) => void) | undefined;
  readonly oncolumns: () => void;
  readonly onsearch: () => void;
  readonly onclear: () => void;
  readonly oncopy: () => void;
};

/** The actions of the Rows tab for the palette. */
export function rowsCommands({ view, onscope, ...actions }: RowsActions): readonly Command[] {
  const { columns, selected, selection, table } = view;
  const total = table?.total ?? 0;
  const { hasStatistics } = columns.choices;
  const commands: readonly Omit<Command, 'section'>[] = [
    { id: 'rows-search', title: 'Search in all rows', keys: ['/'], act: actions.onsearch },
    {
      id: 'rows-columns',
      title: 'Show, hide and pin columns',
      words: 'reorder move',
      act: actions.oncolumns,
    },
    {
      id: 'rows-statistics',
      title: hasStatistics ? 'Hide statistics of columns' : 'Show statistics of columns',
      words: 'histogram distinct',
      act: () => columns.showStatistics(!hasStatistics),
    },
    ...(onscope === undefined
      ? []
      : [
          {
            id: 'rows-scope',
            title: view.isMerged ? 'Show only the rows of this attempt' : 'Show all rows',
            words: 'sample rest latest results attempts whole',
            keys: [scopeKey],
            act: () => onscope(view.isMerged),
          },
        ]),
    ...(selection.conditions.length === 0
      ? []
      : [{ id: 'rows-clear', title: 'Clear all filters', act: actions.onclear }]),
    ...(view.newRows === 0
      ? []
      : [{ id: 'rows-refresh', title: 'Show rows that ended since', act: () => view.refresh() }]),
    ...(selection.groupBy === undefined
      ? []
      : [
          { id: 'rows-fold', title: 'Fold all groups', act: () => view.foldAll(true) },
          { id: 'rows-unfold', title: 'Unfold all groups', act: () => view.foldAll(false) },
        ]),
    ...(total === 0
      ? []
      : [
          { id: 'rows-select', title: 'Select all rows', act: () => selected.selectAll() },
          {
            id: 'rows-copy',
            title: `Copy ${copiedText(selected.isEmpty ? total : selected.count(total))} for a spreadsheet`,
            words: 'TSV',
            act: actions.oncopy,
          },
        ]),
  ];
  return commands.map((command) => ({ ...command, section: 'Rows' }));
}

const copiedText = (rows: number): string =>
  rows > maxCopiedRows
    ? `the first ${count(maxCopiedRows)} of ${counted(rows, 'row')}`
    : counted(rows, 'row');
