// Traces and node statistics of a run's rows, as the app's pages and the command line see them.
import { z } from 'zod';
import { answer, oneRun, operatorChange, rowNumberSchema, runId, viewer } from '../procedure.ts';
import type { JsonValue } from '../../base/json-value.ts';
import type { CallCounts } from '../../domain/results/call-counts.ts';
import type { Tokens } from '../../domain/results/tokens.ts';
import type { NodeCellView } from '../../domain/results/node-cell.ts';
import type { LogLevel, StandIn } from '../../domain/results/trace-form.ts';

export type NodeTraceView = NodeCellView & {
  readonly nodeId: string;
  readonly type: string;
  /** Nodes whose values it could read; every node sees the row too. */
  readonly reads: readonly string[];
  /** The value that the node returned. Absent if it returned none, or if the value is not kept whole. */
  readonly value?: JsonValue;
  /** The beginning of the JSON of a value that is too large to be kept. */
  readonly cut?: string;
  /** It gave a value that the row's trace had no room for. */
  readonly isLeftOut?: true;
  readonly error?: string;
  /** The first errors in place of which `onError` gave a value; `item` is the index of the item, from 0. */
  readonly replaced?: readonly { readonly message: string; readonly item?: number }[];
  readonly logs: readonly { readonly level: LogLevel; readonly text: string }[];
  readonly calls: readonly CallView[];
  /** That models have used for it, in all attempts. */
  readonly tokens?: Tokens;
  /** Cost of the tokens; absent: none, or no price is known. */
  readonly cost?: number;
};

/** A call to the outside. */
type CallView = {
  /** Index of the item, from 0; only for nodes with `each`. */
  readonly item?: number;
  /** Number of the call, from 1; only for nodes with `repeat`. */
  readonly round?: number;
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  /** Why there was no answer. */
  readonly problem?: string;
  /** Stand-in that answered; absent: the service did. */
  readonly by?: StandIn;
  readonly ms: number;
  /** Wait for the rate limit before the call began, in ms; absent without a wait. */
  readonly waitedMs?: number;
};

export type TraceView = {
  readonly runId: string;
  readonly row: number;
  readonly state: 'done' | 'failed';
  /** In the order in which they run. */
  readonly nodes: readonly NodeTraceView[];
  /** False if the row's values and logs are not kept. */
  readonly hasValues: boolean;
  /** Code logged more than is kept. */
  readonly isLogCut: boolean;
};

/** Trace of a row that was run once more to be traced. */
export type FreshTraceView = TraceView & {
  /** Absent: the row failed, or its output is larger than 4 MB; the output nodes' values have the beginning. */
  readonly output?: JsonValue;
  /** It made calls again, with the same `Idempotency-Key` as in its run. */
  readonly callsMadeAgain: boolean;
};

/** How a node fared over all rows; times in ms, null where nothing was timed. */
export type NodeStatisticsView = {
  readonly nodeId: string;
  readonly type: string;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly replaced: number;
  readonly retries: number;
  readonly ms: number;
  /** That models have used; absent: none was asked. */
  readonly tokens?: Tokens;
  /** Cost of the tokens; absent: none, or no price is known. */
  readonly cost?: number;
  /** Calls that were answered; absent: none was. */
  readonly calls?: CallCounts;
  /** True for a node whose equal calls are made once. */
  readonly isShared?: true;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  /** How many rows took how long, in two parts of every doubling; only those that some took. */
  readonly latency: readonly LatencyView[];
};

/** Rows that took `fromMs` at least and less than `toMs`. */
export type LatencyView = { readonly fromMs: number; readonly toMs: number; readonly rows: number };

export type RunNodesView = {
  /** Rows that are counted: none of runs of older versions. */
  readonly rows: number;
  readonly nodes: readonly NodeStatisticsView[];
  /** Absent for runs of older versions, and before the first row has ended. */
  readonly throughput?: ThroughputView;
};

/** How many rows ended when: one count for each stretch of `everyMs`, from the start on; pauses are stretches too. */
export type ThroughputView = {
  readonly startedAt: string;
  readonly everyMs: number;
  readonly rows: readonly number[];
};

const rowInput = z.strictObject({ runId, /** Its number. */ row: rowNumberSchema });

export const traceProcedures = {
  /** The row's stored trace; null where none is kept. */
  'run.trace': viewer(rowInput, answer<TraceView | null>),
  /** Runs the row once more to see all of its way; nothing stored changes. */
  'run.traceRow': operatorChange(rowInput, answer<FreshTraceView>),
  'run.nodes': viewer(oneRun, answer<RunNodesView>),
};
