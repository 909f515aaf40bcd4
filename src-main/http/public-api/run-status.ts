// GET /api/v1/workflows/{workflowId}/runs/{runId}/async/status
import type { Run } from '../../domain/run/run.ts';
import { answerJson } from '../answer-text.ts';
import { type StatusAnswer, setScenarioHeader } from './answers.ts';
import type { PublicCall } from './call-facts.ts';
import { openCall, type PublicApiDeps, findRun } from './open-call.ts';

export const runStatus = (deps: PublicApiDeps) => async (publicCall: PublicCall) => {
  const { context, workflowId, runId = '' } = publicCall;
  const { key, call, notes } = await openCall(deps, publicCall, 'status');
  const found = await findRun(deps.runs, { key, workflowId, runId });
  notes.run = found;
  setScenarioHeader(context, found);
  await call.useResource();
  await deps.api.apiFaults.strike(found, call);
  answerJson(context, statusAnswer(found));
};

/** The answer's body: `error` is there exactly when the run failed; `finishedAt` is null exactly while it is unfinished. */
export function statusAnswer(run: Run): StatusAnswer {
  const { status, startedAt, finishedAt } = run;
  const data = { status, startedAt, finishedAt };
  return { success: true, data: run.status === 'failed' ? { ...data, error: run.error } : data };
}
