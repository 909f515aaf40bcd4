import type { WorkflowView } from '#contract';

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

/** A workflow that can run, for a call that works when it is pasted; of those given where any are. */
export const runnableOf = (
  workflows: readonly WorkflowView[] = [],
  ids: readonly string[] | null = null,
): WorkflowView | undefined =>
  workflows.find(
    ({ id, sampleRow, trust }) =>
      sampleRow !== undefined && trust !== 'untrusted' && (ids === null || ids.includes(id)),
  );
