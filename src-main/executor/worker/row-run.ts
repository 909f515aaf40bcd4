import type { RowFailure } from '../../domain/run/row-failure.ts';
import type { Tokens } from '../../domain/run/tokens.ts';
import type { Portion } from '../protocol.ts';
import type { Allowance } from './allowance.ts';
import type { GivenValues } from './given-values.ts';
import { NodeError } from './node-error.ts';
import type { PortionResults } from './portion-results.ts';
import type { RowNotes } from './row-notes.ts';
import type { Members } from './row-output.ts';
import type { Scope, TakeLog } from './sandbox.ts';

/** The node for which a workflow runs that was called, as its rows see it. */
export type Caller = {
  readonly workflowId: string;
  /** The node and its item, and before them those that called. */
  readonly site: string;
  /** Mixed into chance. */
  readonly within: number;
  /** Numbers of attempts that earlier attempts of the node may have used. */
  readonly attemptsBefore: number;
  /** The node of the run's own workflow, and its attempt. */
  readonly nodeId: string;
  readonly attempt: number;
  /** `workflow "x", `: before the node that a message is about. */
  readonly words: string;
  readonly allowance: Allowance;
  /** The row of the run, at that node. */
  readonly run: RowRun;
};

/** Where a row comes from, and where it ends. */
export type RowSource = {
  readonly portion: Portion;
  readonly results: PortionResults;
  /** Among the run's rows, from 1. */
  readonly position: number;
  /** Values of nodes that need not run for this row. */
  readonly given?: GivenValues | undefined;
  /** Absent: it is a row of the run. */
  readonly caller?: Caller | undefined;
};

/** A row under way. */
export type RowRun = Scope &
  RowSource & {
    readonly startedAt: number;
    /** Members of the output nodes, by the node's index in the plan. */
    readonly members: (Members | undefined)[];
    /** Whether it has waited: until then nothing runs between two of its nodes, and the clock is read once for both. */
    hasWaited: boolean;
    retries: number;
    failure: RowFailure | undefined;
    /** Minimum wait before a retry, in ms, from the error that failed the row; see NodeError. */
    retryAfterMs: number;
    /** Taken away when the row has ended. */
    notes: RowNotes | undefined;
    /** When the node under way began, and its attempts so far, of all items. */
    nodeStartedAt: number;
    attempts: number;
  };

/** Values that a row begins with, besides its source. */
export type RowStart = Pick<RowRun, 'row' | 'notes'> & {
  /** An `undefined` for each node of the plan. */
  readonly blank: readonly undefined[];
  readonly now: number;
};

/** A row before its text has been read. */
export const beginRow = (source: RowSource, { row, blank, notes, now }: RowStart): RowRun => ({
  row,
  within: source.caller?.within ?? 0,
  node: 0,
  index: 0,
  attempt: 1,
  item: undefined,
  input: undefined,
  // Copies, not `new Array(length)`: in a hardened realm writing into a hole takes 80 ns, to what is there 8.
  values: blank.slice(),
  portion: source.portion,
  results: source.results,
  position: source.position,
  given: source.given,
  caller: source.caller,
  startedAt: now,
  members: blank.slice(),
  hasWaited: false,
  retries: 0,
  failure: undefined,
  retryAfterMs: 0,
  notes,
  nodeStartedAt: now,
  attempts: 0,
});

/** The row of the run for which a row is under way: what a called workflow does is noted as its node's. */
export const ownRun = (run: RowRun): RowRun => run.caller?.run ?? run;

/** Counts tokens that a model has used for a row under way. */
export const noteTokens = (tokens: Tokens, scope: Scope): void => {
  const { notes, node } = ownRun(scope as RowRun);
  notes?.used(node, tokens);
};

/** From 0. */
export const indexInPortion = ({ portion, position }: Pick<RowSource, 'portion' | 'position'>): number =>
  position - portion.firstRow;

/** The error that ends a row after the row that ended the run; no further attempt follows. */
export const notWanted = (): NodeError => new NodeError('a row before it has ended the run', Infinity);

/** Throws `notWanted` for a row after one that has failed and with it the run. */
export function assertWanted(run: RowRun): void {
  if (!run.results.wants(indexInPortion(run))) throw notWanted();
}

/** Takes what author code logs in a row under way. */
export const takeLog: TakeLog = (scope, level, given) => {
  const { notes, node } = ownRun(scope as RowRun);
  notes?.log(node, level, given);
};
