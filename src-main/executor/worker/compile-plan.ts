// A plan made ready to run: the workflow itself, and each workflow that its nodes call, with a compartment of its own.
// Who calls: RunSession, once per load.
import { invariant } from '../../base/invariant.ts';
import { mix } from '../../base/mix.ts';
import { maxAttempts } from '../../domain/nodes/max-attempts.ts';
import { calledName } from '../../domain/workflow/body.ts';
import type { WorkflowNode } from '../../domain/workflow/workflow.ts';
import {
  calledPart,
  sharesWorkflow,
  type Plan,
  type PlanNode,
  type PlanPart,
  type RowScenario,
  type RunSeed,
} from '../plan.ts';
import type { CallOrigin, UpstreamRequest } from '../ports.ts';
import type { CallAnswered, CallClaimed, WorkflowEnd } from '../protocol.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { describeDuration } from '../../domain/duration.ts';
import { TimeoutBudget } from './timeout-budget.ts';
import type { AttemptDeps } from './attempt-runner.ts';
import { mayCallConcurrently, nodeWaits } from './node-waits.ts';
import { Compiler } from './compiler.ts';
import { NodeError } from './node-error.ts';
import { freezeParsed } from './plain-value.ts';
import type { RowEnd } from './batch-result-builder.ts';
import { outermostRun, recordLog, recordTokens, type Caller, type RowRun } from './row-run.ts';
import { RowRunner } from './row-runner.ts';
import type { Sandboxes } from './sandboxes.ts';
import { callShared, failureEnd, outputEnd } from './workflow-once.ts';
import type { WorkflowRequests } from './workflow-requests.ts';
import { compileSteps, type AttemptLimit, type NodeToolsFor } from './compiled-step.ts';

type PlanTools = Omit<AttemptDeps, 'sandbox' | 'wait'> & {
  readonly seed: RunSeed;
  readonly sandboxes: Sandboxes;
  readonly timeLimitMs: number;
  /** Resolves when the main process ends the wait. */
  readonly wait: (ms: number, run: RowRun) => Promise<void>;
  readonly call: (request: UpstreamRequest, run: RowRun, origin: CallOrigin) => Promise<CallAnswered>;
  readonly requestWorkflow: WorkflowRequests['request'];
  readonly settle: (promise: Promise<unknown>, limit: AttemptLimit) => Promise<unknown>;
};

/** @param scenario effects on the run's rows; called workflows run without it */
export function compilePlan(plan: Plan, scenario: RowScenario, tools: PlanTools): RowRunner {
  const called = new Map<string, RowRunner>();
  const calledRunner = (workflowId: string): RowRunner => {
    const part = plan.workflows.find((candidate) => candidate.workflowId === workflowId);
    invariant(part !== undefined, 'a plan has every workflow that its nodes call');
    const runner = called.get(workflowId) ?? compilePart(part, {});
    called.set(workflowId, runner);
    return runner;
  };
  const compilePart = (part: PlanPart, ofRows: RowScenario): RowRunner => {
    // The workflow itself gets no id, since a called workflow may have the same one.
    const sandbox = tools.sandboxes.sandboxFor(part === plan ? '' : part.workflowId, part);
    sandbox.startRun(tools.seed);
    const waits = nodeWaits(part.nodes);
    const callsOut = (node: PlanNode): boolean => nodeCallsOut(node, part, plan);
    const steps = compileSteps(part, {
      callsOut,
      compiler: new Compiler(sandbox),
      seed: tools.seed.random,
      timeLimitMs: tools.timeLimitMs,
      toolsFor: (node, limit) => ({
        ...ownTools(node, limit, tools),
        decimal: ofRows.decimal,
        workflow: (workflowId) =>
          workflowCall(node, workflowId, { ...tools, runner: calledRunner(workflowId) }),
      }),
    });
    return new RowRunner({
      ...tools,
      steps,
      waits: mayCallConcurrently(waits, part.nodes.map(callsOut)) ? waits : undefined,
      scenario: ofRows,
      sandbox,
      wait: (ms, scope) => waitWithin(ms, scope as RowRun, tools),
    });
  };
  return compilePart(plan, scenario);
}

