// GET /api/v1/workflows/{workflowId}/runs/{runId}/async/response
import { runNotCompleted } from '../../domain/run-errors.ts';
import type { PublicCall } from './call-facts.ts';
import { findRun } from './find-run.ts';
import { openCall } from './open-call.ts';
import type { PublicApiDeps } from './public-api-deps.ts';
import { setScenarioHeader } from './scenario-header.ts';
import { streamOutput } from './stream-output.ts';

export const openRunOutput = (deps: PublicApiDeps) => async (publicCall: PublicCall) => {
  const { context, workflowId, runId = '' } = publicCall;
  const { key, call, notes } = await openCall(deps, publicCall, 'output');
  const run = await findRun(deps.runs, { key, workflowId, runId });
  notes.run = run;
  setScenarioHeader(context, run);
  await call.useResource();
  await deps.apiFaults.strike(run, call);
  if (run.status !== 'completed') {
    throw runNotCompleted(run.status, run.status === 'failed' ? run.error : undefined);
  }
  context.respond = false;
  await streamOutput(context.res, {
    runId,
    lines: deps.runs.readOutputPieces(runId, run.rows),
    log: deps.log,
    seen: (piece) => {
      notes.answeredAt ??= deps.clock.monotonic();
      notes.streamed.take(piece);
    },
  });
};
