import { sampleId, type WorkflowView } from '#contract';

type Wanted = {
  readonly url: string;
  /** The workflow to run, and a row for it; without one, words that say what to put there. */
  readonly workflow: WorkflowView | undefined;
  readonly key: string;
};

/** A line for a Unix shell that starts a run of one row. */
export function curlSnippet({ url, workflow, key }: Wanted): string {
  const body = JSON.stringify({ rows: [workflow?.sampleRow ?? {}] });
  return [
    `curl -sS -X POST ${url}/api/v1/workflows/${workflow?.id ?? 'WORKFLOW_ID'}/runs/async`,
    `-H 'x-service-key: ${key}'`,
    `-H 'content-type: application/json'`,
    // Between single quotes a shell reads nothing but the next one.
    `-d '${body.replaceAll("'", `'\\''`)}'`,
  ].join(' \\\n  ');
}

/** A workflow that can run, for a call that works when it is pasted: the user's own before the sample. */
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
