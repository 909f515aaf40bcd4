// Procedures on traces of runs: data of the trace service in the form that pages use.
import type {
  FreshTraceView,
  Handlers,
  NodeCellView,
  NodeStatisticsView,
  NodeTraceView,
  ThroughputView,
  RowView,
  RunMinimapView,
  TraceView,
} from '../../contract/index.ts';
import { latencyOf, quantile, type NodeStatistics } from '../../domain/run/node-statistics.ts';
import { costOf, type ModelPrices } from '../../domain/run/model-price.ts';
import type { Throughput } from '../../domain/run/throughput.ts';
import type { Tokens } from '../../domain/run/tokens.ts';
import type { NodeCell } from '../../domain/run/row-trace.ts';
import { nodeReads } from '../../domain/workflow/node-reads.ts';
import type { WorkflowNode } from '../../domain/workflow/workflow.ts';
import type { RunService } from '../../services/run-service.ts';
import type { RowOverview, RowsInAll } from '../../services/row-lists.ts';
import type { PlannedTrace, TracedAgain, TraceService } from '../../services/trace-service.ts';

/** Cells per answer: about half a megabyte. */
const maxCells = 10_000;

/** @param prices of models; without it no cost is known */
export function createTraceHandlers(
  traces: TraceService,
  runs: RunService,
  prices: () => ModelPrices = () => ({}),
) {
  return {
    'run.trace': async ({ runId, row }) => {
      const stored = await traces.stored(await runs.resolve(runId), row);
      return stored === undefined ? null : traceView(stored, prices());
    },
    'run.traceRow': async ({ runId, row }) =>
      freshView(await traces.again(await runs.resolve(runId), row), prices()),
    'run.nodes': async ({ runId }) => {
      const { plan, rows, nodes, throughput } = await traces.nodes(await runs.resolve(runId));
      const known = new Map(nodes.map((node) => [node.nodeId, node]));
      const views = plan.nodes.map((node) => statisticsView(node, known.get(node.id), prices()));
      return {
        rows,
        nodes: views,
        ...(throughput === undefined ? {} : { throughput: throughputView(throughput) }),
      };
    },
    'run.nodeValues': async ({ runId, ...request }) => traces.nodeValues(await runs.resolve(runId), request),
    'run.rows': async ({ runId, from, count, values, ...choice }) => {
      const id = await runs.resolve(runId);
      const { nodes } = await traces.nodes(id);
      const maxRows = Math.max(1, Math.floor(maxCells / Math.max(1, nodes.length)));
      const slice = { from, count: Math.min(count, maxRows), values };
      const { plan, total, rows } = await traces.rows(id, choice, slice);
      return { nodeIds: plan.nodes.map(({ id: nodeId }) => nodeId), total, rows: rows.map(rowView) };
    },
    'run.minimap': async ({ runId, pieces }) =>
      minimapView(await traces.rowsInAll(await runs.resolve(runId), pieces)),
    'run.rowLocation': async ({ runId, target, ...choice }) =>
      (await traces.locateRow(await runs.resolve(runId), choice, target)) ?? null,
  } satisfies Partial<Handlers>;
}

const rowView = ({ row, state, retries, durationMicros, nodes, label, values }: RowOverview): RowView => ({
  row,
  state,
  retries,
  ms: durationMicros / 1000,
  ...(nodes === undefined ? {} : { nodes: nodes.map(cellView) }),
  ...(label === undefined ? {} : { label }),
  ...(values === undefined ? {} : { values: values.map((value) => value ?? null) }),
});

const minimapView = ({ rows, counts, slowMs, minimap, rowsPerPiece }: RowsInAll): RunMinimapView => ({
  rows,
  counts,
  slowMs: slowMs ?? null,
  rowsPerPiece,
  pieces: minimap.map(({ failed, slow, rows: ended, meanMicros }) => [
    failed,
    slow,
    ended,
    Math.round(meanMicros) / 1000,
  ]),
});

const throughputView = ({ startMs, everyMs, rows }: Throughput): ThroughputView => ({
  startedAt: new Date(startMs).toISOString(),
  everyMs,
  rows,
});

const freshView = ({ output, ...traced }: TracedAgain, prices: ModelPrices): FreshTraceView => ({
  ...traceView(traced, prices),
  ...(output === undefined ? {} : { output }),
  callsMadeAgain: traced.trace.calls.length > 0 && ['live', 'record'].includes(traced.run.mode ?? 'live'),
});

function traceView({ run, plan, trace }: PlannedTrace, prices: ModelPrices): TraceView {
  return {
    runId: run.runId,
    row: trace.row,
    state: trace.failure === undefined ? 'done' : 'failed',
    nodes: plan.nodes.map((node, nodeIndex) => ({
      ...nodeView(node, nodeIndex, trace),
      ...costView(node, trace.tokens.get(nodeIndex), prices),
    })),
    hasValues: trace.values.size > 0,
    isLogCut: trace.logsCut,
  };
}

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

const cellView = ({
  end,
  micros,
  attempts,
  items,
  replacedItems,
  repeatedCalls,
}: NodeCell): NodeCellView => ({
  end,
  ...(micros === undefined ? {} : { ms: micros / 1000 }),
  attempts,
  ...(items === undefined ? {} : { items }),
  ...(replacedItems === undefined ? {} : { replacedItems }),
  ...(repeatedCalls === undefined ? {} : { repeatedCalls }),
});

function statisticsView(
  planned: WorkflowNode,
  node: NodeStatistics | undefined,
  prices: ModelPrices,
): NodeStatisticsView {
  const { id, type } = planned;
  const used = {
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
