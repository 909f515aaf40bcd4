import type { WorkflowView } from '#contract';

type Wanted = { readonly url: string; readonly workflowId: string; readonly key: string };

/** A line for a Unix shell that starts a run of one row. Ids and keys hold no character that a shell would read. */
export const curlSnippet = ({ url, workflowId, key }: Wanted): string =>
  [
    `curl -sS -X POST ${url}/api/v1/workflows/${workflowId}/runs/async`,
    `-H 'x-service-key: ${key}'`,
    `-H 'content-type: application/json'`,
    `-d '{"rows":[{"name":"Ada"}]}'`,
  ].join(' \\\n  ');

/** The id of a workflow that can run, for a call that works when it is pasted. */
export const runnableId = (workflows: readonly WorkflowView[] = []): string =>
  workflows.find(({ issues }) => issues.every(({ severity }) => severity !== 'error'))?.id ?? 'WORKFLOW_ID';
