// Traces, rows and node statistics of runs, as pages and the command line see them.
import type {
  FreshTraceView,
  NodeStatisticsView,
  NodeTraceView,
  ThroughputView,
  TraceView,
} from '../contract/index.ts';
import { latencyOf, quantile, type NodeStatistics } from '../domain/results/node-statistics.ts';
import { costOf, type ModelPrices } from '../domain/results/model-price.ts';
import type { Throughput } from '../domain/results/run-statistics.ts';
import type { Tokens } from '../domain/results/tokens.ts';
import { cellView } from '../domain/results/node-cell.ts';
import { nodeReads } from '../domain/workflow/node-reads.ts';
import type { WorkflowNode } from '../domain/workflow/workflow.ts';
import type { PlannedTrace, TracedAgain } from '../services/results/trace-service.ts';

export const throughputView = ({ startMs, everyMs, rows }: Throughput): ThroughputView => ({
  startedAt: new Date(startMs).toISOString(),
  everyMs,
  rows,
});

export const freshView = ({ output, ...traced }: TracedAgain, prices: ModelPrices): FreshTraceView => ({
  ...traceView(traced, prices),
  ...(output === undefined ? {} : { output }),
  callsMadeAgain: traced.trace.calls.length > 0 && ['live', 'record'].includes(traced.run.mode ?? 'live'),
});

export function traceView({ run, plan, trace }: PlannedTrace, prices: ModelPrices): TraceView {
  return {
    runId: run.runId,
    row: trace.row,
    state: trace.failure === undefined ? 'done' : 'failed',
    nodes: plan.nodes.map((node, nodeIndex) => ({
      ...nodeView(node, nodeIndex, trace),
      ...costView(node, trace.tokens.get(nodeIndex), prices),
    })),
    hasValues: trace.values.size > 0 || hasFailedAtInput(trace, plan),
    isLogCut: trace.logsCut,
  };
}

/** True for a row that failed the check of its input: no node gave a value, so its trace lacks nothing. */
const hasFailedAtInput = ({ nodes }: PlannedTrace['trace'], plan: PlannedTrace['plan']): boolean =>
  nodes.some(
    ({ end, micros }, index) =>
      end === 'failed' && micros !== undefined && plan.nodes[index]?.type === 'input',
  );

function costView(node: WorkflowNode, tokens: Tokens | undefined, prices: ModelPrices): { cost?: number } {
  const cost = costOf(node, tokens, prices);
  return cost === undefined ? {} : { cost };
}

function nodeView(node: WorkflowNode, nodeIndex: number, trace: PlannedTrace['trace']): NodeTraceView {
  const { failure, logs, calls } = trace;
  const tokens = trace.tokens.get(nodeIndex);
  return {
    nodeId: node.id,
    type: node.type,
    ...cellView(trace.nodes[nodeIndex] ?? { end: 'not reached', attempts: 0 }),
    reads: nodeReads(node),
    ...valueView(trace.values.get(nodeIndex)),
    ...(failure?.nodeId === node.id ? { error: failure.message } : {}),
    replaced: trace.replaced.flatMap(({ nodeIndex: of, ...error }) => (of === nodeIndex ? [error] : [])),
    logs: logs.flatMap(([of, level, text]) => (of === nodeIndex ? [{ level, text }] : [])),
    ...(tokens === undefined ? {} : { tokens }),
    calls: calls.flatMap(({ place: of, micros, ...call }) =>
      of === nodeIndex ? [{ ...call, ms: micros / 1000 }] : [],
    ),
  };
}

function valueView(
  value: ReturnType<PlannedTrace['trace']['values']['get']>,
): Pick<NodeTraceView, 'value' | 'cut' | 'isLeftOut'> {
  if (value === undefined) return {};
  if (value.kind === 'whole') return { value: value.value };
  return value.kind === 'cut' ? { cut: value.text } : { isLeftOut: true };
}

export function statisticsView(
  planned: WorkflowNode,
  node: NodeStatistics | undefined,
  prices: ModelPrices,
): NodeStatisticsView {
  const { id, type, config } = planned;
  const used = {
    ...('share' in config ? { isShared: true as const } : {}),
    ...(node?.calls === undefined ? {} : { calls: node.calls }),
    ...(node?.tokens === undefined ? {} : { tokens: node.tokens }),
    ...costView(planned, node?.tokens, prices),
  };
  const none = { done: 0, failed: 0, skipped: 0, replaced: 0, retries: 0, micros: 0, buckets: [] };
  const { done, failed, skipped, replaced, retries, micros, buckets } = node ?? none;
  const at = (share: number): number | null => {
    const found = quantile({ buckets }, share);
    return found === undefined ? null : found / 1000;
  };
  const latency = latencyOf({ buckets }).map(({ fromMicros, toMicros, rows }) => ({
    fromMs: fromMicros / 1000,
    toMs: toMicros / 1000,
    rows,
  }));
  const times = { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  return {
    nodeId: id,
    type,
    done,
    failed,
    skipped,
    replaced,
    retries,
    ms: micros / 1000,
    ...used,
    ...times,
    latency,
  };
}