/** True if the node makes calls to the outside. A called workflow never calls this one. */
function nodeCallsOut({ id, action, ...node }: PlanNode, { mocks }: PlanPart, plan: Plan): boolean {
  if (mocks.some(([mocked]) => mocked === id)) return false;
  if (node.type !== 'workflow') return action === 'call';
  const called = calledPart({ ...node, id }, plan);
  return called !== undefined && called.nodes.some((inner) => nodeCallsOut(inner, called, plan));
}

function ownTools(
  node: WorkflowNode,
  limit: AttemptLimit,
  tools: PlanTools,
): Omit<ReturnType<NodeToolsFor>, 'workflow' | 'decimal'> {
  return {
    wait: async (ms, scope) => {
      await waitWithin(Math.min(ms, limit.waitMs), scope as RowRun, tools);
      if (ms > limit.waitMs) throw new NodeError(limit.timeoutMessage);
    },
    settle: (promise) => tools.settle(promise, limit),
    call: (request, scope) =>
      callWithin(withRefusal(request, scope as RowRun), scope as RowRun, { node, tools }),
    countTokens: recordTokens,
    log: recordLog,
  };
}

async function waitWithin(ms: number, run: RowRun, { wait }: PlanTools): Promise<void> {
  const { caller } = run;
  if (caller === undefined) return wait(ms, run);
  await wait(Math.min(ms, caller.timeoutBudget.remainingMs), run);
  caller.timeoutBudget.spendWait(ms);
  caller.timeoutBudget.assertNotExceeded();
}

/** The request, with the shared answer that the attempt before could not use. */
const withRefusal = (request: UpstreamRequest, { refuses }: RowRun): UpstreamRequest =>
  request.isShared === undefined || refuses === undefined ? request : { ...request, refuses };

/** The broker's default timeout of a call, in ms. */
const usualCallMs = 30_000;

async function callWithin(
  request: UpstreamRequest,
  run: RowRun,
  { node, tools }: { readonly node: WorkflowNode; readonly tools: PlanTools },
): Promise<CallAnswered> {
  const { caller } = run;
  const origin = originOf(node, run);
  if (caller === undefined) return tools.call(request, run, origin);
  caller.timeoutBudget.assertNotExceeded();
  const left = Math.max(1, caller.timeoutBudget.remainingMs);
  const isShort = left < (request.timeoutMs ?? usualCallMs);
  const over = await tools.call(isShort ? { ...request, timeoutMs: left } : request, run, origin);
  caller.timeoutBudget.spendCall(over, isShort ? left : Infinity);
  return over;
}

const originOf = (node: WorkflowNode, run: RowRun): CallOrigin => ({
  row: outermostRun(run).row,
  site: siteOf(node, run),
  attempt: (run.caller?.attemptsBefore ?? 0) + run.attempt,
});

/**
 * Key that tells the calls of one row apart: the calling nodes first, then the node, the item of its `each`, and from the second
 * call of its `repeat` on `~2`.
 */
function siteOf({ id, each }: WorkflowNode, { caller, itemIndex, round }: RowRun): string {
  const ofItem = each === undefined ? id : `${id}/${itemIndex}`;
  const own = round > 1 ? `${ofItem}/~${round}` : ofItem;
  return caller === undefined ? own : `${caller.site}/${own}`;
}

type CallTools = Pick<PlanTools, 'pauseGate' | 'requestWorkflow'> & { readonly runner: RowRunner };

