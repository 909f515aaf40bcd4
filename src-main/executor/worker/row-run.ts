import type { RowFailure } from '../../domain/run/row-failure.ts';
import type { Portion } from '../protocol.ts';
import type { GivenValues } from './given-values.ts';
import type { NodeCounts } from './node-counts.ts';
import type { RowNotes } from './row-notes.ts';
import type { FieldTexts } from './row-output.ts';
import type { Scope, TakeLog } from './sandbox.ts';

/** Where a row comes from, and where it is counted. */
export type RowSource = {
  readonly portion: Portion;
  readonly counts: NodeCounts;
  /** Among the run's rows, from 1. */
  readonly position: number;
  /** Of nodes that need not run. */
  readonly given?: GivenValues | undefined;
};

/** A row under way. */
export type RowRun = Scope &
  RowSource & {
    readonly startedAt: number;
    readonly texts: FieldTexts[];
    /** Whether it has waited: until then nothing runs between two of its nodes, and the clock is read once for both. */
    hasWaited: boolean;
    retries: number;
    failure: RowFailure | undefined;
    /** Taken away when the row has ended. */
    notes: RowNotes | undefined;
    /** When the node under way began, and its attempts so far, of all items. */
    nodeStartedAt: number;
    attempts: number;
  };

/** Takes what author code logs in a row under way. */
export const takeLog: TakeLog = (scope, level, given) =>
  (scope as RowRun).notes?.log(scope.node, level, given);
