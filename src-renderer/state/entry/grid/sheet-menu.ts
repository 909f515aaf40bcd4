// The context menu of a sheet: actions on the selection.
import { counted } from '#contract';
import * as columnEdits from './column-edits.ts';
import * as rowEdits from './row-edits.ts';
import type { SheetView } from './sheet-view.svelte.ts';

export type SheetMenuVerb = {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly isDisabled?: boolean;
  readonly isDanger?: boolean;
  /** True if a separator is drawn above. */
  readonly startsGroup?: boolean;
  readonly act: () => void;
};

type MenuActions = {
  /** Label of the command key, `Ctrl` or `⌘`. */
  readonly commandKey: string;
  readonly oncopy: () => void;
  readonly oncolumn: (column: number) => void;
  readonly onfit: (column: number) => void;
  readonly onfind: () => void;
};

const these = (count: number, word: string): string => (count === 1 ? word : counted(count, word));

/** @param part part of the sheet that was clicked; headers of rows and columns have menus of their own */
export function sheetMenu(
  view: SheetView,
  part: 'cells' | 'rows' | 'columns',
  actions: MenuActions,
): SheetMenuVerb[] {
  if (view.model.isReadOnly) return [copyVerb(actions)];
  if (part === 'rows') return rowVerbs(view);
  if (part === 'columns') return columnVerbs(view, actions);
  const groups = [cellVerbs(view, actions), rowVerbs(view), columnVerbs(view, actions)];
  return groups.flatMap(([first, ...others]) =>
    first ? [{ ...first, startsGroup: true }, ...others] : others,
  );
}

const copyVerb = ({ oncopy, commandKey }: MenuActions): SheetMenuVerb => ({
  id: 'copy',
  title: 'Copy',
  note: `${commandKey} C`,
  act: oncopy,
});

function cellVerbs(view: SheetView, actions: MenuActions): SheetMenuVerb[] {
  const { onfind, commandKey } = actions;
  const { model, range, active } = view;
  const type = model.columns[active.column]?.type ?? 'any';
  const takesText = type === 'string' || type === 'any';
  return [
    { id: 'edit', title: 'Edit', note: 'Enter', act: view.verbs.edit },
    copyVerb(actions),
    {
      id: 'fill',
      title: 'Fill down',
      note: `${commandKey} D`,
      isDisabled: range.bottom === 0,
      act: view.verbs['fill-down'],
    },
    { id: 'find', title: 'Find and replace…', note: `${commandKey} F`, act: onfind },
    { id: 'clear', title: 'Clear', note: 'Delete', act: view.verbs.clear },
    { id: 'null', title: 'Set to null', act: () => view.setAll(null) },
    { id: 'empty', title: 'Set to empty text', isDisabled: !takesText, act: () => view.setAll('') },
  ];
}

function rowVerbs(view: SheetView): SheetMenuVerb[] {
  const { model, range } = view;
  const isBlank = range.top >= model.rowCount;
  const rows = these(Math.max(1, Math.min(range.bottom, model.rowCount - 1) - range.top + 1), 'row');
  return [
    { id: 'above', title: 'Insert row above', act: () => view.insertRows(range.top) },
    {
      id: 'below',
      title: 'Insert row below',
      isDisabled: isBlank,
      act: () => view.insertRows(range.bottom + 1),
    },
    {
      id: 'duplicate',
      title: `Duplicate ${rows}`,
      isDisabled: isBlank,
      act: () => model.apply(rowEdits.duplicateRows(model, range)),
    },
    {
      id: 'up',
      title: `Move ${rows} up`,
      note: 'Shift Alt ↑',
      isDisabled: range.top === 0,
      act: view.verbs['move-up'],
    },
    {
      id: 'down',
      title: `Move ${rows} down`,
      note: 'Shift Alt ↓',
      isDisabled: range.bottom >= model.rowCount - 1,
      act: view.verbs['move-down'],
    },
    {
      id: 'remove-rows',
      title: `Remove ${rows}`,
      isDisabled: isBlank,
      act: () => model.apply(rowEdits.removeRows(model, range)),
    },
  ];
}

function columnVerbs(view: SheetView, { oncolumn, onfit }: MenuActions): SheetMenuVerb[] {
  const { model, range, active } = view;
  const columns = these(range.right - range.left + 1, 'column');
  const hasColumns = model.columns.length > 0;
  const sort = (direction: 'up' | 'down') => () =>
    model.apply(rowEdits.sortRows(model, active.column, direction));
  const verbs: SheetMenuVerb[] = [
    { id: 'column', title: 'Name and type of column…', act: () => oncolumn(active.column) },
    { id: 'sort-up', title: 'Sort rows A to Z', act: sort('up') },
    { id: 'sort-down', title: 'Sort rows Z to A', act: sort('down') },
    { id: 'left', title: 'Insert column left', act: () => view.insertColumn(range.left) },
    { id: 'right', title: 'Insert column right', act: () => view.insertColumn(range.right + 1) },
    {
      id: 'move-left',
      title: `Move ${columns} left`,
      note: 'Shift Alt ←',
      isDisabled: range.left === 0,
      act: view.verbs['move-left'],
    },
    {
      id: 'move-right',
      title: `Move ${columns} right`,
      note: 'Shift Alt →',
      isDisabled: range.right >= model.columns.length - 1,
      act: view.verbs['move-right'],
    },
    { id: 'fit', title: 'Fit width to the cells', act: () => onfit(active.column) },
    {
      id: 'names',
      title: 'Use the first row as names',
      isDisabled: model.rowCount === 0,
      act: () => model.whole.apply(columnEdits.firstRowAsNames(model.whole)),
    },
    {
      id: 'remove-columns',
      title: `Remove ${columns}`,
      act: () => model.apply(columnEdits.removeColumns(model, range)),
    },
  ];
  return hasColumns ? verbs : [{ id: 'add', title: 'Add a column', act: () => view.insertColumn(0) }];
}
