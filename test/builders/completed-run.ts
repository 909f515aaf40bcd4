import { expect } from 'vitest';
import type { TestServices } from './open-test-services.ts';

/** Runs rows of a workflow to their end; resolves to the run's id. */
export async function completedRun(
  services: TestServices,
  workflowId: string,
  rows: readonly unknown[],
): Promise<string> {
  const { runId } = await services.start(workflowId, rows);
  await expect
    .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000 })
    .toBe('completed');
  return runId;
}
