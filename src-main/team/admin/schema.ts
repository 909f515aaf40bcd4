// The tables of a team's database, in the schema `rowbench`; pg-boss has its own in `rowbench_queue`. A migration is only
// ever added at the end, and first adds what a later one uses: servers of two versions run at the same time.
import type { Sql } from '../sql.ts';
import { addTeamChains } from './chain-migration.ts';

/** Schema of pg-boss. */
export const queueSchema = 'rowbench_queue';

/** Statements, or code that sends them. */
type Migration = string | ((sql: Sql) => Promise<void>);

export const migrations: readonly Migration[] = [
  `
  create table rowbench.migrations (number integer primary key, at timestamptz not null default now());

  -- Runs and row sets take their numbers from one sequence, since both own batches of rows. A server takes 64 at once.
  create sequence rowbench.owners increment by 64;

  create table rowbench.runs (
    owner bigint primary key,
    -- Ids and times are compared byte by byte, whatever the language of the database.
    run_id text collate "C" not null unique,
    workflow_id text collate "C" not null,
    status text collate "C" not null,
    accepted_at text collate "C" not null,
    rerun_of text collate "C",
    -- Retention clock in ms; null while the run is unfinished.
    ended_at_ms bigint,
    -- Of all its batches.
    bytes bigint not null,
    -- Of segments that have ended; those that are under way have their own.
    rows_done integer not null default 0,
    rows_failed integer not null default 0,
    rows_unfinished integer not null default 0,
    trace_bytes bigint not null default 0,
    -- JSON of RunStatistics, of segments that have ended.
    statistics text,
    -- JSON of Run. Text, since jsonb refuses \\u0000.
    record text not null,
    -- Segments that have not ended.
    segments_left integer not null,
    -- Segments that may be in the queue or under way at the same time: 1 where rows must run in order.
    queued_segments integer not null,
    -- cancel: no segment may begin, and the run is cancelled once none is under way.
    requested_action text,
    -- The first segment in which a row failed that fails the run; later ones are dropped.
    failed_segment integer,
    -- JSON: the addresses and secrets that its calls may use, as they were allowed at acceptance.
    access text
  );
  create index runs_by_workflow on rowbench.runs (workflow_id, run_id);
  create index runs_by_status on rowbench.runs (status, run_id);
  create index runs_by_original on rowbench.runs (rerun_of, run_id) where rerun_of is not null;
  create index unfinished_runs on rowbench.runs (run_id) where ended_at_ms is null;
  create index ended_runs on rowbench.runs (ended_at_ms) where ended_at_ms is not null;

  -- Consecutive rows of a run that one worker runs; they begin where a batch of rows begins.
  create table rowbench.segments (
    owner bigint not null references rowbench.runs on delete cascade,
    first_row integer not null,
    rows integer not null,
    -- waiting: not in the queue. queued: one job of the queue names it. running: a worker has that job.
    -- done: all rows have results. failed: a row failed, and its run with it. dropped: its rows will not run.
    state text not null,
    rows_done integer not null default 0,
    rows_failed integer not null default 0,
    rows_unfinished integer not null default 0,
    trace_bytes bigint not null default 0,
    statistics text,
    -- Of its results.
    bytes bigint not null default 0,
    -- Attempts in a row that ended without a commit and without a word.
    failed_attempts integer not null default 0,
    -- Committed rows when the attempt under way began.
    rows_at_attempt integer not null default 0,
    -- Why it failed.
    error text,
    -- Server or worker that has it or had it last.
    worker text,
    changed_at timestamptz not null default now(),
    primary key (owner, first_row)
  );
  create index segments_by_state on rowbench.segments (owner, state, first_row);

  -- Rows as lines of JSON. lines is null where one row is so large that pieces holds it.
  create table rowbench.row_batches (
    owner bigint not null,
    first_row integer not null,
    rows integer not null,
    lines bytea,
    lines_crc bigint not null,
    first_number bigint,
    numbers bytea,
    numbers_crc bigint not null,
    reused bytea,
    reused_crc bigint not null,
    primary key (owner, first_row)
  );

  -- One commit of results each. outputs is null where they are so large that pieces holds them.
  create table rowbench.output_batches (
    owner bigint not null,
    first_row integer not null,
    rows integer not null,
    rows_failed integer not null,
    outputs bytea,
    outputs_crc bigint not null,
    states bytea not null,
    states_crc bigint not null,
    trace bytea,
    trace_crc bigint not null,
    primary key (owner, first_row)
  );
  create index failed_batches on rowbench.output_batches (owner, first_row) where rows_failed > 0;

  -- Lines too large to be read at once. kind: 0 of row_batches, 1 of output_batches.
  create table rowbench.pieces (
    kind smallint not null,
    owner bigint not null,
    first_row integer not null,
    piece integer not null,
    bytes bytea not null,
    crc bigint not null,
    primary key (owner, kind, first_row, piece)
  );

  -- Stored without compression, so that a commit does not wait for it.
  alter table rowbench.row_batches alter column lines set storage external, alter column reused set storage external;
  alter table rowbench.output_batches alter column outputs set storage external, alter column trace set storage external;
  alter table rowbench.pieces alter column bytes set storage external;

  -- Owners whose batches belong to nothing: rows that are still arriving at a server, and what was removed.
  create table rowbench.orphans (owner bigint primary key, bytes bigint not null, at timestamptz not null default now(),
    is_arriving boolean not null);

  -- Texts of workflows and tables as runs were accepted with them, by their SHA-256.
  create table rowbench.snapshots (hash text primary key, kind text not null, text bytea not null);
  create table rowbench.run_snapshots (
    hash text not null references rowbench.snapshots,
    owner bigint not null references rowbench.runs on delete cascade,
    primary key (hash, owner)
  );
  create index run_snapshots_by_owner on rowbench.run_snapshots (owner);

  create table rowbench.row_sets (owner bigint primary key, set_id text not null unique, bytes bigint not null, record text not null);

  -- Small documents: settings, the retention clock.
  create table rowbench.documents (name text primary key, version bigint not null, value text not null);
  -- Small documents that workers cannot read: keys, tokens, sessions of browsers, trust.
  create table rowbench.private_documents (name text primary key, version bigint not null, value text not null);
  -- Values of secrets, sealed with a key that the database never has.
  create table rowbench.secrets (name text primary key, version bigint not null, value text not null);

  -- Workflows and the files beside them, as they were published last.
  create table rowbench.published_files (
    path text primary key,
    bytes bytea not null,
    hash text not null,
    published_at timestamptz not null default now(),
    published_by text not null
  );

  -- Recorded calls of a workflow, a line each, in the order in which they were recorded.
  create table rowbench.cassette_lines (
    workflow_id text not null,
    line_number bigint generated always as identity,
    line bytea not null,
    primary key (workflow_id, line_number)
  );

  -- Its ids rise with time.
  create table rowbench.audit (id text primary key, record text not null);

  -- Times of calls within the last minute, in ms by the database's clock. A crash of the database forgets them.
  create unlogged table rowbench.limit_windows (name text primary key, times bigint[] not null, expires_at timestamptz not null);
  create index expired_windows on rowbench.limit_windows (expires_at);

  -- For people: nothing is decided by it.
  create table rowbench.servers (
    id text primary key,
    name text not null,
    kind text not null,
    version text not null,
    slots integer not null,
    seen_at timestamptz not null default now()
  );
  `,
  `
  -- JSON of PinnedCassette: the recorded answers that a run may use, as they were at acceptance.
  alter table rowbench.runs add column cassette text;

  -- Calls of runs that record, until a server adds them to the workflow's cassette.
  create table rowbench.recorded_calls (
    workflow_id text collate "C" not null,
    run_id text collate "C" not null,
    -- SHA-256 of the request, its place in the workflow, and the attempt.
    call_hash text collate "C" not null,
    -- Number of the first row that made it; rows with greater numbers change nothing.
    row_number bigint not null,
    -- JSON of RecordedCall.
    call text not null,
    primary key (workflow_id, run_id, call_hash)
  );
  -- Calls that were recorded here, by workflow; published cassettes are in published_files.
  create table rowbench.cassettes (
    workflow_id text collate "C" primary key,
    -- SHA-256 of the published cassette when the last calls were added; a newer one comes before this one.
    published_hash text,
    -- JSON of Cassette.
    text bytea not null
  );
  drop table rowbench.cassette_lines;
  `,
  `
  -- Time of hosts that processes have reserved for calls with a limit. A crash of the database forgets it.
  create unlogged table rowbench.host_reservations (
    -- With its port.
    host text collate "C" primary key,
    reserved_until timestamptz not null
  );
  `,
  `
  -- Hosts with ports at which a server is reached: no workflow calls them.
  alter table rowbench.servers add column addresses text[] not null default '{}';
  `,
  addTeamChains,
  `
  -- Answers to the calls that rows of a run share, by the idempotency key of the call.
  create table rowbench.shared_answers (
    owner bigint not null,
    key text collate "C" not null,
    -- Rises with each claim after the first.
    version integer not null,
    -- Attempt at a segment that makes the call: job of the queue, and number of its attempt. Null: the call has an answer, or
    -- no attempt makes it.
    job text,
    retry_count integer,
    answer bytea,
    -- CRC-32 over the key, the version and the answer.
    crc bigint,
    primary key (owner, key)
  );
  alter table rowbench.shared_answers alter column answer set storage external;
  `,
];

