// The trace of a row, with what each node did in it: one line of `trace.ndjson`. Row workers write the line
// (executor/worker/trace-line.ts); the server parses it only on demand.
//
//   {"row":12,"nodes":[8,[1,30,3]],"values":[[0,{"name":"Ada"}]],"logs":[[1,"log","hello"]]}
//
// A failed row's line begins with its failure: `{"row":12,"nodeId":…,"message":…,"attempts":…`. Nodes are told apart
// by their place in the plan. INVARIANT: `row` comes first, and `nodes` before everything that can be large.
import { z } from 'zod';
import type { JsonValue } from '../../base/json-value.ts';
import { rowFailureSchema, type RowFailure } from '../run/row-failure.ts';
import { cellOf, cellsOfFailure, type NodeCell } from './node-cell.ts';
import type { Tokens } from './tokens.ts';
import { logLevels, nodeEnds, standIns, type LogLevel } from './trace-form.ts';

const nodeIndex = z.number().int().nonnegative();
const micros = z.number().nonnegative();
const whole = z.number().int().nonnegative();

/** See `StoredCell`. */
const cellSchema = z.union([
  micros,
  z.tuple([nodeIndex.max(nodeEnds.length - 1), micros, whole]),
  z.tuple([nodeIndex.max(nodeEnds.length - 1), micros, whole, whole]),
  z.tuple([nodeIndex.max(nodeEnds.length - 1), micros, whole, whole, whole]),
  z.tuple([nodeIndex.max(nodeEnds.length - 1), micros, whole, z.int().min(-1), whole, whole]),
]);

const callSchema = z.object({
  /** The node's. */
  place: nodeIndex,
  /** Index of the item, from 0; only for nodes with `each`. */
  item: whole.exactOptional(),
  /** Number of the call, from 1; only for nodes with `repeat`. */
  round: whole.exactOptional(),
  method: z.string(),
  url: z.string(),
  /** The answer's status; absent: there was no answer, and `problem` says why. */
  status: z.number().exactOptional(),
  problem: z.string().exactOptional(),
  /** Stand-in that answered; absent: the service did. */
  by: z.enum(standIns).exactOptional(),
  micros,
  /** Wait for the rate limit before the call began, in ms; absent without a wait. */
  waitedMs: z.number().exactOptional(),
});
type CallTrace = z.infer<typeof callSchema>;

const lineSchema = z.object({
  row: whole,
  nodes: z.array(cellSchema),
  values: z.array(z.tuple([nodeIndex, z.unknown()])).default([]),
  /** Values too large to be kept: the beginning of their JSON. */
  cut: z.array(z.tuple([nodeIndex, z.string()])).default([]),
  /** Nodes whose values had no room left. */
  leftOut: z.array(nodeIndex).default([]),
  logs: z.array(z.tuple([nodeIndex, z.enum(logLevels), z.string()])).default([]),
  logsCut: z.boolean().default(false),
  /** Errors in place of which `onError` gave a value: the node's place, the message, and the item's index from 0. */
  replaced: z
    .array(z.union([z.tuple([nodeIndex, z.string()]), z.tuple([nodeIndex, z.string(), whole])]))
    .default([]),
  calls: z.array(callSchema).default([]),
  /** That models have used: the node's place, in what they were asked, in what they answered. */
  tokens: z.array(z.tuple([nodeIndex, whole, whole])).default([]),
});

/** An error in place of which `onError` gave a value. */
type ReplacedError = {
  /** Index of the node in the plan. */
  readonly nodeIndex: number;
  readonly message: string;
  /** Index of the item, from 0; absent for a whole node. */
  readonly item?: number;
};

/** A value that a node gave: whole, or as much of its JSON as is kept. */
type TracedValue =
  | { readonly kind: 'whole'; readonly value: JsonValue }
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'left out' };

export type RowTrace = {
  readonly row: number;
  /** By place in the plan. */
  readonly nodes: readonly NodeCell[];
  readonly failure?: RowFailure;
  /** By the node's place; a node that has none gave none, or the row's values are not kept. */
  readonly values: ReadonlyMap<number, TracedValue>;
  readonly logs: readonly (readonly [place: number, level: LogLevel, text: string])[];
  readonly logsCut: boolean;
  readonly replaced: readonly ReplacedError[];
  readonly calls: readonly CallTrace[];
  /** By the node's place. */
  readonly tokens: ReadonlyMap<number, Tokens>;
};

/** Undefined for a line without nodes, as older versions wrote them. Throws for one that is damaged. */
export function parseTraceLine(line: string): RowTrace | undefined {
  const json: unknown = JSON.parse(line);
  if (typeof json !== 'object' || json === null || !('nodes' in json)) return undefined;
  const parsed = lineSchema.parse(json);
  const failure = rowFailureSchema.safeParse(json).data;
  return {
    row: parsed.row,
    nodes: parsed.nodes.map(cellOf),
    ...(failure === undefined ? {} : { failure }),
    values: new Map<number, TracedValue>([
      // It comes from JSON.
      ...parsed.values.map(([at, value]) => [at, { kind: 'whole', value: value as JsonValue }] as const),
      ...parsed.cut.map(([at, text]) => [at, { kind: 'cut', text }] as const),
      ...parsed.leftOut.map((at) => [at, { kind: 'left out' }] as const),
    ]),
    logs: parsed.logs,
    logsCut: parsed.logsCut,
    replaced: parsed.replaced.map(([nodeIndex, message, item]) => ({
      nodeIndex,
      message,
      ...(item === undefined ? {} : { item }),
    })),
    calls: parsed.calls,
    tokens: new Map(parsed.tokens.map(([at, prompt, completion]) => [at, { prompt, completion }])),
  };
}

/**
 * All that is known of a row of which only the failure is kept: how its node ended and that no later one was reached.
 * @param nodeIds in the order in which they run
 */
export const traceOfFailure = (failure: RowFailure, nodeIds: readonly string[]): RowTrace => ({
  row: failure.row,
  nodes: cellsOfFailure(failure, nodeIds),
  failure,
  values: new Map(),
  logs: [],
  logsCut: false,
  replaced: [],
  calls: [],
  tokens: new Map(),
});