/** Runs another workflow on a row that a node builds. */
function workflowCall(
  node: WorkflowNode,
  workflowId: string,
  { runner, pauseGate, requestWorkflow }: CallTools,
) {
  const runRow = (run: RowRun, text: string, caller: Caller): RowEnd | Promise<RowEnd> =>
    runner.runRow(caller.claim === undefined ? run.row : 0, text, {
      // A node of the called workflow may have the same id as a node of this one.
      batch: run.batch.presetFailures.length === 0 ? run.batch : { ...run.batch, presetFailures: [] },
      results: run.results,
      position: run.position,
      caller,
    });
  const runShared = async (run: RowRun, text: string, claim: CallClaimed): Promise<WorkflowEnd> => {
    const caller = sharedCaller(callerOf(node, workflowId, run), claim);
    caller.timeoutBudget.spendWait(claim.waitedMs);
    const ended = await runRow(run, text, caller);
    run.retries += ended.retries;
    caller.timeoutBudget.assertNotExceeded();
    const { output = 'null', failure } = ended;
    return failure === undefined
      ? outputEnd(output, workflowId)
      : failureEnd(calledFailure(workflowId, failure, ended));
  };
  if (sharesWorkflow(node))
    return (row: object, scope: object): unknown => {
      const run = scope as RowRun;
      const execute = (text: string, claim: CallClaimed) => runShared(run, text, claim);
      return callShared(row, run, {
        node,
        workflowId,
        origin: originOf(node, run),
        requestWorkflow,
        execute,
      });
    };
  return (row: object, scope: object): unknown => {
    const run = scope as RowRun;
    const caller = callerOf(node, workflowId, run);
    const execute = (): RowEnd | Promise<RowEnd> => runRow(run, JSON.stringify(row), caller);
    const executeLater = async (): Promise<RowEnd> => {
      while (pauseGate.isBlocked) await pauseGate.unblocked();
      return execute();
    };
    // This node itself holds the lock if the code of its row may have left promise jobs behind.
    const end = pauseGate.isBlocked ? executeLater() : execute();
    const take = (ended: RowEnd): unknown => takeEnd(ended, { run, caller });
    return end instanceof Promise ? end.then(take) : take(end);
  };
}

/** The caller for a workflow that a row of the run calls. */
function callerOf(node: WorkflowNode, workflowId: string, run: RowRun): Caller {
  const { caller, attempt } = run;
  if (caller !== undefined) return callerWithin(caller, { node, workflowId, run });
  return {
    ...attemptContext(run, 0),
    workflowId,
    site: siteOf(node, run),
    nodeId: node.id,
    attempt,
    messagePrefix: `${calledName(workflowId)}, `,
    run,
    timeoutBudget: timeoutBudgetOf(node, undefined),
  };
}

/** The caller for a workflow that a called workflow calls. */
function callerWithin(
  caller: Caller,
  { node, workflowId, run }: { node: WorkflowNode; workflowId: string; run: RowRun },
): Caller {
  return {
    ...caller,
    ...attemptContext(run, caller.attemptsBefore),
    workflowId,
    site: siteOf(node, run),
    messagePrefix: `${caller.messagePrefix}node "${node.id}": ${calledName(workflowId)}, `,
    timeoutBudget: timeoutBudgetOf(node, caller.timeoutBudget),
  };
}

/** The caller of a workflow that rows share: nothing of the row that runs it counts. */
const sharedCaller = (caller: Caller, { call, seed, attempt }: CallClaimed): Caller => ({
  ...caller,
  claim: call,
  within: mix(seed, attempt),
  attemptsBefore: (Math.min(attempt, maxAttempts) - 1) * maxAttempts,
});

/** Number that is mixed into the random numbers of a called workflow. */
function withinOf({ within, nodeIndex, itemIndex, attempt, round }: RowRun): number {
  const ofAttempt = mix(mix(mix(within, nodeIndex), itemIndex), attempt);
  return round > 1 ? mix(ofAttempt, round) : ofAttempt;
}

const attemptContext = (run: RowRun, attemptsBefore: number) => ({
  within: withinOf(run),
  attemptsBefore: (attemptsBefore + run.attempt - 1) * maxAttempts,
});

const timeoutBudgetOf = ({ timeoutMs }: WorkflowNode, outer: TimeoutBudget | undefined): TimeoutBudget =>
  timeoutMs === undefined
    ? new TimeoutBudget(Infinity, '', outer)
    : new TimeoutBudget(timeoutMs, `timed out after ${describeDuration(timeoutMs)}`, outer);

function takeEnd(ended: RowEnd, { run, caller }: { readonly run: RowRun; readonly caller: Caller }): unknown {
  const { output = 'null', failure, retries } = ended;
  run.retries += retries;
  caller.timeoutBudget.assertNotExceeded();
  if (failure === undefined) return freezeParsed(JSON.parse(output));
  throw calledFailure(caller.workflowId, failure, ended);
}

const calledFailure = (
  workflowId: string,
  { nodeId, message }: RowFailure,
  { error }: Pick<RowEnd, 'error'>,
): NodeError =>
  new NodeError(
    `${calledName(workflowId)}, node "${nodeId}": ${message}`,
    error?.retryAfterMs,
    error?.callFailure,
  );
