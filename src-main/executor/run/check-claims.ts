// Checks the messages of a worker against its rows and the plan. A worker runs authors' code. If such code takes it over,
// the worker must still only store results of its own rows, and only request what its plan does.
// Who calls: WorkerSlot, with messages whose form process/check-message.ts has checked. Each function throws a RangeError for
// a message that our own worker would never send; fork-worker and utility-worker, which read the messages, then end the worker.
import type { BatchResult } from '../../domain/run/stored-run.ts';
import { isUtf8 } from 'node:buffer';
import { reachesOut } from '../../domain/nodes/catalogue.ts';
import { maxAttempts } from '../../domain/nodes/max-attempts.ts';
import { JsonObjects } from '../../domain/rows/json-objects.ts';
import { eachLine, newline } from '../../domain/rows/line-bytes.ts';
import { latencyBuckets } from '../../domain/results/latency-bucket.ts';
import type { NodeStatistics } from '../../domain/results/node-statistics.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowNumberAt } from '../../domain/run/row-numbers.ts';
import { rowStateBytes } from '../../domain/run/row-state.ts';
import { maxLogBytes, maxRowValueBytes } from '../../domain/results/trace-form.ts';
import { assertFindings, maxFindingsBytes } from '../../domain/tests/check-findings.ts';
import { repeatOf, type WorkflowNode } from '../../domain/workflow/workflow.ts';
import { calledPart, sharesWorkflow, workflowMethod, type Plan, type PlanPart } from '../plan.ts';
import type { CallOrigin, RowBatch, UpstreamRequest } from '../ports.ts';
import type { CallRequested, NodeStarted, BatchDone, WaitRequested } from '../protocol.ts';

/** First bytes of the row states that a worker may send (domain/run/row-state.ts). */
const stateCodes = { done: 1, failed: 2 };

/** Maximum length of an error message. A worker's own messages are shorter. */
const maxMessageLength = 2000;
/**
 * Maximum bytes of a line of the trace: values and logs, in which an escaped character takes up to six bytes; and calls and
 * a failure, which are shorter than the rest.
 */
const maxTraceBytes = 6 * (maxRowValueBytes + maxLogBytes) + 1_000_000;
/** Maximum bytes that a node adds to each line of the trace. */
const maxTraceBytesOfNode = 500;

const assertClaim = (isTrue: boolean, claim: string): void => {
  if (!isTrue) throw new RangeError(claim);
};

/** Checks the result of the rows of `batch`. */
export function checkBatchDone({ result, endsRun }: BatchDone, batch: RowBatch, plan: Plan): void {
  const { rows, failures } = result;
  const mayEnd = plan.onRowError === 'fail';
  assertClaim(
    endsRun === (mayEnd && failures.length > 0),
    'a failure that does not end the run, or nothing that does',
  );
  assertClaim(Number.isSafeInteger(rows) && rows >= 1, 'a result without rows');
  assertClaim(rows <= batch.rows, 'a result of other rows');
  assertClaim(result.states.byteLength === rows * rowStateBytes, 'not one state for each row');
  checkFailures(result, batch, plan);
  if (endsRun)
    assertClaim(failures.length === 1 && isFailed(result, rows - 1), 'rows after the one that ends the run');
  checkOutputs(result);
  checkFindings(result, plan);
  checkTrace(result, batch, plan);
  checkStatistics(result, plan);
}

/** Checks that a call comes from a row of the batch, and from a node of the plan that calls out. */
export function checkCall({ origin, request }: CallRequested, batch: RowBatch, plan: Plan): void {
  assertClaim(hasRow(batch, origin.row), 'a call for a row that the worker does not have');
  const depth = depthOfSite(origin, request, plan);
  assertClaim(depth > 0, 'a call from a node that makes none');
  // Each attempt of a node that calls a workflow has its own numbers for the attempts in that workflow.
  assertClaim(origin.attempt >= 1 && origin.attempt <= maxAttempts ** depth, 'more attempts than a node has');
}

/** Checks that a wait is of a row of the batch, in a node of the plan. */
export function checkWait({ row, nodeId }: WaitRequested, batch: RowBatch, plan: Plan): void {
  assertClaim(hasRow(batch, row), 'a wait for a row that the worker does not have');
  assertClaim(idsOf(plan).has(nodeId), 'a wait in a node that is not in the plan');
}

/** Checks that an attempt belongs to the plan, and that its time limit is not above the run's. */
export function checkNodeStarted(
  { nodeId, attempt, allowedMs, timeoutMessage }: NodeStarted,
  plan: Plan,
  timeLimitMs: number,
): void {
  assertClaim(idsOf(plan).has(nodeId), 'an attempt of a node that is not in the plan');
  assertClaim(attempt >= 1 && attempt <= maxAttempts, 'more attempts than a node has');
  assertClaim(allowedMs <= timeLimitMs, 'more time than an attempt has');
  assertClaim(timeoutMessage.length <= maxMessageLength, 'a message that is too long');
}

