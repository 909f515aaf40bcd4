import { sampleId, type JsonObject, type WorkflowView } from '#contract';

/** Stands in calls where no key is known. */
export const placeholderKey = 'YOUR_KEY';

type CurlCall = {
  readonly url: string;
  /** The workflow to run; undefined: the snippet has a placeholder. */
  readonly workflow: { readonly id: string; readonly sampleRow?: JsonObject | undefined } | undefined;
  readonly key: string;
};

/** A line for a Unix shell that starts a run of one row. */
export function curlSnippet({ url, workflow, key }: CurlCall): string {
  const body = JSON.stringify({ rows: [workflow?.sampleRow ?? {}] });
  return [
    `curl -sS -X POST ${url}/api/v1/workflows/${workflow?.id ?? 'WORKFLOW_ID'}/runs/async`,
    `-H 'x-service-key: ${key}'`,
    `-H 'content-type: application/json'`,
    // Between single quotes, only another single quote is special to a shell.
    `-d '${body.replaceAll("'", `'\\''`)}'`,
  ].join(' \\\n  ');
}

/** A workflow that can run, so that a pasted call works: preferably one of the user, else the sample. */
export function runnableOf(
  workflows: readonly WorkflowView[] = [],
  /** Ids to choose from; null for all. */
  ids: readonly string[] | null = null,
): WorkflowView | undefined {
  const runnable = workflows.filter(
    ({ id, sampleRow, trust }) =>
      sampleRow !== undefined && trust !== 'untrusted' && (ids === null || ids.includes(id)),
  );
  return runnable.find(({ id }) => id !== sampleId) ?? runnable[0];
}
