/**
 * Filters for the rows of a run. `failed` and `retried` test how a row ended, `slow` how long it took. `skipped` finds
 * rows with a skipped node, among the rows that have a trace.
 */
export const rowFilters = ['failed', 'slow', 'skipped', 'retried'] as const;
export type RowFilter = (typeof rowFilters)[number];

/** A run's rows that are picked out. */
export type RowChoice = {
  /** Absent: all rows. */
  readonly only?: RowFilter | undefined;
  /** Minimum duration for `slow`, in ms; absent: the run's current one. A fixed value keeps a list stable. */
  readonly slowMs?: number | undefined;
};
