// Converts the trace lines of a preview into what it shows: how each node ended, with the beginning of its value.
import type { JsonValue } from '../../base/json-value.ts';
import { previewValue } from '../../domain/rows/preview-row.ts';
import {
  maxPreviewCharacters,
  type PreviewedNode,
  type PreviewedRow,
  type PreviewedValue,
  type PreviewError,
  type PreviewSource,
  type PreviewState,
} from '../../domain/run/preview.ts';
import type { NodeCell } from '../../domain/results/node-cell.ts';
import { parseTraceLine, type RowTrace } from '../../domain/results/row-trace.ts';
import { dependenciesOf, type Dependencies } from '../../domain/workflow/graph.ts';
import { nodeLines } from '../../domain/workflow/fault-line.ts';
import type { Workflow, WorkflowNode } from '../../domain/workflow/workflow.ts';
import type { Plan } from '../../executor/plan.ts';
import type { PreviewEnd, PreviewRow, PreviewStop } from '../../executor/run/preview-rows.ts';
import type { CalledAnswer } from './called-answers.ts';
import type { PreviewCalls } from './preview-calls.ts';
import { skipReason } from './skip-reason.ts';

export type EndedPreview = {
  readonly plan: Plan;
  readonly draft: { readonly source: string; readonly workflow: Workflow };
  readonly rows: readonly PreviewRow[];
  readonly end: PreviewEnd;
  readonly calls: PreviewCalls;
};

/** A row with everything that is kept of it. */
export type PreviewResult = {
  readonly view: PreviewedRow;
  /** Values that may be shown, by node id. */
  readonly values: ReadonlyMap<string, TracedValue>;
  /** Answers to the calls that the user asked for, by node id. */
  readonly called: ReadonlyMap<string, readonly CalledAnswer[]>;
  /** Absent: the row has none. */
  readonly output?: string;
  /** The list of the items of the node whose expressions are shown; absent: it has no `each`. */
  readonly itemsRead?: TracedValue | undefined;
};

export type TracedValue = RowTrace['values'] extends ReadonlyMap<number, infer Value> ? Value : never;

export function describePreview(preview: EndedPreview): readonly PreviewResult[] {
  const ended = new Map(preview.end.rows.map((row) => [row.number, row] as const));
  const context = {
    ...preview,
    dependencies: dependenciesOf(preview.plan.nodes),
    lines: new Map<string, number>(),
  };
  return preview.rows.map(({ number }) => {
    const row = ended.get(number);
    const trace = row === undefined ? undefined : parseTraceLine(row.trace);
    return describeRow({ number, trace, output: row?.output, isCutShort: row?.isCutShort === true }, context);
  });
}

type Context = EndedPreview & { readonly dependencies: Dependencies; readonly lines: Map<string, number> };
type RowResult = {
  readonly number: number;
  readonly trace: RowTrace | undefined;
  readonly output: string | undefined;
  readonly isCutShort: boolean;
};

function describeRow(row: RowResult, context: Context): PreviewResult {
  const { plan } = context;
  /** Nodes without a value of their own, whose readers have none either. */
  const blocked = new Set<string>();
  const values = new Map<string, TracedValue>();
  const nodes = plan.nodes.map((node, index): PreviewedNode => {
    const described = describeNode({ node, index, row, blocked, values }, context);
    if (['notCalled', 'tooSlow', 'notReached', 'failed'].includes(described.state)) blocked.add(node.id);
    const value = blocked.has(node.id) ? undefined : row.trace?.values.get(index);
    if (value !== undefined) values.set(node.id, value);
    return { ...described, ...(value === undefined ? {} : previewOf(value)) };
  });
  const isWhole = plan.nodes.every(({ id, type }) => type !== 'output' || !blocked.has(id));
  const output = isWhole ? row.output : undefined;
  const failed = nodes.find(({ error }) => error !== undefined);
  return {
    view: {
      number: row.number,
      nodes,
      ...(output === undefined ? {} : { output: shownValue(JSON.parse(output) as JsonValue) }),
      ...(failed?.error === undefined ? {} : { error: { nodeId: failed.nodeId, ...failed.error } }),
    },
    values,
    called: new Map(plan.nodes.map(({ id }) => [id, context.calls.calledAnswers(row.number, id)])),
    ...(output === undefined ? {} : { output }),
  };
}

type NodeResult = {
  readonly node: WorkflowNode;
  readonly index: number;
  readonly row: RowResult;
  readonly blocked: ReadonlySet<string>;
  /** Values of the nodes before it. */
  readonly values: ReadonlyMap<string, TracedValue>;
};

