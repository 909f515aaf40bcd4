// Changes of the view of the Rows tab: its filters and its order.
import type { Condition, RowSelection, ValueTest } from '#contract';
import { conditionOn, nextSort, withCondition } from './condition-texts.ts';
import { dataColumnOf, type HeadColumn, type TableColumn } from './table-columns.ts';

type Change = Partial<RowSelection>;

export const withAdded = ({ conditions }: RowSelection, condition: Condition): Change => ({
  conditions: withCondition(conditions, condition),
});

/** @param test undefined removes the filter of the column */
export function withTest(
  selection: RowSelection,
  column: Pick<TableColumn, 'of' | 'name'>,
  test: ValueTest | undefined,
): Change {
  const field = dataColumnOf(column);
  if (field === undefined) return {};
  if (test !== undefined) return withAdded(selection, { of: 'column', column: field, test });
  return { conditions: selection.conditions.filter((each) => conditionOn([each], field) === undefined) };
}

/** @param text empty: no search */
export function withSearch({ conditions }: RowSelection, text: string): Change {
  const others = conditions.filter(({ of }) => of !== 'text');
  return { conditions: text === '' ? others : [...others, { of: 'text', text }] };
}

/** The order after a click on a head; nodes cannot be sorted by. */
export function withNextSort({ sort }: RowSelection, column: HeadColumn | undefined): Change {
  const field = typeof column === 'string' ? column : column && dataColumnOf(column);
  return field === undefined ? {} : { sort: nextSort(sort, field) };
}
