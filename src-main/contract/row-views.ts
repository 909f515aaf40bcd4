// A run's rows, many at once, as the app's pages and the command line see them.
import type { ValuePreview } from '../domain/rows/preview-row.ts';
import type { RowFilter } from '../domain/run/row-filter.ts';
import type { NodeCellView } from './trace-views.ts';

export type RowView = {
  readonly row: number;
  /** `unfinished`: its run was cancelled before it ended. */
  readonly state: 'done' | 'failed' | 'unfinished';
  readonly retries: number;
  readonly ms: number;
  /** In the order of `nodeIds`; absent: no trace is kept of the row. */
  readonly nodes?: readonly NodeCellView[];
  /** The first field of the row that is a text. Absent: it has none, or the rows are too large to be read for a table. */
  readonly label?: { readonly field: string; readonly text: string };
  /** The beginning of each node's value, if requested; null: the node gave none, or its value is not kept. */
  readonly values?: readonly (string | null)[];
};

export type NodeValuesView = {
  /** The row's number. */
  readonly row: number;
  /** In the order of the requested nodes; null: the node gave none. Absent: no values of the row are kept. */
  readonly values?: readonly (ValuePreview | null)[];
};

export type RunRowsView = {
  readonly nodeIds: readonly string[];
  /** Rows that fit, of those that have ended so far. */
  readonly total: number;
  /** May be fewer than were asked for; further ones begin after the last. */
  readonly rows: readonly RowView[];
};

/** All rows of a run at once. */
export type RunMinimapView = {
  /** That have ended so far. */
  readonly rows: number;
  /** `skipped`: of the rows that have a trace. */
  readonly counts: Readonly<Record<RowFilter | 'unfinished', number>>;
  /** A row that took at least this long is slow; null while no row has ended. */
  readonly slowMs: number | null;
  /** Rows that one piece of the strip stands for. */
  readonly rowsPerPiece: number;
  /** For each piece: counts of failed, slow and ended rows, and the mean time of the ended rows in ms. */
  readonly pieces: readonly (readonly [failed: number, slow: number, ended: number, ms: number])[];
};

/** @property index in the list, from 1 @property isThere false: it is the next row that fits, or the last */
export type RowLocationView = { readonly index: number; readonly row: number; readonly isThere: boolean };
