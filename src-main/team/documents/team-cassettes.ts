// The cassettes of a team: those that were published, and the calls that runs have recorded since, in the database. A run
// that records or replays uses the cassette as it was at its acceptance, so that all of its segments get the same answers.
// Who calls: servers. INVARIANT: a recorded call is in `recorded_calls` or in `cassettes`, and never in both.
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { utf8Text } from '../../base/utf8-text.ts';
import { emptyCassette, type Cassette } from '../../domain/cassette/cassette.ts';
import { readCassette, mergeCassettes, withoutRequestsOf } from '../../domain/cassette/read-cassette.ts';
import type { RecordedCall } from '../../domain/cassette/recording.ts';
import type { Run } from '../../domain/run/run.ts';
import { cassetteInvalid } from '../../domain/workflow-errors.ts';
import { cassetteNameFor } from '../../domain/workflow/file-names.ts';
import type { CassetteRecorder, WorkflowCassette } from '../../executor/ports.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { readWhole } from '../../files/read-bytes.ts';
import { textHash } from '../../files/text-file.ts';
import { type PinnedCassette, insertCalls, withCalls } from '../segments/segment-cassette.ts';
import type { Sql, TeamSql } from '../sql.ts';
import { withStoreErrors } from '../team-errors.ts';

/** A workflow, with its file if that is known: its published cassette is in the same folder. */
type CassetteOwner = { readonly workflowId: string; readonly file: string | undefined };

type Published = {
  readonly cassette: Cassette | undefined;
  readonly hash: string | undefined;
};

type Recorded = {
  readonly cassette: Cassette | undefined;
  readonly publishedHash: string | undefined;
  readonly calls: readonly RecordedCall[];
  /** True if a run that has recorded some of the calls may add more. */
  readonly isRecording: boolean;
};

export class TeamCassettes {
  readonly #database: TeamSql;

  constructor(database: TeamSql) {
    this.#database = database;
  }

  /** The current cassette of a workflow, read anew for each call. */
  open(workflowId: string, file: string | undefined): WorkflowCassette {
    const owner = { workflowId, file };
    const database = this.#database;
    return {
      label: nameFor(owner),
      read: () =>
        withStoreErrors(async () =>
          current(await readPublished(owner), await readRecorded(database, workflowId)),
        ),
      record: () => this.#record(owner),
    };
  }

  /** Notes the cassette that a run may use, in the transaction of its acceptance. */
  async pin(
    sql: Sql,
    { run, owner, file }: { readonly run: Run; readonly owner: number; readonly file: string | undefined },
  ): Promise<void> {
    const { workflowId, mode = 'live' } = run;
    if (mode === 'live' || mode === 'mocks') return;
    const cassette = await readAndMerge(sql, { workflowId, file });
    const hash = cassette === undefined ? undefined : await pinText(sql, owner, JSON.stringify(cassette));
    const pinned: PinnedCassette = {
      name: nameFor({ workflowId, file }),
      ...(hash === undefined ? {} : { hash }),
    };
    await sql.query('update rowbench.runs set cassette = $2 where owner = $1', [
      owner,
      JSON.stringify(pinned),
    ]);
  }

  /** Records answers to calls that belong to no run; they are stored when it is closed. */
  async #record(owner: CassetteOwner): Promise<CassetteRecorder> {
    const { workflowId } = owner;
    const { matchHeaders, keepHeaders } = (await readPublished(owner)).cassette ?? emptyCassette;
    const calls: RecordedCall[] = [];
    const store = async (sql: Sql): Promise<void> => {
      await insertCalls(sql, { workflowId, calls, matchHeaders });
      await readAndMerge(sql, owner);
    };
    return {
      matchHeaders,
      keepHeaders,
      add: async (call) => void calls.push(call),
      close: () => withStoreErrors(() => this.#database.transaction(store)),
    };
  }
}

