// Columns that a user names on the command line, and those that a run has. A misspelt name would find nothing, and say so
// only by a count of 0.
import { columnText, parseColumn, type Column } from '../domain/query/column.ts';
import type { RowSelection } from '../domain/query/row-selection.ts';
import { UsageError } from './exit-code.ts';

/** The column of an option. Throws a UsageError. */
export function columnOption(text: string): Column {
  const column = parseColumn(text);
  if (column === undefined)
    throw new UsageError(`A column is called input.NAME or output.NAME, such as output.score, not "${text}"`);
  return column;
}

/** Columns that conditions and order of a selection name. */
export const selectedColumns = ({ conditions, sort }: RowSelection): readonly Column[] => [
  ...conditions.flatMap((condition) => (condition.of === 'column' ? [condition.column] : [])),
  ...(sort === undefined || sort.column === 'state' ? [] : [sort.column]),
];

/**
 * Throws a UsageError for a column that is not among the known ones. A column of the output passes as long as no row has
 * an output.
 */
export function assertKnownColumns(columns: readonly Column[], known: readonly Column[]): void {
  const names = known.map(columnText);
  if (names.length >= maxKnown) return;
  const unknown = columns.find(
    (column) => !names.includes(columnText(column)) && known.some(({ of }) => of === column.of),
  );
  if (unknown === undefined) return;
  const more = names.length > maxNamed ? ', …' : '';
  throw new UsageError(
    `The run has no column "${columnText(unknown)}"; its columns are ${names.slice(0, maxNamed).join(', ')}${more}`,
  );
}

/** Columns that a message names, and columns that a run is known to have: there may be more. */
const maxNamed = 10;
const maxKnown = 500;
