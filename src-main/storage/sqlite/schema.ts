// The tables of `rowbench.db`. A migration is only ever added at the end; `user_version` counts those that a file has had.
import { dataUnreadable } from '../../domain/store-errors.ts';
import { pragma, type Database } from './open-database.ts';
import { storedChains, unchainedRun } from '../../domain/run/stored-chains.ts';
import type { Run } from '../../domain/run/run.ts';
import { batchId } from './checksums.ts';
import { Statements } from './statements.ts';

const migrations: readonly (string | ((database: Database) => void))[] = [
  `
  -- Runs and row sets take their numbers from one sequence, since both own batches of rows.
  create table runs (
    number integer primary key,
    run_id text not null unique,
    workflow_id text not null,
    status text not null,
    accepted_at text not null,
    rerun_of text,
    -- Retention clock in ms; null while the run is unfinished.
    ended_at_ms integer,
    -- Of all its batches.
    bytes integer not null,
    rows_done integer not null default 0,
    rows_failed integer not null default 0,
    rows_unfinished integer not null default 0,
    trace_bytes integer not null default 0,
    -- JSON of RunStatistics; null before the first commit.
    statistics text,
    -- Over the five columns before; null before the first commit.
    progress_crc integer,
    -- JSON of Run, and its CRC-32.
    record text not null,
    record_crc integer not null
  ) strict;
  create index runs_by_workflow on runs (workflow_id, run_id);
  create index runs_by_status on runs (status, run_id);
  create index runs_by_original on runs (rerun_of, run_id) where rerun_of is not null;
  create index unfinished_runs on runs (number) where ended_at_ms is null;
  create index ended_runs on runs (ended_at_ms) where ended_at_ms is not null;

  -- Rows as lines of JSON. \`lines\` is null where one row is so large that \`pieces\` holds it.
  create table row_batches (
    id integer primary key,
    first_row integer not null,
    rows integer not null,
    lines blob,
    lines_crc integer not null,
    -- Row numbers of a rerun (u32, little endian), and the first of them.
    first_number integer,
    numbers blob,
    numbers_crc integer not null,
    -- Node values that the rows reuse, a line each.
    reused blob,
    reused_crc integer not null
  ) strict;

  -- One commit of results each. \`outputs\` is null where they are so large that \`pieces\` holds them.
  create table output_batches (
    id integer primary key,
    first_row integer not null,
    rows integer not null,
    rows_failed integer not null,
    outputs blob,
    outputs_crc integer not null,
    states blob not null,
    states_crc integer not null,
    trace blob,
    trace_crc integer not null
  ) strict;

  -- Lines too large to be read at once. \`kind\`: 0 of row_batches, 1 of output_batches.
  create table pieces (
    kind integer not null,
    batch integer not null,
    piece integer not null,
    bytes blob not null,
    crc integer not null,
    primary key (kind, batch, piece)
  ) strict;

  -- Owners whose batches belong to nothing: rows that are still arriving, and what was removed. A start clears them away.
  create table orphans (owner integer primary key, bytes integer not null) strict;

  -- Texts of workflows and tables as runs were accepted with them, by their SHA-256.
  create table snapshots (hash text primary key, kind text not null, text text not null) strict;
  create table run_snapshots (
    hash text not null references snapshots (hash),
    owner integer not null,
    primary key (hash, owner)
  ) strict, without rowid;

  create table row_sets (
    number integer primary key,
    set_id text not null unique,
    -- JSON of RowSet, and its CRC-32.
    record text not null,
    record_crc integer not null
  ) strict;
  `,
  addChains,
  `
  -- Answers to the calls that rows of a run share, by the idempotency key of the call.
  create table shared_answers (
    owner integer not null,
    key text not null,
    -- Rises when an answer is replaced that a node could not use.
    version integer not null,
    answer blob not null,
    -- CRC-32 over the key, the version and the answer.
    crc integer not null,
    primary key (owner, key)
  ) strict;
  `,
];

/** The format of a file that this version writes. */
export const formatNumber = migrations.length;

/** Throws `data_unreadable` for a file that a newer version has written. */
export function assertKnownFormat(database: Database): void {
  const found = formatNumberOf(database);
  if (found > formatNumber)
    throw dataUnreadable(
      `rowbench.db has format ${found}, and this version of Rowbench reads formats up to ${formatNumber}. Start the newer version that wrote it`,
    );
}

/** Brings the tables up to date. */
export function migrate(database: Database): void {
  const found = formatNumberOf(database);
  for (const [index, migration] of migrations.entries()) {
    if (index < found) continue;
    database.exec('begin immediate');
    try {
      if (typeof migration === 'string') database.exec(migration);
      else migration(database);
      database.exec(`pragma user_version = ${index + 1}; commit`);
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  }
}

/** Lets a file of an earlier format be read as one of this version; the file stays as it is. */
export function readAsMigrated(database: Database): void {
  if (formatNumberOf(database) === 1) showChains(database);
}

/** Number of migrations that the file has had; 0 for a new one. */
export const formatNumberOf = (database: Database): number => Number(pragma(database, 'user_version'));

// Format 2 of `rowbench.db`: each run has the id of its chain (decision 051). Who calls: `schema.ts`.

/** Adds the column and fills it; inside the transaction of the migration. */
function addChains(database: Database): void {
  const chains = chainsIn(database);
  database.exec('alter table runs add column chain_id text; update runs set chain_id = run_id');
  const sql = new Statements(database);
  for (const [runId, chainId] of chains)
    sql.run('update runs set chain_id = ? where run_id = ?', chainId, runId);
  database.exec('create index runs_by_chain on runs (chain_id, run_id)');
}

/** Shows the runs of a file of format 1 with the column, to this connection alone. */
function showChains(database: Database): void {
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
