// Adds the id of its chain to each run of a team's database (decision 051). Who calls: `schema.ts`.
import { storedChains, unchainedRun, type UnchainedRun } from '../../domain/run/stored-chains.ts';
import type { Run } from '../../domain/run/run.ts';
import type { Sql } from '../sql.ts';

/** Runs that are read at once. */
const runsAtOnce = 1_000;

/** Servers of the version before leave the column empty: their new runs are chains of their own. */
export async function addTeamChains(sql: Sql): Promise<void> {
  await sql.run('alter table rowbench.runs add column chain_id text collate "C"');
  const chains = [...storedChains(await unchainedRuns(sql))];
  await sql.query(
    `update rowbench.runs set chain_id = chains.chain_id
     from unnest($1::text[], $2::text[]) as chains (run_id, chain_id) where runs.run_id = chains.run_id`,
    [chains.map(([runId]) => runId), chains.map(([, chainId]) => chainId)],
  );
  await sql.run('create index runs_by_chain on rowbench.runs ((coalesce(chain_id, run_id)), run_id)');
}

async function unchainedRuns(sql: Sql): Promise<readonly UnchainedRun[]> {
  const runs: UnchainedRun[] = [];
  for (let after = ''; ;) {
    const found = await sql.query<{ run_id: string; record: string; has_numbers: boolean }>(
      `select run_id, record, exists (
         select from rowbench.row_batches as batches
         where batches.owner = runs.owner and first_row = 1 and numbers is not null) as has_numbers
       from rowbench.runs where run_id > $1 order by run_id limit ${runsAtOnce}`,
      [after],
    );
    for (const { record, has_numbers: hasNumbers } of found) {
      const run = parsed(record);
      if (run !== undefined) runs.push(unchainedRun(run, hasNumbers));
    }
    if (found.length < runsAtOnce) return runs;
    after = found.at(-1)?.run_id ?? '';
  }
}

/** Undefined for a damaged record: the run begins a chain. */
function parsed(record: string): Run | undefined {
  try {
    return JSON.parse(record) as Run;
  } catch {
    return undefined;
  }
}
