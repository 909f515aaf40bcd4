/**
 * What rows are picked out by: `failed` and `retried` by how they ended; `slow` by a time; `skipped` for a node in them
 * that was skipped, which is known of rows that have a trace.
 */
export const rowFilters = ['failed', 'slow', 'skipped', 'retried'] as const;
export type RowFilter = (typeof rowFilters)[number];

/** A run's rows that are picked out. */
export type RowChoice = {
  /** Absent: all rows. */
  readonly only?: RowFilter | undefined;
  /** What `slow` begins at, in ms; absent: what holds of the run now. So that a list keeps its rows as a run goes on. */
  readonly slowMs?: number | undefined;
};