function describeNode(result: NodeResult, context: Context): PreviewedNode {
  const { node, index, row } = result;
  const { plan, calls, end } = context;
  const { id: nodeId } = node;
  if (end.stop?.row === row.number && isStoppedAt(end.stop, nodeId, index))
    return describeStop(node, end.stop, context);
  const call = calls.notCalled(row.number, nodeId);
  if (call !== undefined) return { nodeId, state: 'notCalled', call };
  const cell = row.trace?.nodes[index] ?? { end: 'not reached', attempts: 0 };
  const from = sourceOf(node, cell, { plan, calls, row: row.number });
  if (isNotReached(result, from, context)) return { nodeId, state: 'notReached' };
  const described = {
    nodeId,
    state: stateOf(cell),
    ...(from === undefined ? {} : { from }),
    ...(from === 'called' ? { called: calls.called(row.number, nodeId) } : {}),
  };
  return {
    ...described,
    ...countsOf(cell),
    ...reasonOf(result, cell, context),
    ...failureOf(row, node, context),
  };
}

const countsOf = ({ items, attempts }: NodeCell): Pick<PreviewedNode, 'items' | 'attempts'> => ({
  ...(items === undefined ? {} : { items }),
  ...(attempts > Math.max(1, items ?? 1) ? { attempts } : {}),
});

function reasonOf(
  { node: { when }, values }: NodeResult,
  { end }: NodeCell,
  { plan }: Context,
): Pick<PreviewedNode, 'reason'> {
  if (when === undefined || end !== 'skipped') return {};
  const input = plan.nodes.find(({ type }) => type === 'input');
  const reason = skipReason(when, { row: input && values.get(input.id), nodes: values });
  return reason === undefined ? {} : { reason };
}

const describeStop = (
  node: WorkflowNode,
  { cause, message }: PreviewStop,
  context: Context,
): PreviewedNode => ({
  nodeId: node.id,
  state: cause === 'time' ? 'tooSlow' : 'failed',
  error: errorOf(node, message, context),
});

const failureOf = (
  { trace }: RowResult,
  node: WorkflowNode,
  context: Context,
): { readonly error?: PreviewError } =>
  trace?.failure?.nodeId === node.id ? { error: errorOf(node, trace.failure.message, context) } : {};

/** True if the node failed at once because it stopped an earlier row, or waits for a node that has no value. */
function isNotReached(
  { node: { id }, row, blocked }: NodeResult,
  from: PreviewSource | undefined,
  { dependencies, end }: Context,
): boolean {
  if (row.isCutShort && end.stop?.nodeId === id) return true;
  if (from === 'kept' || from === 'mock') return false;
  return [...(dependencies.get(id) ?? [])].some((other) => blocked.has(other));
}

/** A row that was lost before a node began shows it at its first node. */
const isStoppedAt = (stop: PreviewStop, nodeId: string, index: number): boolean =>
  stop.nodeId === undefined ? index === 0 : stop.nodeId === nodeId;

function sourceOf(
  { id }: WorkflowNode,
  { end }: NodeCell,
  { plan, calls, row }: { readonly plan: Plan; readonly calls: PreviewCalls; readonly row: number },
): PreviewSource | undefined {
  if (end === 'reused') return 'kept';
  if (end === 'skipped' || end === 'not reached') return undefined;
  return plan.mocks.some(([mocked]) => mocked === id) ? 'mock' : calls.sourceOf(row, id);
}

function stateOf({ end }: NodeCell): PreviewState {
  if (end === 'reused') return 'done';
  return end === 'not reached' || end === 'not kept' ? 'notReached' : end;
}

/** The error with its line, which is looked up once for each message: rows often fail for the same reason. */
function errorOf({ id: nodeId }: WorkflowNode, message: string, { draft, lines }: Context): PreviewError {
  const key = `${nodeId} ${message}`;
  const line = lines.get(key) ?? nodeLines(draft.source, draft.workflow, { nodeId, message })?.line;
  if (line === undefined) return { message };
  lines.set(key, line);
  return { message, line };
}

function previewOf(value: TracedValue): Pick<PreviewedNode, 'value'> {
  if (value.kind === 'whole') return { value: shownValue(value.value) };
  if (value.kind === 'left out') return {};
  const { text } = value;
  const kind = text.startsWith('[') ? 'list' : text.startsWith('{') ? 'object' : 'text';
  return { value: { kind, text: text.slice(0, maxPreviewCharacters), length: text.length, isLonger: true } };
}

const shownValue = (value: JsonValue): PreviewedValue => previewValue(value, maxPreviewCharacters);
