import type { RowFailure } from '../../domain/run/row-failure.ts';
import type { Tokens } from '../../domain/run/tokens.ts';
import type { WorkerBatch } from '../protocol.ts';
import type { TimeoutBudget } from './timeout-budget.ts';
import type { ReusedValues } from './reused-values.ts';
import { NodeError } from './node-error.ts';
import type { BatchResultBuilder } from './batch-result-builder.ts';
import type { TraceBuffer } from './trace-buffer.ts';
import type { Members } from './row-output.ts';
import type { RowScope, RecordLog } from './sandbox.ts';

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
  readonly messagePrefix: string;
  readonly timeoutBudget: TimeoutBudget;
  /** The row of the run, at that node. */
  readonly run: RowRun;
};

/** Where a row comes from, and where it ends. */
export type RowSource = {
  readonly batch: WorkerBatch;
  readonly results: BatchResultBuilder;
  /** Among the run's rows, from 1. */
  readonly position: number;
  /** Values of nodes that need not run for this row. */
  readonly reusedValues?: ReusedValues | undefined;
  /** Absent: it is a row of the run. */
  readonly caller?: Caller | undefined;
};

/** A row under way. */
export type RowRun = RowScope &
  RowSource & {
    readonly startedAt: number;
    /** Members of the output nodes, by the node's index in the plan. */
    readonly members: (Members | undefined)[];
    /** True if it has waited: until then nothing runs between two of its nodes, and the clock is read once for both. */
    hasWaited: boolean;
    retries: number;
    failure: RowFailure | undefined;
    /** Minimum wait before a retry, in ms, from the error that failed the row; see NodeError. */
    retryAfterMs: number;
    /** Absent: the row belongs to a called workflow, whose work is recorded in the calling row. */
    readonly trace: TraceBuffer | undefined;
    /** When the node under way began, and its attempts so far, of all items. */
    nodeStartedAt: number;
    attempts: number;
  };

/** Values that a row begins with, besides its source. */
export type RowStart = Pick<RowRun, 'row' | 'trace'> & {
  /** An `undefined` for each node of the plan. */
  readonly blank: readonly undefined[];
  readonly now: number;
};

/** A row before its text has been read. */
export const newRowRun = (source: RowSource, { row, blank, trace, now }: RowStart): RowRun => ({
  row,
  within: source.caller?.within ?? 0,
  nodeIndex: 0,
  itemIndex: 0,
  attempt: 1,
  item: undefined,
  input: undefined,
  // Copies, not `new Array(length)`: in a hardened realm writing into a hole takes 80 ns, to what is there 8.
  values: blank.slice(),
  batch: source.batch,
  results: source.results,
  position: source.position,
  reusedValues: source.reusedValues,
  caller: source.caller,
  startedAt: now,
  members: blank.slice(),
  hasWaited: false,
  retries: 0,
  failure: undefined,
  retryAfterMs: 0,
  trace,
  nodeStartedAt: now,
  attempts: 0,
});

/** The row of the run for which a row is under way: what a called workflow does is noted as its node's. */
export const outermostRun = (run: RowRun): RowRun => run.caller?.run ?? run;

/** Counts tokens that a model has used for a row under way. */
export const recordTokens = (tokens: Tokens, scope: RowScope): void => {
  const { trace, nodeIndex } = outermostRun(scope as RowRun);
  trace?.addTokens(nodeIndex, tokens);
};

/** From 0. */
export const indexInBatch = ({ batch, position }: Pick<RowSource, 'batch' | 'position'>): number =>
  position - batch.firstRow;

/** The error that ends a row after the row that ended the run; no further attempt follows. */
export const runAlreadyEnded = (): NodeError => new NodeError('a row before it has ended the run', Infinity);

/** Throws `notWanted` for a row after one that has failed and with it the run. */
export function assertRowNeeded(run: RowRun): void {
  if (!run.results.isNeeded(indexInBatch(run))) throw runAlreadyEnded();
}

/** Takes what author code logs in a row under way. */
export const recordLog: RecordLog = (scope, level, values) => {
  const { trace, nodeIndex } = outermostRun(scope as RowRun);
  trace?.addLog(nodeIndex, level, values);
};
