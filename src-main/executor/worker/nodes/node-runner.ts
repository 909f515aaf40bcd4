import type { NodeConfigs, NodeType } from '../../../domain/nodes/catalogue.ts';
import type { Mock } from '../../../domain/nodes/mock.ts';
import type { DecimalMark } from '../../../domain/rows/files/number-forms.ts';
import type { Tokens } from '../../../domain/results/tokens.ts';
import type { UpstreamRequest } from '../../ports.ts';
import type { CallAnswered } from '../../protocol.ts';
import type { Compiler } from '../compiler.ts';
import { NodeError } from '../node-error.ts';
import { freezeParsed } from '../plain-value.ts';
import type { RecordIndex } from '../record-index.ts';
import type { RecordLog, RowScope } from '../sandbox.ts';

/**
 * Runs one attempt. Returns plain JSON data or a promise of it; throws for a failed attempt. All author code runs before it
 * returns, since code of other rows may run afterwards.
 */
export type NodeRunner = (scope: RowScope) => unknown;

/** Tools and settings that a node type's runner is made with. */
export type NodeTools = {
  readonly compiler: Compiler;
  /** Seed of the whole run, for repeatable random numbers. */
  readonly seed: number;
  /** The mark before decimals with which the file of the rows was read, if one was decided. */
  readonly decimal: DecimalMark | undefined;
  /** Waits `ms` of the main process's time; fails if the node's `timeout` is shorter. */
  readonly wait: (ms: number, scope: RowScope) => Promise<void>;
  /** Waits for an author's promise while no other row runs; fails when it takes too long. */
  readonly settle: (promise: Promise<unknown>) => Promise<unknown>;
  /** The node's own `timeout`, in ms. */
  readonly timeoutMs: number | undefined;
  /** The records of one of the workflow's tables by a field. */
  readonly records: (table: string, field: string) => RecordIndex;
  /** Another workflow, by id, as a function of a row: its output, or a promise of it. */
  readonly workflow: (workflowId: string) => (row: object, scope: RowScope) => unknown;
  /** Asks the main process for a call to the outside. Other rows go on meanwhile; a pause waits for its end. */
  readonly call: (request: UpstreamRequest, scope: RowScope) => Promise<CallAnswered>;
  /** Counts tokens that a model has used, whatever becomes of its answer. */
  readonly countTokens: (tokens: Tokens, scope: RowScope) => void;
  /** Adds a line to the logs of the row's trace. */
  readonly log: RecordLog;
};

/** Makes the runner of a node from its parsed config, once for each run. */
export type MakeRunner<T extends NodeType> = (config: NodeConfigs[T], tools: NodeTools) => NodeRunner;

/** Runs a mock instead of a node: each attempt gets its own answer; attempts after the last answer get that one. */
export function runMocked(mock: Mock): NodeRunner {
  const answers = freezeParsed(mock);
  return ({ attempt }) => {
    const answer = answers[Math.min(attempt, answers.length) - 1];
    if (answer === undefined || 'value' in answer) return answer?.value;
    throw new NodeError(answer.error, 0, { kind: 'mock' });
  };
}
