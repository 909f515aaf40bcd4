// Filters of slow, retried and skipped rows, with their counts in the whole table.
import { fineDuration, type Condition } from '#contract';
import type { OverviewLoader } from './overview-loader.svelte.ts';

type QuickFilter = {
  readonly label: string;
  readonly title: string;
  readonly rows: number;
  readonly condition: Condition;
  /** The condition of the view that takes its place; undefined: the filter is off. */
  readonly active: Condition | undefined;
};

/** Filters that find rows, and those that are on. */
export function quickFilters(
  overview: OverviewLoader['value'],
  conditions: readonly Condition[],
): readonly QuickFilter[] {
  if (overview === undefined) return [];
  const { counts, slowMs } = overview;
  const known: readonly Omit<QuickFilter, 'active'>[] = [
    {
      label: 'Slow',
      title: `At least ${fineDuration(slowMs ?? 0)}: slower than 95 of 100 rows, and than 10 ms`,
      rows: counts.slow,
      condition: { of: 'took', minMs: slowMs ?? 0 },
    },
    {
      label: 'Retried',
      title: 'A node needed more than one attempt',
      rows: counts.retried,
      condition: { of: 'retried' },
    },
    {
      label: 'Skipped',
      title: 'A node was skipped; of the rows whose nodes are kept',
      rows: counts.skipped,
      condition: { of: 'node', ends: ['skipped'] },
    },
  ];
  return known
    .map((filter) => ({ ...filter, active: conditions.find((each) => isOfKind(each, filter.condition)) }))
    .filter(({ rows, active }) => rows > 0 || active !== undefined);
}

const isOfKind = (condition: Condition, other: Condition): boolean =>
  condition.of === other.of && (condition.of !== 'node' || condition.nodeId === undefined);
