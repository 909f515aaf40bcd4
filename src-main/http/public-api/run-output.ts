// GET /api/v1/workflows/{workflowId}/runs/{runId}/async/response
import { runNotCompleted } from '../../domain/errors.ts';
import type { PublicCall } from './call-facts.ts';
import { findRun } from './find-run.ts';
import { openCall } from './open-call.ts';
import type { PublicApiParts } from './public-api-parts.ts';
import { tellScenario } from './scenario-header.ts';
import { streamOutput } from './stream-output.ts';

export const runOutput = (parts: PublicApiParts) => async (asked: PublicCall) => {
  const { context, workflowId, runId = '' } = asked;
  const { key, call, notes } = await openCall(parts, asked, 'output');
  const run = await findRun(parts.runs, { key, workflowId, runId });
  notes.run = run;
  tellScenario(context, run);
  await call.useResource();
  await parts.apiFaults.strike(run, call);
  if (run.status !== 'completed') {
    throw runNotCompleted(run.status, run.status === 'failed' ? run.error : undefined);
  }
  context.respond = false;
  await streamOutput(context.res, {
    runId,
    lines: parts.runs.readOutputPieces(runId, run.rows),
    log: parts.log,
    seen: (piece) => {
      notes.answeredAt ??= parts.clock.monotonic();
      notes.streamed.take(piece);
    },
  });
};