/**
 * Maximum requests that one row can have open: one for each node and item that may run at the same time, and one more for each
 * attempt that went on without its answer.
 */
export const maxRequestsOfRow = (plan: Plan): number => maxAttempts * widthOf(plan, plan);

const widths = new WeakMap<PlanPart, number>();

function widthOf(part: PlanPart, plan: Plan): number {
  const known = widths.get(part);
  if (known !== undefined) return known;
  const width = part.nodes.reduce((sum, node) => sum + (node.concurrency ?? 1) * calledWidth(node, plan), 0);
  widths.set(part, width);
  return width;
}

function calledWidth(node: WorkflowNode, plan: Plan): number {
  if (node.type !== 'workflow') return 1;
  const called = calledPart(node, plan);
  return called === undefined ? 1 : widthOf(called, plan);
}

const isFailed = ({ states }: BatchResult, index: number): boolean =>
  states[index * rowStateBytes] === stateCodes.failed;

/** Checks that each failed row has one failure, in row order, and that all other rows are done. */
function checkFailures(result: BatchResult, batch: RowBatch, plan: Plan): void {
  const { rows, states, failures } = result;
  const ids = idsOf(plan);
  let next = 0;
  for (let index = 0; index < rows; index += 1) {
    if (states[index * rowStateBytes] === stateCodes.done) continue;
    assertClaim(isFailed(result, index), 'a state that no row ends in');
    const failure = failures[next];
    assertClaim(
      failure !== undefined && failure.row === rowNumberAt(batch, index) && isFailureOf(failure, ids),
      'a failed row without its failure',
    );
    next += 1;
  }
  assertClaim(next === failures.length, 'a failure of a row that has not failed');
}

const isFailureOf = ({ nodeId, message, attempts }: RowFailure, ids: ReadonlySet<string>): boolean =>
  ids.has(nodeId) && message.length <= maxMessageLength && attempts <= maxAttempts;

/** Checks that each row has one line: a JSON object, or an empty line for a failed row. */
function checkOutputs(result: BatchResult): void {
  const { rows, outputs } = result;
  assertClaim(isUtf8(outputs), 'outputs that are not UTF-8');
  const objects = new JsonObjects(outputs);
  let start = 0;
  for (let index = 0; index < rows; index += 1) {
    const end = isFailed(result, index) ? start : objects.endOf(start);
    assertClaim(end >= 0 && outputs[end] === newline, 'an output that is not one JSON object');
    start = end + 1;
  }
  assertClaim(start === outputs.byteLength, 'more outputs than rows');
}

/** Checks that the outputs of a workflow that checks a test are findings. */
function checkFindings({ outputs }: BatchResult, { rowChecks }: Plan): void {
  if (rowChecks === undefined) return;
  for (const { buffer, byteOffset, byteLength } of eachLine(outputs)) {
    assertClaim(byteLength <= maxFindingsBytes(rowChecks), 'findings that are too long');
    const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
    // A failed row has none.
    if (text !== '') assertFindings(text, rowChecks);
  }
}

/** Checks that each row has one line of the trace at most, in row order, and that the line is its JSON object. */
function checkTrace(result: BatchResult, batch: RowBatch, { nodes }: Plan): void {
  const { trace, rows } = result;
  assertClaim(isUtf8(trace), 'a trace that is not UTF-8');
  const objects = new JsonObjects(trace);
  const longest = maxTraceBytes + nodes.length * maxTraceBytesOfNode;
  const isOf = (index: number, at: number): boolean =>
    isLineOf(trace, at, { row: rowNumberAt(batch, index), hasFailed: isFailed(result, index) });
  let index = 0;
  let start = 0;
  while (start < trace.byteLength) {
    const end = objects.endOf(start);
    assertClaim(end >= 0 && trace[end] === newline, 'a line of the trace that is not one JSON object');
    assertClaim(end - start <= longest, 'a line of the trace that is too long');
    while (index < rows && !isFailed(result, index) && !isOf(index, start)) index += 1;
    assertClaim(index < rows && isOf(index, start), 'a trace of another row, or of one that ended otherwise');
    index += 1;
    start = end + 1;
  }
}

// The start of a line of the trace (domain/results/row-trace.ts): the row, then the mark of a failed row.
const rowHead = '{"row":';
const failureHead = ',"nodeId":';
const nodesHead = ',"nodes":';

/** True if the line at `from` belongs to the row. It parses the number rather than build a text for each row. */
function isLineOf(trace: Uint8Array, from: number, { row, hasFailed }: EndedRow): boolean {
  if (!beginsWith(trace, from, rowHead)) return false;
  let at = from + rowHead.length;
  let number = 0;
  for (let digit = digitAt(trace, at); digit >= 0 && digit <= 9; digit = digitAt(trace, (at += 1)))
    number = number * 10 + digit;
  return number === row && beginsWith(trace, at, hasFailed ? failureHead : nodesHead);
}

