// Options that select rows of a run: `--where "output.score > 50" --sort output.score:desc`.
import { Option, type Command } from 'commander';
import { columnText, parseColumn, type Column } from '../../domain/query/column.ts';
import { parseCondition, parseSort } from '../../domain/query/parse-condition.ts';
import type { Condition, RowSelection } from '../../domain/query/row-selection.ts';
import { UsageError } from '../exit-code.ts';

/** Adds `--where`, which may be repeated. */
export const addWhereOption = (command: Command): Command =>
  command.addOption(
    new Option(
      '--where <condition>',
      'only rows that meet the condition, such as "output.score > 50"; repeat it for several',
    ).argParser((text, before: readonly Condition[] | undefined) => [
      ...(before ?? []),
      ...conditionsOf(text),
    ]),
  );

export const sortOption = (): Option =>
  new Option('--sort <column>', 'sort by a column, such as output.score or output.score:desc').argParser(
    sortOf,
  );

export const latestOption = (): Option =>
  new Option('--latest', 'of each row the newest output, over all attempts of the chain');

function conditionsOf(text: string): readonly Condition[] {
  const conditions = parseCondition(text);
  if (conditions !== undefined) return conditions;
  throw new UsageError(
    `--where is COLUMN OPERATOR VALUE, such as "output.score > 50" or "input.email is empty", not "${text}". ` +
      'Operators: = != > >= < <= contains',
  );
}

function sortOf(text: string): NonNullable<RowSelection['sort']> {
  const sort = parseSort(text);
  if (sort !== undefined) return sort;
  throw new UsageError(`--sort is a column, such as output.score or output.score:desc, not "${text}"`);
}

// Columns that a user names on the command line, and those that a run has. A misspelt name would find nothing, and say so
// only by a count of 0.

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
  ...(typeof sort?.column === 'object' ? [sort.column] : []),
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
