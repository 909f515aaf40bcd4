// The answer that the interface would give a call, found by the same checks in the same order, without making the call:
// no run is started, no limit charged, no use of the key noted. Who calls: the control API, for a user who tries a key
// out.
import { AppError } from '../../base/app-error.ts';
import type { Log } from '../../base/log.ts';
import { invalidKey } from '../../domain/request-errors.ts';
import type { ApiKey } from '../../domain/keys/api-key.ts';
import type { Services } from '../../services/services.ts';
import { assertValid } from '../../services/workflows/workflow-service.ts';
import { errorAnswer } from '../error-response.ts';
import type { Triggered } from './answers.ts';
import { findRun, openedWorkflow } from './open-call.ts';
import { statusAnswer } from './run-status.ts';

export type RehearsedCall = {
  /** As it was presented. */
  readonly key: string;
  readonly workflowId: string;
  /** The run whose status the call asks for; absent for a call that starts a run. */
  readonly runId?: string | undefined;
};

export type RehearsedAnswer = {
  readonly status: number;
  /** JSON. Of a run that would be started, the id stands for the one that it would get. */
  readonly body: string;
  /** Absent for an answer that is no refusal. */
  readonly refusal?: AppError['code'];
  readonly retryAfterSeconds?: number;
};

type RehearsalDeps = Services & { readonly log: Log };

/** Throws nothing that the interface would answer. */
export async function rehearseCall(deps: RehearsalDeps, call: RehearsedCall): Promise<RehearsedAnswer> {
  try {
    const key = await deps.access.keys.recognise(call.key);
    if (key === undefined || key.revokedAt !== null) throw invalidKey();
    const { runId } = call;
    return runId === undefined
      ? await rehearseTrigger(deps, key, call.workflowId)
      : await rehearseStatus(deps, key, { workflowId: call.workflowId, runId });
  } catch (error) {
    const { status, body } = errorAnswer(error, deps.log);
    if (!(error instanceof AppError)) throw error;
    const { retryAfterSeconds } = error.detail;
    return {
      status,
      body,
      refusal: error.code,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }
}

async function rehearseTrigger(
  deps: RehearsalDeps,
  key: ApiKey,
  workflowId: string,
): Promise<RehearsedAnswer> {
  const target = { operation: 'trigger', keyId: key.id, resourceId: workflowId } as const;
  await deps.api.limits.check(target, 'key');
  const workflow = await openedWorkflow(deps.workflows, key, workflowId);
  await deps.api.limits.check(target, 'all');
  assertValid(workflow);
  const answer: Triggered = { success: true, data: { workflowId, runId: newRunId, status: 'queued' } };
  return { status: 201, body: JSON.stringify(answer) };
}

async function rehearseStatus(
  deps: RehearsalDeps,
  key: ApiKey,
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
): Promise<RehearsedAnswer> {
  const target = { operation: 'status', keyId: key.id, resourceId: runId } as const;
  await deps.api.limits.check(target, 'key');
  const run = await findRun(deps.runs, { key, workflowId, runId });
  await deps.api.limits.check(target, 'all');
  return { status: 200, body: JSON.stringify(statusAnswer(run)) };
}

/** Stands for an id that only a run has. */
export const newRunId = '(the new run’s id)';
