// Completed runs, with their results in one piece or in several: they are stored in other files then.
import { expect } from 'vitest';
import type { openTestServices } from './open-test-services.ts';

type TestServices = Awaited<ReturnType<typeof openTestServices>>;

export type Layout = 'in one piece' | 'in pieces';

/** The file that says what is committed of such a run. */
export const indexOf: Readonly<Record<Layout, string>> = {
  'in one piece': 'results',
  'in pieces': 'outputs.index',
};

/** Runs at least two rows of a workflow to their end. */
export async function completedRun(
  services: TestServices,
  workflowId: string,
  { rows, layout }: { readonly rows: readonly unknown[]; readonly layout: Layout },
): Promise<string> {
  const scenario = layout === 'in pieces' ? { 'pause-at': { row: 1 } } : {};
  const { runId } = await services.start(workflowId, rows, { scenario });
  const untilIs = (status: string): Promise<void> =>
    expect.poll(async () => (await services.runs.get(runId)).run.status, { timeout: 20_000 }).toBe(status);
  if (layout === 'in pieces') {
    await untilIs('paused');
    await services.runs.resume(runId);
  }
  await untilIs('completed');
  return runId;
}
