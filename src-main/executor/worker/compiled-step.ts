// Compiles a plan's nodes once, so that a row costs no more than the calls themselves.
import { invariant } from '../../base/invariant.ts';
import { nodeMakesPromises, nodeReads } from '../../domain/workflow/node-reads.ts';
import type { Table } from '../../domain/sources/table.ts';
import { repeatOf, type Repeat, type Retry, type WorkflowNode } from '../../domain/workflow/workflow.ts';
import type { PlanNode, PlanPart } from '../plan.ts';
import { describeDuration } from '../../domain/duration.ts';
import type { Compiler, Evaluate } from './compiler.ts';
import type { Mock } from '../../domain/nodes/mock.ts';
import type { Fields } from '../../domain/nodes/fields.ts';
import { rowCheckRunner } from './nodes/row-checks.ts';
import { type NodeRunner, type NodeTools, runMocked } from './nodes/node-runner.ts';
import { makeRunner } from './nodes/runner-catalogue.ts';
import { RecordIndex } from './record-index.ts';
import { membersOf, type FieldNames } from './row-output.ts';
import { waitMs } from './nodes/delay.ts';

export type CompiledStep = {
  readonly nodeId: string;
  /** Index of the node in the plan. */
  readonly nodeIndex: number;
  readonly when: Evaluate<boolean> | undefined;
  readonly each: Evaluate | undefined;
  /** Items in flight at once. */
  readonly concurrency: number;
  /** True if the node makes calls to the outside, itself or in a workflow that it calls. */
  readonly callsOut: boolean;
  readonly run: NodeRunner;
  /** Absent: the node runs once, or once for each item. */
  readonly repeat: CompiledRepeat | undefined;
  readonly retry: Retry | undefined;
  readonly limit: AttemptLimit;
  readonly onError: Evaluate | undefined;
  /** Names of the output's fields; only for output nodes, whose runners return `Members`. */
  readonly fields: FieldNames | undefined;
  /** True if another node reads the value. */
  readonly isRead: boolean;
  /** True if its author code may leave promise jobs behind, which run after it has returned. */
  readonly leavesJobs: boolean;
};

export type CompiledRepeat = Pick<Repeat, 'max' | 'atMax'> & {
  readonly while: Evaluate<boolean>;
  /** Pause before the next call, in ms. */
  readonly wait: Evaluate<number> | undefined;
  readonly collect: Evaluate | undefined;
};

/** Time limits of one attempt, in ms, and the error of a row that exceeds them. */
export type AttemptLimit = {
  /** Maximum computing time: the node's `timeout`, at most the limit of the run; Infinity for a workflow node. */
  readonly computeMs: number;
  /** True if `computeMs` is the node's own `timeout`: elapsed time, even while other processes use the cores. */
  readonly isTimeout: boolean;
  /** Maximum waiting time: the node's `timeout`, else Infinity. */
  readonly waitMs: number;
  readonly timeoutMessage: string;
};

/** Makes the tools with which a node's runner waits, calls services and runs other workflows. */
export type NodeToolsFor = (
  node: WorkflowNode,
  limit: AttemptLimit,
) => Pick<NodeTools, 'decimal' | 'wait' | 'settle' | 'call' | 'countTokens' | 'log' | 'workflow'>;

type StepTools = Pick<NodeTools, 'seed' | 'compiler'> & {
  readonly timeLimitMs: number;
  readonly toolsFor: NodeToolsFor;
  readonly callsOut: (node: PlanNode) => boolean;
};

export function compileSteps(plan: PlanPart, tools: StepTools): CompiledStep[] {
  const around = {
    ...tools,
    readNodes: new Set(plan.nodes.flatMap(nodeReads)),
    mocks: new Map(plan.mocks),
    records: recordsOf(plan),
    plan,
  };
  const steps = plan.nodes.map((node, index) => compileStep(node, index, around));
  tools.compiler.finish();
  return steps;
}

