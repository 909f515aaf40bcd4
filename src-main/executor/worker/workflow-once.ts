// A workflow node with `share: run`: its workflow runs once for equal rows. Who calls: compile-plan, for each call of such a node.
import { sortedJson, type JsonValue } from '../../base/json-value.ts';
import { calledName } from '../../domain/workflow/body.ts';
import type { WorkflowNode } from '../../domain/workflow/workflow.ts';
import { maxSharedBytes, workflowMethod } from '../plan.ts';
import type { CallOrigin, UpstreamAnswer, UpstreamRequest } from '../ports.ts';
import type { CallClaimed, WorkflowEnd } from '../protocol.ts';
import { NodeError, type CallFailure } from './node-error.ts';
import { freezeParsed } from './plain-value.ts';
import { assertRowNeeded, type RowRun } from './row-run.ts';
import type { WorkflowRequests } from './workflow-requests.ts';

type SharedCall = {
  readonly node: WorkflowNode;
  readonly workflowId: string;
  readonly origin: CallOrigin;
  readonly requestWorkflow: WorkflowRequests['request'];
  /** Runs the workflow. Throws NodeError if it fails or takes too long; only the latter is this row's own failure. */
  readonly execute: (body: string, claim: CallClaimed) => Promise<WorkflowEnd>;
};

/** The output of the workflow for a row. Rejects with a NodeError. */
export async function callShared(
  row: object,
  run: RowRun,
  { node, workflowId, origin, requestWorkflow, execute }: SharedCall,
): Promise<unknown> {
  // Equal rows may have their names in any order, and no output shows which of them was first.
  const body = sortedJson(JSON.parse(JSON.stringify(row)) as JsonValue);
  if (isTooLong(body)) throw tooLong('its row', workflowId);
  const timeoutBudget = run.caller?.timeoutBudget;
  timeoutBudget?.assertNotExceeded();
  const left = Math.max(1, timeoutBudget?.remainingMs ?? Infinity);
  const timeoutMs = Math.min(node.timeoutMs ?? Infinity, left);
  const request: UpstreamRequest = {
    method: workflowMethod,
    url: workflowId,
    headers: [],
    body,
    isShared: true,
    ...(timeoutMs === Infinity ? {} : { timeoutMs }),
  };
  let hasRun = false;
  const over = await requestWorkflow(request, run, {
    origin,
    execute: async (claim) => {
      hasRun = true;
      const end = await execute(body, claim);
      assertRowNeeded(run);
      return end;
    },
  });
  if (!hasRun) timeoutBudget?.spendCall(over, timeoutMs < left ? Infinity : left);
  return readEnd(over.answer);
}

/** The output of a called workflow for all rows, or a failure if it is too long for that. @param output its JSON */
export const outputEnd = (output: string, workflowId: string): WorkflowEnd =>
  isTooLong(output) ? failureEnd(tooLong('the output', workflowId)) : { hasFailed: false, text: output };

/** The failure of a called workflow as text. A body that is too long is left out, and the message says so. */
export function failureEnd({ message, retryAfterMs, callFailure }: NodeError): WorkflowEnd {
  const { kind, status, readBody } = callFailure ?? {};
  const failure = { message, retryAfterMs, kind, status };
  const text = JSON.stringify({ ...failure, body: readBody?.() });
  if (!isTooLong(text)) return { hasFailed: true, text };
  const marked = { ...failure, message: `${message} (its body is too long to share)` };
  return { hasFailed: true, text: JSON.stringify(marked) };
}

const isTooLong = (text: string): boolean => Buffer.byteLength(text) > maxSharedBytes;

/** No other attempt is made: it would end as this one. */
const tooLong = (part: string, workflowId: string): NodeError =>
  new NodeError(
    `${calledName(workflowId)}: ${part} is longer than 10 MB, which rows cannot share; shorten it, or remove "share"`,
    Infinity,
  );

type StoredFailure = Partial<Pick<CallFailure, 'kind' | 'status'>> & {
  readonly message: string;
  /** Null: it is not retried, since JSON has no Infinity. */
  readonly retryAfterMs: number | null;
  readonly body?: unknown;
};

function readEnd(answer: UpstreamAnswer): unknown {
  if (answer.kind === 'failed') throw new NodeError(answer.message, answer.isFinal ? Infinity : 0);
  const ended: unknown = JSON.parse(new TextDecoder().decode(answer.body));
  if (answer.status === 200) return freezeParsed(ended);
  const { message, retryAfterMs, kind, status, body } = ended as StoredFailure;
  const failure = kind && {
    kind,
    ...(status === undefined ? {} : { status }),
    ...(body === undefined ? {} : { readBody: () => freezeParsed(body) }),
  };
  throw new NodeError(message, retryAfterMs ?? Infinity, failure);
}