type EndedRow = { readonly row: number; readonly hasFailed: boolean };

const digitAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) - 0x30;

/** @param ascii one byte a character */
function beginsWith(bytes: Uint8Array, from: number, ascii: string): boolean {
  for (let at = 0; at < ascii.length; at += 1) if (bytes[from + at] !== ascii.charCodeAt(at)) return false;
  return true;
}

/** Checks that each node is counted once, in at most all rows, and that each row in which it ran is in one bucket. */
function checkStatistics({ rows, nodes }: BatchResult, plan: Plan): void {
  const left = new Map(plan.nodes.map((node) => [node.id, node]));
  for (const counted of nodes) {
    const node = left.get(counted.nodeId);
    if (node === undefined || !left.delete(counted.nodeId))
      throw new RangeError('statistics of a node that is not in the plan, or twice');
    checkCounts(counted, node, rows);
  }
}

function checkCounts(counted: NodeStatistics, node: WorkflowNode, rows: number): void {
  const { each, retry } = node;
  const { done, failed, skipped, replaced, retries, buckets } = counted;
  const ran = done + failed + replaced;
  assertClaim(ran + skipped <= rows, 'a node that ran in more rows than there are');
  // Only the author of the workflow knows the number of items and repeated calls of a row.
  const isOne = each === undefined && repeatOf(node) === undefined;
  const maxRetries = isOne ? rows * ((retry?.attempts ?? 1) - 1) : Infinity;
  assertClaim(retries <= maxRetries, 'more retries than the node has');
  let inBuckets = 0;
  let last = -1;
  for (let at = 0; at < buckets.length; at += 2) {
    const bucket = buckets[at] ?? 0;
    assertClaim(bucket > last && bucket < latencyBuckets, 'a duration that is none');
    inBuckets += buckets[at + 1] ?? 0;
    last = bucket;
  }
  assertClaim(inBuckets === ran, 'not one duration for each row');
}

/** Index of the last name in a site that belongs to the node at `at`: its item or its call; -1 if its item is missing. */
function lastNameOf(node: WorkflowNode, names: readonly string[], at: number): number {
  const last = node.each === undefined ? at : at + 1;
  if (node.each !== undefined && !/^\d{1,15}$/.test(names[last] ?? '')) return -1;
  return repeatOf(node) !== undefined && /^~\d{1,4}$/.test(names[last + 1] ?? '') ? last + 1 : last;
}

/** True if a node may make the call: of its own workflow if rows share it, else to the outside. */
const mayMake = (node: WorkflowNode, request: UpstreamRequest): boolean =>
  node.type === 'workflow'
    ? sharesWorkflow(node) && request.url === node.config.workflow && isWorkflowRequest(request)
    : reachesOut(node.type) && request.method !== workflowMethod;

/** True if the request has no more than our worker gives one for a workflow (worker/workflow-once.ts): nothing below checks it. */
const isWorkflowRequest = ({ method, headers, isShared, ...more }: UpstreamRequest): boolean =>
  method === workflowMethod &&
  isShared === true &&
  headers.length === 0 &&
  Object.keys(more).every((name) => ['url', 'body', 'timeoutMs'].includes(name));

/** The number of nodes that lead to the call, itself included; 0 if the plan makes no such call there. */
function depthOfSite({ site }: CallOrigin, request: UpstreamRequest, plan: Plan): number {
  const names = site.split('/');
  let part: PlanPart | undefined = plan;
  let depth = 0;
  for (let at = 0; at < names.length; at += 1) {
    const { nodes, mocks }: PlanPart = part ?? { ...plan, nodes: [] };
    const node: WorkflowNode | undefined = nodes.find(({ id }) => id === names[at]);
    if (node === undefined || mocks.some(([id]) => id === node.id)) return 0;
    at = lastNameOf(node, names, at);
    if (at < 0) return 0;
    depth += 1;
    if (at === names.length - 1) return mayMake(node, request) ? depth : 0;
    part = calledPart(node, plan);
  }
  return 0;
}

function hasRow(batch: RowBatch, row: number): boolean {
  const { firstRow, numbers, rows } = batch;
  return numbers === undefined ? row >= firstRow && row < firstRow + rows : numbers.includes(row);
}

const knownIds = new WeakMap<Plan, ReadonlySet<string>>();

/** Ids of the plan's own nodes. Nodes of called workflows are named after the node that calls them. */
function idsOf(plan: Plan): ReadonlySet<string> {
  const ids = knownIds.get(plan) ?? new Set(plan.nodes.map(({ id }) => id));
  knownIds.set(plan, ids);
  return ids;
}