/** Reads the cassette, and adds the calls of runs that have ended to what is stored. */
async function readAndMerge(sql: Sql, owner: CassetteOwner): Promise<Cassette | undefined> {
  const { workflowId } = owner;
  const published = await readPublished(owner);
  await sql.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`cassette ${workflowId}`]);
  const recorded = await readRecorded(sql, workflowId);
  if (recorded.calls.length > 0 && !recorded.isRecording) {
    const merged = withCalls(recordedEntries(published, recorded), recorded.calls);
    await sql.query(
      `insert into rowbench.cassettes (workflow_id, published_hash, text) values ($1, $2, $3)
       on conflict (workflow_id) do update set published_hash = excluded.published_hash, text = excluded.text`,
      [workflowId, published.hash ?? null, Buffer.from(JSON.stringify(merged))],
    );
    await sql.query('delete from rowbench.recorded_calls where workflow_id = $1 and run_id = any($2)', [
      workflowId,
      [...new Set(recorded.calls.map(({ runId }) => runId))],
    ]);
  }
  return current(published, recorded);
}

const nameFor = ({ workflowId, file }: CassetteOwner): string =>
  cassetteNameFor(file === undefined ? workflowId : basename(file));

/** The published cassette. Throws `invalid_input` if it is damaged. */
async function readPublished(owner: CassetteOwner): Promise<Published> {
  const { file } = owner;
  const name = nameFor(owner);
  const bytes = file === undefined ? undefined : await readWhole(nodeFileSystem, join(dirname(file), name));
  if (bytes === undefined) return { cassette: undefined, hash: undefined };
  const read = readCassette(utf8Text(bytes, name));
  if ('problem' in read) throw cassetteInvalid(name, read.problem);
  return { cassette: read.cassette, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** The whole cassette. Later answers come first: the calls, then the newer of the stored and the published entries. */
function current(published: Published, recorded: Recorded): Cassette | undefined {
  if (recorded.cassette === undefined && recorded.calls.length === 0) return published.cassette;
  const merged = mergeCassettes(recordedEntries(published, recorded), published.cassette);
  return withCalls(merged ?? emptyCassette, recorded.calls);
}

/** Entries that were recorded here, but those that a newer publication replaces. */
function recordedEntries(published: Published, { cassette, publishedHash }: Recorded): Cassette {
  const { matchHeaders, keepHeaders } = published.cassette ?? emptyCassette;
  const entries = { ...(cassette ?? emptyCassette), matchHeaders, keepHeaders };
  return published.cassette === undefined || published.hash === publishedHash
    ? entries
    : withoutRequestsOf(entries, published.cassette);
}

type RecordedColumns = {
  readonly published_hash: string | null;
  readonly text: Uint8Array | null;
  readonly call: string | null;
  readonly is_recording: boolean;
};

async function readRecorded(sql: Sql, workflowId: string): Promise<Recorded> {
  // One statement, since another server may move calls from one table to the other.
  const found = await sql.query<RecordedColumns>(
    `select published_hash, text, null as call, false as is_recording
     from rowbench.cassettes where workflow_id = $1
     union all
     select null, null, call, exists (
       select from rowbench.runs r where r.run_id = c.run_id and r.ended_at_ms is null
     ) from rowbench.recorded_calls c where workflow_id = $1`,
    [workflowId],
  );
  const [stored] = found.flatMap(({ text, ...columns }) => (text === null ? [] : [{ ...columns, text }]));
  return {
    cassette: stored === undefined ? undefined : parseCassette(stored.text),
    publishedHash: stored?.published_hash ?? undefined,
    calls: found.flatMap(({ call }) => (call === null ? [] : [JSON.parse(call) as RecordedCall])),
    isRecording: found.some((each) => each.is_recording),
  };
}

const parseCassette = (text: Uint8Array): Cassette =>
  JSON.parse(Buffer.from(text).toString('utf8')) as Cassette;

/** Stores a text until the run is removed; returns its hash. */
async function pinText(sql: Sql, owner: number, text: string): Promise<string> {
  const hash = textHash(text);
  // Locks a stored text, so that the removal of another run does not remove it.
  const locked = await sql.query('select from rowbench.snapshots where hash = $1 for key share', [hash]);
  if (locked.length === 0)
    await sql.query(
      `insert into rowbench.snapshots (hash, kind, text) values ($1, 'cassette', $2)
       on conflict (hash) do update set kind = excluded.kind`,
      [hash, Buffer.from(text)],
    );
  await sql.query('insert into rowbench.run_snapshots (hash, owner) values ($1, $2) on conflict do nothing', [
    hash,
    owner,
  ]);
  return hash;
}
