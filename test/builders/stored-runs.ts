// Reads `rowbench.db` while another process has it open.
import type { Run } from '../../src-main/domain/run/run.ts';
import { queryDatabase } from './query-database.ts';

/** The names of all that is stored of runs, whole or half. */
export async function storedRuns(dataDir: string): Promise<readonly string[]> {
  const [found = []] = await queryDatabase(dataDir, [
    `select run_id as name from runs union all select 'rows of no run ' || owner from orphans order by name`,
  ]);
  return found.map(({ name }) => String(name));
}

/** The run's record; nothing of it where there is no such run. */
export async function storedRun(dataDir: string, runId: string): Promise<Partial<Run>> {
  const [found = []] = await queryDatabase(dataDir, ['select record from runs where run_id = ?', runId]);
  return JSON.parse((found[0]?.['record'] as string | undefined) ?? '{}') as Partial<Run>;
}

/** Number of stored snapshots of workflows and tables. */
export async function snapshotsIn(dataDir: string): Promise<number> {
  const [found = []] = await queryDatabase(dataDir, ['select hash from snapshots']);
  return found.length;
}
