// Format 2 of `rowbench.db`: each run has the id of its chain (decision 051). Who calls: `schema.ts`.
import { storedChains, unchainedRun } from '../../domain/run/stored-chains.ts';
import type { Run } from '../../domain/run/run.ts';
import { batchId } from './checksums.ts';
import type { Database } from './open-database.ts';
import { Statements } from './statements.ts';

/** Adds the column and fills it; inside the transaction of the migration. */
export function addChains(database: Database): void {
  const chains = chainsIn(database);
  database.exec('alter table runs add column chain_id text; update runs set chain_id = run_id');
  const sql = new Statements(database);
  for (const [runId, chainId] of chains)
    sql.run('update runs set chain_id = ? where run_id = ?', chainId, runId);
  database.exec('create index runs_by_chain on runs (chain_id, run_id)');
}

/** Shows the runs of a file of format 1 with the column, to this connection alone. */
export function showChains(database: Database): void {
  const sql = new Statements(database);
  const chains = chainsIn(database);
  // Forbids tables of the connection itself as well; the file was opened for reading alone all the same.
  database.exec('pragma query_only = off');
  database.exec('create temp table chains (run_id text primary key, chain_id text not null)');
  for (const [runId, chainId] of chains) sql.run('insert into temp.chains values (?, ?)', runId, chainId);
  // The other process may add runs meanwhile.
  database.exec(`create temp view runs as
    select stored.*, coalesce(chains.chain_id, stored.run_id) as chain_id
    from main.runs as stored left join temp.chains on chains.run_id = stored.run_id`);
  database.exec('pragma query_only = on');
}

/** A run whose record is damaged begins a chain. */
function chainsIn(database: Database): ReadonlyMap<string, string> {
  const stored = new Statements(database)
    .all<{ number: number; record: string }>('select number, record from main.runs where json_valid(record)')
    .map(({ number, record }) => unchainedRun(JSON.parse(record) as Run, hasNumbers(database, number)));
  return storedChains(stored);
}

const hasNumbers = (database: Database, number: number): boolean =>
  database
    .prepare('select 1 from main.row_batches where id = ? and numbers is not null')
    .get(batchId(number, 1)) !== undefined;
