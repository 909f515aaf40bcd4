// Data for row entry: options of a run, and rows that are kept under a name.
import type { CellType } from '../domain/rows/typed-cell.ts';
import type { RunMode } from '../domain/run/run-mode.ts';

/** A field that the workflow's input node names. */
export type InputFieldView = {
  readonly name: string;
  readonly type: CellType;
  readonly required: boolean;
  readonly description?: string;
};

export type RecordingView = {
  /** Name of the cassette's file; in the data folder with its path there. */
  readonly name: string;
  /**
   * True if it is beside the workflow's file; false if it is in the data folder, because that folder is read-only. Absent on
   * a team's server, which has it in the database.
   */
  readonly isSidecar?: boolean;
};

/** The facts of a workflow that row entry needs. */
export type RowEntryView = {
  readonly fields: readonly InputFieldView[];
  readonly hasTestRows: boolean;
  /** Modes in which a run of it differs; `live` alone where nothing is called. */
  readonly modes: readonly RunMode[];
  /** Nodes that have mocks, with the names of these. */
  readonly mocks: readonly { readonly nodeId: string; readonly names: readonly string[] }[];
  /** Cassette that recorded runs write and replayed runs read; absent where nothing is called. */
  readonly recording?: RecordingView;
  /** Names of the profiles for it. */
  readonly profiles: readonly string[];
  /** Why its profiles cannot be used. */
  readonly profilesProblem?: string;
  /** The profile of runs that name none. */
  readonly profile?: string;
  /** Most rows of one run. */
  readonly maxRows: number;
};

export type RowSetView = {
  readonly id: string;
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly savedAt: string;
};

/** One line of the streams of rows: the number that the row goes by, and the row. */
export type NumberedRow = readonly [number: number, row: object];

/** One line of the stream of failures. The message may be cut. */
export type FailureLine = readonly [row: number, nodeId: string, message: string];