type PartTools = StepTools & {
  /** Ids of the nodes that other nodes read. */
  readonly readNodes: ReadonlySet<string>;
  readonly mocks: ReadonlyMap<string, Mock>;
  readonly records: NodeTools['records'];
  readonly plan: PlanPart;
};

function compileStep(node: PlanNode, nodeIndex: number, tools: PartTools): CompiledStep {
  const { compiler, seed, records, timeLimitMs, toolsFor } = tools;
  const limit = node.type === 'workflow' ? callLimit(timeLimitMs) : attemptLimit(node.timeoutMs, timeLimitMs);
  const fields = node.type === 'output' ? fieldNames(node.config.fields) : undefined;
  const mock = tools.mocks.get(node.id);
  return {
    nodeId: node.id,
    nodeIndex,
    when: node.when && compiler.condition(node.when),
    each: node.each && compiler.value(node.each),
    concurrency: node.concurrency ?? 1,
    callsOut: tools.callsOut(node),
    run:
      mock === undefined
        ? (rowCheckRunner(node, tools.plan) ??
          makeRunner(node, { compiler, seed, records, timeoutMs: node.timeoutMs, ...toolsFor(node, limit) }))
        : mockedRunner(mock, fields),
    // A mock is the value of the whole node.
    repeat: mock === undefined ? compileRepeat(repeatOf(node), compiler.forRepeat()) : undefined,
    retry: node.retry,
    limit,
    onError: node.onError && compiler.value(node.onError.value),
    fields,
    isRead: tools.readNodes.has(node.id),
    leavesJobs: nodeMakesPromises(node),
  };
}

function compileRepeat(repeat: Repeat | undefined, compiler: Compiler): CompiledRepeat | undefined {
  if (repeat === undefined) return undefined;
  const { max, atMax } = repeat;
  const wait = repeat.wait && compiler.value(repeat.wait);
  return {
    max,
    atMax,
    while: compiler.condition(repeat.while),
    wait: wait && ((scope) => waitMs(wait(scope), 'wait')),
    collect: repeat.collect && compiler.value(repeat.collect),
  };
}

const fieldNames = (fields: Fields): FieldNames =>
  fields.kind === 'object' ? fields.entries.map(([name]) => name) : 'any';

/** Indexes of a table by field. A worker reuses them for all runs of its plan: a table can have 100,000 records. */
const indexesOf = new WeakMap<Table, Map<string, RecordIndex>>();

const recordsOf =
  ({ tables }: PlanPart): NodeTools['records'] =>
  (path, field) => {
    const table = tables.find((candidate) => candidate.path === path);
    invariant(table !== undefined, 'a plan has every table that its nodes look into');
    const indexes = indexesOf.get(table) ?? new Map<string, RecordIndex>();
    const index = indexes.get(field) ?? new RecordIndex(table.lines, field);
    indexesOf.set(table, indexes.set(field, index));
    return index;
  };

/** The runner of a mocked node; an output node returns its members. */
function mockedRunner(mock: Mock, fields: FieldNames | undefined): NodeRunner {
  const run = runMocked(mock);
  return fields === undefined ? run : (scope) => membersOf(fields, run(scope));
}

/** Limits of a node that calls a workflow: the called nodes have their own; a `timeout` is checked while they run. */
const callLimit = (timeLimitMs: number): AttemptLimit => ({
  ...attemptLimit(undefined, timeLimitMs),
  computeMs: Infinity,
});

function attemptLimit(timeoutMs: number | undefined, timeLimitMs: number): AttemptLimit {
  if (timeoutMs !== undefined && timeoutMs < timeLimitMs)
    return {
      computeMs: timeoutMs,
      isTimeout: true,
      waitMs: timeoutMs,
      timeoutMessage: `timed out after ${describeDuration(timeoutMs)}`,
    };
  const timeoutMessage = `time limit of ${describeDuration(timeLimitMs)} exceeded`;
  return { computeMs: timeLimitMs, isTimeout: false, waitMs: timeoutMs ?? Infinity, timeoutMessage };
}
