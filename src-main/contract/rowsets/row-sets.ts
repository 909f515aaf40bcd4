// Data for row entry: options of a run, and rows that are kept under a name.
import { z } from 'zod';
import { answer, oneWorkflow, operatorChange, viewer } from '../procedure.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { longestRowSetName } from '../../domain/rows/row-set.ts';
import type { CellType } from '../../domain/rows/typed-cell.ts';
import type { RunMode } from '../../domain/run/run-mode.ts';
import { invisibleName, isVisible } from '../../domain/visible-name.ts';

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
  /** Names of the connections to hosted services, where its rows can run, too. */
  readonly connections: readonly string[];
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

/**
 * The first line of the stream of failures: fields of the row that nodes with failures read, by the node's id. A node that
 * also reads fields that its text does not name is absent.
 */
export type FailureHead = { readonly fieldsRead: Readonly<Record<string, readonly string[]>> };

/** Each other line of the stream of failures. The message may be cut. */
export type FailureLine = readonly [row: number, nodeId: string, message: string];

const oneSet = z.strictObject({ id: z.uuid() });
/** As a person reads it: no line breaks or control characters, and one spelling of each letter. */
export const rowSetName = lookupText
  .normalize('NFC')
  .trim()
  .min(1, 'A row set has a name')
  .max(longestRowSetName)
  .regex(/^[^\p{Cc}]*$/u, 'A name has no control characters')
  .refine(isVisible, invisibleName);

export const rowProcedures = {
  'rows.entry': viewer(oneWorkflow, answer<RowEntryView>),
  /** The workflow's row sets, by name. Their rows come and go as streams. */
  'rows.list': viewer(oneWorkflow, answer<readonly RowSetView[]>),
  'rows.rename': operatorChange(oneSet.extend({ name: rowSetName }), answer<RowSetView>),
  'rows.remove': operatorChange(oneSet, answer<RowSetView>),
  /** Brings a set back that was removed since the server's start. */
  'rows.restore': operatorChange(oneSet, answer<RowSetView>),
  /** The rows that a user is preparing for the workflow; null if there are none. Its first row describes the others. */
  'rows.draft': viewer(oneWorkflow, answer<RowSetView | null>),
  /** Removes that draft; does nothing if another has taken its place. */
  'rows.dropDraft': operatorChange(oneSet, answer<null>),
};