/** Tables that workers may read, change, and add to. They cannot read any other table. */
export const workerGrants = `
  grant usage on schema rowbench to %I;
  grant select, update on rowbench.runs, rowbench.segments to %I;
  grant select on rowbench.migrations, rowbench.row_batches, rowbench.snapshots, rowbench.run_snapshots, rowbench.documents, rowbench.secrets, rowbench.published_files to %I;
  grant select, insert, delete on rowbench.output_batches, rowbench.pieces to %I;
  grant select, insert, update on rowbench.recorded_calls to %I;
  grant select, insert, update, delete on rowbench.shared_answers to %I;
  grant select, insert, update, delete on rowbench.servers, rowbench.host_reservations to %I;
  grant usage on schema ${queueSchema} to %I;
  grant select, insert, update, delete on all tables in schema ${queueSchema} to %I;
  grant usage on all sequences in schema ${queueSchema} to %I;
  grant execute on all functions in schema ${queueSchema} to %I;
`;

/** Rights of servers: they may change all data, but no table definition. */
export const serverGrants = `
  grant usage on schema rowbench, ${queueSchema} to %I;
  grant select, insert, update, delete on all tables in schema rowbench, ${queueSchema} to %I;
  revoke insert, update, delete on rowbench.migrations from %I;
  revoke update, delete on rowbench.audit from %I;
  grant usage on all sequences in schema rowbench, ${queueSchema} to %I;
  grant execute on all functions in schema ${queueSchema} to %I;
`;
