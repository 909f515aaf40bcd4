// A script's side of the public API: as small as a user's own would be.
import { testKey } from './server-process.ts';

export type Answer = {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
};

/** No answer takes so long; a test that waits for ever says nothing. In ms. */
const longestMs = 60_000;

/** One call with the test key; the body is parsed as JSON whatever the status. */
export async function callApi(url: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    signal: AbortSignal.timeout(longestMs),
    ...init,
    headers: { 'x-service-key': testKey, ...(init.headers as Record<string, string> | undefined) },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

/** Triggers a run and gives its id. Throws unless the answer is 201. */
export async function trigger(url: string, workflowId: string, rows: readonly unknown[]): Promise<string> {
  const answer = await callApi(url, `/api/v1/workflows/${workflowId}/runs/async`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rows }),
  });
  if (answer.status !== 201)
    throw new Error(`trigger answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return (answer.body['data'] as { runId: string }).runId;
}

export type RunStatusData = { status: string; startedAt: string; finishedAt: string | null; error?: string };

export async function statusOf(url: string, workflowId: string, runId: string): Promise<RunStatusData> {
  const answer = await callApi(url, `/api/v1/workflows/${workflowId}/runs/${runId}/async/status`);
  if (answer.status !== 200)
    throw new Error(`status answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body['data'] as RunStatusData;
}

export async function outputOf(
  url: string,
  workflowId: string,
  runId: string,
): Promise<Record<string, unknown>> {
  const answer = await callApi(url, `/api/v1/workflows/${workflowId}/runs/${runId}/async/response`);
  if (answer.status !== 200)
    throw new Error(`output answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body['data'] as Record<string, unknown>;
}

/** Polls until the run is final. Throws after `withinMs`. */
export async function finalStatus(
  url: string,
  run: { readonly workflowId: string; readonly runId: string },
  withinMs = 60_000,
): Promise<RunStatusData> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const status = await statusOf(url, run.workflowId, run.runId);
    if (['completed', 'failed', 'cancelled'].includes(status.status)) return status;
    if (performance.now() > deadline)
      throw new Error(`run ${run.runId} is still ${status.status} after ${withinMs} ms`);
    // More often, the questions would take a core from the run.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
