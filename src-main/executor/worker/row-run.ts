import type { RowFailure } from '../../domain/run/row-failure.ts';
import type { Tokens } from '../../domain/results/tokens.ts';
import type { WorkerBatch } from '../protocol.ts';
import { freezeParsed } from './plain-value.ts';
import type { TimeoutBudget } from './timeout-budget.ts';
import { NodeError } from './node-error.ts';
import type { BatchResultBuilder } from './batch-result-builder.ts';
import type { TraceBuffer } from './trace-buffer.ts';
import type { Members } from './row-output.ts';
import type { RowScope, RecordLog } from './sandbox.ts';

/** The node that called the workflow of a row. */
export type Caller = {
  readonly workflowId: string;
  /** Site of the call: the calling nodes and items, outermost first. */
  readonly site: string;
  /** Number that is mixed into random numbers. */
  readonly within: number;
  /** Maximum number of attempts that earlier attempts of the node may have used. */
  readonly attemptsBefore: number;
  /** The node of the run's own workflow, and its attempt. */
  readonly nodeId: string;
  readonly attempt: number;
  /** `workflow "x", `, or for a body `people, `: before the node that a message is about. */
  readonly messagePrefix: string;
  readonly timeoutBudget: TimeoutBudget;
  /** Id of the claimed call whose workflow rows share; absent: no row waits for this one. */
  readonly claim?: number;
  /** The row of the run, at that node. */
  readonly run: RowRun;
};

/** The batch of a row, and the results that it ends in. */
type RowSource = {
  readonly batch: WorkerBatch;
  readonly results: BatchResultBuilder;
  /** Position among the run's rows, from 1. */
  readonly position: number;
  /** Values of nodes that need not run for this row. */
  readonly reusedValues?: ReusedValues | undefined;
  /** Absent for a row of the run itself. */
  readonly caller?: Caller | undefined;
};

/** Work of one row that runs at the same time. */
export class SiblingGroup {
  /** Position of the first work that has failed. Work behind it goes no further. */
  failedAt = Infinity;
}

export type Fork = {
  /** The row, as it goes on once all siblings have ended. */
  readonly from: RowRun;
  readonly group: SiblingGroup;
  /** Position among the siblings in the order in which they would run one after the other. */
  readonly position: number;
};

/** A row that is being executed. */
export type RowRun = RowScope &
  RowSource & {
    readonly startedAt: number;
    /** Members of the output nodes, by the node's index in the plan. */
    readonly members: (Members | undefined)[];
    /** True if the row has waited. Before that, no other code runs between two of its nodes, so one clock reading serves both. */
    hasWaited: boolean;
    retries: number;
    failure: RowFailure | undefined;
    /** The error behind `failure`, if there is one. */
    failureError: NodeError | undefined;
    /** Absent: the row belongs to a called workflow, whose work is recorded in the calling row. */
    readonly trace: TraceBuffer | undefined;
    /** Start of the current node. `attempts` counts its attempts so far, over all items. */
    nodeStartedAt: number;
    attempts: number;
    /** Version of a shared answer that the last attempt of the current node could not use. */
    refuses: number | undefined;
    /** True while the current node runs for an item. */
    hasItem: boolean;
    /** Absent: nothing of the row runs beside this. */
    readonly fork: Fork | undefined;
  };

/** Initial values of a row. */
type RowStart = Pick<RowRun, 'row' | 'trace'> & {
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
  error: undefined,
  previous: undefined,
  round: 0,
  input: undefined,
  // Copies, not `new Array(length)`: in a hardened realm, writing into a hole takes 80 ns, replacing a value 8.
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
  failureError: undefined,
  trace,
  nodeStartedAt: now,
  attempts: 0,
  refuses: undefined,
  hasItem: false,
  fork: undefined,
});

/** The run's own row behind a row: work of a called workflow is recorded for the node that calls it. */
export const outermostRun = (run: RowRun): RowRun => run.caller?.run ?? run;

/** Records tokens that a model has used for the current row. */
export const recordTokens = (tokens: Tokens, scope: RowScope): void => {
  const { trace, nodeIndex } = outermostRun(scope as RowRun);
  trace?.addTokens(nodeIndex, tokens);
};

/** Index of a row in its batch, from 0. */
export const indexInBatch = ({ batch, position }: Pick<RowSource, 'batch' | 'position'>): number =>
  position - batch.firstRow;

/** The error for rows after the row that ended the run; they are not retried. */
export const runAlreadyEnded = (): NodeError => new NodeError('an earlier row has ended the run', Infinity);

/** True if work that comes before this has failed the row or node. */
export function isAbandoned(run: RowRun): boolean {
  for (let at: RowRun | undefined = run; at !== undefined; at = at.fork?.from ?? at.caller?.run)
    if (at.fork !== undefined && at.fork.position > at.fork.group.failedAt) return true;
  return false;
}

/** Throws NodeError for a row after a row that ended the run, and for work behind work of the row that has failed. */
export function assertRowNeeded(run: RowRun): void {
  if (!run.results.isNeeded(indexInBatch(run))) throw runAlreadyEnded();
  if (isAbandoned(run)) throw new NodeError('earlier work of the row has failed', Infinity);
}

/**
 * Position of the current attempt among all attempts of the row, as numbers to compare one by one: in the order in which they
 * would run one after the other.
 */
export const attemptPosition = ({
  caller,
  nodeIndex,
  itemIndex,
  round,
  attempt,
}: RowRun): readonly number[] => [
  ...(caller === undefined ? [] : attemptPosition(caller.run)),
  nodeIndex,
  itemIndex,
  round,
  attempt,
];

/** Records values that author code logs in the current row. */
export const recordLog: RecordLog = (scope, level, values) => {
  const run = scope as RowRun;
  outermostRun(run).trace?.addLog(attemptPosition(run), level, values);
};

// Node values of another run, reused for rows that need not run these nodes again. One line per row, empty for none:
// `[["domain",{"host":"x.org"}],["hot"]]`. A node without a value was skipped.

/** Values by node id; `undefined` for a node that was skipped. */
type ReusedValues = ReadonlyMap<string, unknown>;

/** The values of each row of a batch, in row order; undefined for a row that has none. */
export function readReusedValues(lines: Uint8Array): (ReusedValues | undefined)[] {
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8').split('\n');
  return texts.map((text) => (text === '' ? undefined : new Map(parseLine(text))));
}

const parseLine = (text: string): [string, unknown][] =>
  // Written by ourselves (services/runs/reused-values.ts).
  (JSON.parse(text) as [string, unknown?][]).map(([nodeId, value]) => [nodeId, freezeParsed(value)]);

// Copies of a row for work that runs beside other work of the same row, such as items of one node.

/** A copy of the row with an attempt of its own. It shares values, results and trace with the row. */
export const forkRun = (
  from: RowRun,
  { budget, ...fork }: Omit<Fork, 'from'> & { readonly budget: TimeoutBudget | undefined },
): RowRun => ({
  ...from,
  fork: { ...fork, from },
  caller: from.caller && { ...from.caller, timeoutBudget: budget ?? from.caller.timeoutBudget },
  hasWaited: true,
  retries: 0,
  attempts: 0,
});

/** Adds the attempts of an ended fork to its row. */
export function countFork({ fork, retries, attempts }: RowRun): void {
  if (fork === undefined) return;
  fork.from.retries += retries;
  fork.from.attempts += attempts;
}
