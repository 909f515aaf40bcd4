// A workflow after parsing and validation: the content of the file, with every expression found and checked.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import type { Expression, Value } from '../expressions/value.ts';
import type { NodeConfigs, NodeType } from '../nodes/catalogue.ts';
import type { otherFailures } from '../nodes/failure-slots.ts';
import type { NamedMocks } from '../nodes/mock.ts';
import type { StatusMatch } from '../upstream/status-class.ts';

export type Workflow = {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly vars: readonly Variable[];
  /** In file order. Exactly one is of type `input` (none in a body), one or more of type `output`. */
  readonly nodes: readonly WorkflowNode[];
  /** Rows in flight at once while they wait. */
  readonly concurrency: number;
  /** `fail`: the first failed row ends the run. `skip`: the row has no output and the run goes on. */
  readonly onRowError: 'fail' | 'skip';
  /** Tokens that models may use in a run; absent: any number. */
  readonly tokenBudget?: number;
  /** Effect on a run whose budget is spent; absent: that depends on who started it. */
  readonly onBudget?: 'pause' | 'fail';
};

/** A value that every row has in common. */
export type Variable = {
  readonly name: string;
  /** Null: none, a profile must give one. */
  readonly value: JsonValue;
  /** In the file, from 1. */
  readonly line: number;
};

export const variableValues = ({ vars }: Pick<Workflow, 'vars'>): JsonObject =>
  Object.fromEntries(vars.map(({ name, value }) => [name, value]));

/** A failure of a call, by its status or by how it came about. */
type RetriedFailure = StatusMatch | (typeof otherFailures)[number];

export type Retry = {
  /** In all, the first included. */
  readonly attempts: number;
  readonly delayMs: number;
  /** Each further delay is this many times the one before. */
  readonly backoff: number;
  /** Failures of calls that are tried again; absent: all that may succeed then. */
  readonly on?: readonly RetriedFailure[];
};

/** Properties of a node that do not depend on its type. */
type NodeBase = {
  readonly id: string;
  /** Line of the node in the file, from 1. */
  readonly line: number;
  readonly when?: Expression;
  readonly each?: Expression;
  /** Items of `each` in flight at once; absent: one. */
  readonly concurrency?: number;
  readonly retry?: Retry;
  readonly timeoutMs?: number;
  /** The value taken when the node has failed for good; absent: the row fails. */
  readonly onError?: { readonly value: Value };
  /** Nodes that must have run before, for order alone. */
  readonly after: readonly string[];
  /** Named canned answers, used only when a run asks for mocks. */
  readonly mock?: NamedMocks;
  /** Nodes that stand in this one; only in a node of type `workflow` that calls no other file. */
  readonly body?: readonly WorkflowNode[];
};

/** A node with its type and that type's own parsed keys. */
export type WorkflowNode = {
  [T in NodeType]: NodeBase & { readonly type: T; readonly config: NodeConfigs[T] };
}[NodeType];

export type NodeOf<T extends NodeType> = Extract<WorkflowNode, { type: T }>;

export type Repeat = NonNullable<Extract<NodeConfigs[NodeType], { readonly repeat?: unknown }>['repeat']>;

/** How a node repeats its call; undefined if it makes one. */
export const repeatOf = ({ config }: WorkflowNode): Repeat | undefined =>
  'repeat' in config ? config.repeat : undefined;
