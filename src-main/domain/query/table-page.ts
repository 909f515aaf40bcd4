// A page of a run's table: the rows of a selection from an index on.
import type { FieldPreview, ValuePreview } from '../rows/preview-row.ts';
import type { NodeCellView } from '../results/node-cell.ts';
import type { RowFilter, RowState } from '../run/row-state.ts';
import type { RowSelection } from './row-selection.ts';

export type TableRequest = {
  readonly selection: RowSelection;
  /** Index in the selection, from 1. */
  readonly from: number;
  readonly count: number;
  /** Only of a sorted or grouped selection, or of merged runs: `there` of an earlier answer; absent: all committed rows. */
  readonly asOf?: number | undefined;
  /** Ids of the nodes whose cells the rows get; `all`: those of all runs of the table, in the order of the newest one. */
  readonly nodes?: readonly string[] | 'all' | undefined;
  /** True: also the beginnings of the values that those nodes gave. */
  readonly values?: boolean | undefined;
};

/** A request as the store gets it, which does not know the nodes of runs. */
export type StoredTableRequest = Omit<TableRequest, 'nodes'> & {
  readonly nodes?: readonly string[];
  /** Ids of all nodes of each run, in the order in which they run; absent: the request does not look at nodes. */
  readonly nodeIds?: readonly (readonly string[])[];
};

export type TableNode = { readonly nodeId: string; readonly type: string };

/** Attempts after the one that has a row's newest answer. */
export type LaterAttempts = {
  /** The last one in which the row failed, although its newest answer is an output. */
  readonly failedAgain?: number;
  /** The last one that has the failed row, too, and no result of it. */
  readonly takenBy?: number;
};

export type SelectedRow = LaterAttempts & {
  /** Only in a table of several runs: the run that has the row's newest answer. */
  readonly runId?: string;
  /** Only in a table of several runs: that run's place among them, from 1. */
  readonly attempt?: number;
  /** From 1, in its run. */
  readonly position: number;
  /** The row's number: in a rerun, its number in the run that is repeated. */
  readonly row: number;
  /** `unfinished`: its run was cancelled before the row ended. Absent: it has not run yet. */
  readonly state?: RowState['state'];
  /** How long the row took; absent as `state`. */
  readonly ms?: number;
  /** Node attempts beyond the first; absent: none. */
  readonly retries?: number;
  /** In the order of the requested nodes; null: not kept. Absent as `state`. */
  readonly cells?: readonly (NodeCellView | null)[];
  /** In the order of the requested nodes; null: the node gave none. Absent: not requested, or no values of the row are kept. */
  readonly values?: readonly (ValuePreview | null)[];
  /** The first 60 fields; none of a row that is too large. */
  readonly input: readonly FieldPreview[];
  readonly output: readonly FieldPreview[];
  readonly failure?: { readonly nodeId: string; readonly message: string };
  /** Why the row's state or failure cannot be read. */
  readonly problem?: string;
  /** Bytes of the row and its output. Those of large ones, which are not looked into, are not counted. */
  readonly bytes: number;
  /** True if the row or its output is so large (1 MB) that its values are not shown. */
  readonly isLarge?: true;
};

export type RowGroup = {
  /** Absent: rows without a value. */
  readonly value?: ValuePreview;
  readonly rows: number;
  /** Index of the group's first row in the selection, from 1. */
  readonly from: number;
};

/** The run is still being read: the client asks again, and stops the reading by not doing so. */
export type ReadProgress = { readonly isReady: false; readonly rowsRead: number; readonly rows: number };

export type TablePage =
  | ReadProgress
  | {
      readonly isReady: true;
      /** Rows of the selection. */
      readonly total: number;
      /** Committed rows that were looked at; without conditions, all committed rows. Of several runs, those of all. */
      readonly there: number;
      /**
       * Rows that a condition cannot look into, since they are too large or have no trace: they may or may not belong to the
       * selection.
       */
      readonly leftOut: number;
      /** Fewer than `count` where they are large. */
      readonly rows: readonly SelectedRow[];
      /** The nodes of the rows' cells; absent unless cells are requested. */
      readonly nodes?: readonly TableNode[];
      /** The index to go on from. */
      readonly next: number;
      /** Only of a grouped selection; the first 1,000 groups. */
      readonly groups?: readonly RowGroup[];
      /** Only of several runs: their ids, oldest first, and the number of their rows, each counted once. */
      readonly merged?: { readonly runIds: readonly string[]; readonly rows: number };
    };

/** A question about all rows of a table at once. @property pieces maximum pieces of the strip */
export type OverviewRequest = Pick<TableRequest, 'selection' | 'asOf'> & { readonly pieces: number };

export type StoredOverviewRequest = OverviewRequest &
  Pick<StoredTableRequest, 'nodeIds'> & {
    /** True if a node was skipped in a row of the table. */
    readonly hasSkipped: boolean;
  };

export type TableOverview =
  | ReadProgress
  | {
      readonly isReady: true;
      /** Rows of the whole table, whatever the selection; `skipped`: of the rows that have a trace. */
      readonly counts: Readonly<Record<RowFilter | 'unfinished', number>>;
      /** A row that took at least this long is slow, in ms; null while no row has ended. */
      readonly slowMs: number | null;
      /** Rows of the selection. */
      readonly total: number;
      /** Rows that one piece of the strip stands for. */
      readonly rowsPerPiece: number;
      /** The rows of the selection in its order. For each piece: failed, slow and ended rows, and the mean time of the ended ones in ms. */
      readonly pieces: readonly (readonly [failed: number, slow: number, ended: number, ms: number])[];
    };

/** The row with a number, or the next or previous failed one from an index of the selection on, which counts from 1. */
type RowTarget = { readonly row: number } | { readonly failedFrom: number; readonly step: 1 | -1 };

export type LocateRequest = Pick<TableRequest, 'selection' | 'asOf'> & { readonly target: RowTarget };

export type StoredLocateRequest = LocateRequest & Pick<StoredOverviewRequest, 'nodeIds' | 'hasSkipped'>;

export type LocatedRow =
  | ReadProgress
  | {
      readonly isReady: true;
      /** From 1; null: the selection does not have the row. */
      readonly index: number | null;
    };

export type SelectedNumbers =
  | ReadProgress
  | {
      readonly isReady: true;
      /** Numbers of rows in the order of the selection, from `from` on. */
      readonly numbers: Uint32Array;
      /** Committed rows that were looked at. */
      readonly there: number;
    };
