// Options that select rows of a run: `--where "output.score > 50" --sort output.score:desc`.
import { Option, type Command } from 'commander';
import { parseCondition, parseSort } from '../domain/query/parse-condition.ts';
import type { Condition, RowSelection } from '../domain/query/row-selection.ts';
import { UsageError } from './exit-code.ts';

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
  new Option('--latest', 'of each row the newest output, from this run and the runs that repeat it');

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
