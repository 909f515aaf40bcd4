// What lies in `rowbench.db`, beside the process that has it open.
import { join } from 'node:path';
import { databaseName } from '../../src-main/storage/run-database.ts';
import { openForReading } from '../../src-main/storage/sqlite/open-database.ts';

/** The names of all that is stored of runs, whole or half. */
export async function storedRuns(dataDir: string): Promise<readonly string[]> {
  const found = await query<{ name: string }>(
    dataDir,
    `select run_id as name from runs union all select 'rows of no run ' || owner from orphans order by name`,
  );
  return found.map(({ name }) => name);
}

/** How many texts of workflows and tables are stored. */
export async function snapshotsIn(dataDir: string): Promise<number> {
  return (await query(dataDir, 'select hash from snapshots')).length;
}

async function query<Row extends object>(dataDir: string, sql: string): Promise<readonly Row[]> {
  const database = await openForReading(join(dataDir, databaseName));
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}
