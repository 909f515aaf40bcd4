// The statements that change runs, rows and row sets in the database of a team; StoreWriter has their counterparts. Each
// method is one transaction. Who calls: TeamDatabase.
import { invariant } from '../base/invariant.ts';
import { runNotFound } from '../domain/run-errors.ts';
import type { RowSet } from '../domain/rows/row-set.ts';
import type { Run } from '../domain/run/run.ts';
import { endedAtMs, snapshotsOf } from '../domain/run/stored-run.ts';
import type { Acceptance } from '../storage/sqlite/store-writer.ts';
import type { NewPiece } from '../storage/sqlite/stored-batches.ts';
import type { AcceptedRuns } from './accept-run.ts';
import { lastBatchInsert, pieceInsert, rowsInsert, segmentsInsert, type LastBatch } from './batch-inserts.ts';
import type { Sql, TeamSql } from './sql.ts';
import { isMissingReference, rowsExpired, snapshotRemoved } from './team-errors.ts';

/** Batches that one call of `sweep` removes. */
const sweptBatches = 256;
/** Time after which rows that still arrive count as left behind by a server that is gone. */
const arrivalExpiry = '1 hour';

export class TeamWriter {
  readonly #sql: TeamSql;
  readonly #accepted: () => AcceptedRuns | undefined;
  /** Owners whose rows are arriving at this server. */
  readonly #arriving = new Set<number>();

  constructor(sql: TeamSql, accepted: () => AcceptedRuns | undefined) {
    this.#sql = sql;
    this.#accepted = accepted;
  }

  /** Removes row sets that left the list before this time, and those without such a time, which earlier versions stored. */
  async removeSetsRemovedBefore(iso: string): Promise<void> {
    await this.#sql.query(
      `with row_set as (
         delete from rowbench.row_sets where strpos(record, '"removed":true') > 0
           and coalesce(substring(record from '"removedAt":"([^"]+)"'), '') < $1 collate "C" returning owner
       )
       insert into rowbench.orphans (owner, bytes, is_arriving) select owner, 0, false from row_set`,
      [iso],
    );
  }

  /** Stores rows of an owner that nothing refers to yet. The acceptance makes them durable. */
  async stageRows({ owner, batches }: Acceptance): Promise<void> {
    for (const batch of batches) await this.#stage(owner, rowsInsert(owner, batch));
  }

  /** Stores a part of a row that is too large to be stored at once. */
  async stagePiece(owner: number, piece: NewPiece): Promise<void> {
    await this.#stage(owner, pieceInsert(owner, piece));
  }

  /** Leaves rows that have arrived to `sweep`, which removes them. */
  async abandonRows(owner: number): Promise<void> {
    this.#arriving.delete(owner);
    await this.#sql.query('update rowbench.orphans set is_arriving = false where owner = $1', [owner]);
  }

  /** Leaves the rows that are arriving at this server to `sweep`. */
  async abandonArriving(): Promise<void> {
    for (const owner of this.#arriving) await this.abandonRows(owner);
  }

  /**
   * Makes a run exist, with all of its rows and their segments. A repeated call changes nothing.
   * @param onStarted called once the transaction has begun: from then on, a lost connection leaves its outcome open
   */
  async acceptRun(acceptance: Acceptance, run: Run, onStarted: () => void): Promise<void> {
    const { owner } = acceptance;
    const accepted = this.#accepted();
    invariant(accepted !== undefined, 'runs are accepted once the services are open');
    try {
      const last = await this.#stageAllButLast(acceptance);
      const columns = await accepted.prepare(run);
      await this.#sql.transaction(async (sql) => {
        onStarted();
        const [found] = await sql.query<{ arrivals: number; segments: number }>(
          `with ${last.ctes},
           ${segmentsInsert('$22')},
           text as (insert into rowbench.run_snapshots (hash, owner) select hash, $1 from unnest($11::text[]) as hash),
           run as (
             insert into rowbench.runs (owner, run_id, workflow_id, status, accepted_at, rerun_of, ended_at_ms, bytes,
               record, segments_left, queued_segments, access)
             values ($1, $12, $13, $14, $15, $16, $17, $18 + coalesce((select bytes from arrival), 0), $19,
               (select count(*) from segment), $20, $21)
           )
           select (select count(*) from arrival) as arrivals, (select count(*) from segment) as segments`,
          [
            ...last.values,
            [...new Set(snapshotsOf(run))],
            run.runId,
            run.workflowId,
            run.status,
            run.acceptedAt,
            run.rerunOf ?? null,
            endedAtMs(run),
            last.bytes,
            JSON.stringify(run),
            columns.queuedSegments,
            columns.access,
            columns.maxBatches,
          ],
        );
        this.#assertArrived(owner, found?.arrivals);
        await accepted.onInserted(sql, { ...columns, run, owner, segments: found?.segments ?? 0 });
      });
    } catch (error) {
      throw isMissingReference(error, 'run_snapshots') ? snapshotRemoved(error) : error;
    }
    this.#arriving.delete(owner);
  }

  /** True if the run was accepted with these rows. First waits for a transaction of a lost connection that may yet accept it. */
  async wasAccepted({ owner }: Acceptance, runId: string): Promise<boolean> {
    await this.#waitForOthers(
      `insert into rowbench.runs (owner, run_id, workflow_id, status, accepted_at, bytes, record, segments_left,
         queued_segments)
       values ($1, $2, '', '', '', 0, '', 0, 0) on conflict (run_id) do nothing`,
      [-owner, runId],
    );
    const found = await this.#sql.query('select from rowbench.runs where run_id = $1 and owner = $2', [
      runId,
      owner,
    ]);
    return found.length > 0;
  }

  /** Replaces the run's record. Throws `run_not_found`. */
  async saveRun(run: Run): Promise<void> {
    const changed = await this.#sql.query(
      'update rowbench.runs set status = $2, ended_at_ms = $3, record = $4 where run_id = $1 returning owner',
      [run.runId, run.status, endedAtMs(run), JSON.stringify(run)],
    );
    if (changed.length === 0) throw runNotFound();
  }

  /**
   * Removes runs, and texts that no run needs any more. `sweep` removes their batches.
   * @param retainedHashes texts that runs still being accepted need
   */
  async removeRuns(runIds: readonly string[], retainedHashes: readonly string[]): Promise<void> {
    const hashes = await this.#sql.transaction(async (sql) => {
      // In a fixed order, so that two servers that remove the same runs do not deadlock.
      const owners = await sql.query<{ owner: number }>(
        'select owner from rowbench.runs where run_id = any($1::text[]) order by owner for update',
        [runIds],
      );
      const removed = owners.map(({ owner }) => owner);
      const texts = await sql.query<{ hash: string }>(
        'select distinct hash from rowbench.run_snapshots where owner = any($1::bigint[])',
        [removed],
      );
      await sql.query(
        `with run as (delete from rowbench.runs where owner = any($1::bigint[]) returning owner, bytes),
         sample as (
           delete from rowbench.row_sets where exists (
             select from unnest($2::text[]) as id where strpos(record, '"sampleOf":"' || id || '"') > 0)
           returning owner
         )
         insert into rowbench.orphans (owner, bytes, is_arriving)
         select owner, bytes, false from run union all select owner, 0, false from sample
         on conflict do nothing`,
        [removed, runIds],
      );
      return texts.map(({ hash }) => hash);
    });
    await this.#removeTexts(hashes.filter((hash) => !retainedHashes.includes(hash)));
  }

  /** Stores a text under its hash. */
  async putSnapshot(hash: string, kind: string, text: string): Promise<void> {
    // Large tables are not sent for each run.
    const found = await this.#sql.query('select from rowbench.snapshots where hash = $1', [hash]);
    if (found.length === 0)
      await this.#sql.query('insert into rowbench.snapshots values ($1, $2, $3) on conflict do nothing', [
        hash,
        kind,
        Buffer.from(text),
      ]);
  }

  /** Makes a row set exist, with all of its rows. The set that it replaces leaves the list in the same transaction. */
  async keepRowSet(
    acceptance: Acceptance,
    { set, replaced }: { readonly set: RowSet; readonly replaced: RowSet | undefined },
    onStarted: () => void,
  ): Promise<void> {
    const { owner } = acceptance;
    const last = await this.#stageAllButLast(acceptance);
    await this.#sql.transaction(async (sql) => {
      onStarted();
      const [found] = await sql.query<{ arrivals: number }>(
        `with ${last.ctes},
         row_set as (
           insert into rowbench.row_sets (owner, set_id, bytes, record)
           values ($1, $11, $12 + coalesce((select bytes from arrival), 0), $13)
         )
         select count(*) as arrivals from arrival`,
        [...last.values, set.id, last.bytes, JSON.stringify(set)],
      );
      this.#assertArrived(owner, found?.arrivals);
      if (replaced !== undefined) await saveRowSet(sql, replaced);
    });
    this.#arriving.delete(owner);
  }

  /** True if the row set exists with these rows; waits as `wasAccepted`. */
  async wasStored({ owner }: Acceptance, setId: string): Promise<boolean> {
    await this.#waitForOthers(
      `insert into rowbench.row_sets (owner, set_id, bytes, record) values ($1, $2, 0, '') on conflict (set_id) do nothing`,
      [-owner, setId],
    );
    const found = await this.#sql.query('select from rowbench.row_sets where set_id = $1 and owner = $2', [
      setId,
      owner,
    ]);
    return found.length > 0;
  }

  saveRowSet(set: RowSet): Promise<void> {
    return saveRowSet(this.#sql, set);
  }

  /** Removes a row set for good; `sweep` removes its batches. */
  async dropRowSet(id: string): Promise<void> {
    await this.#sql.query(
      `with row_set as (delete from rowbench.row_sets where set_id = $1 returning owner)
       insert into rowbench.orphans (owner, bytes, is_arriving) select owner, 0, false from row_set`,
      [id],
    );
  }

  /**
   * Removes some of the batches that belong to nothing; those that another server is removing are left to it.
   * @returns whether there is more to do
   */
  sweep(): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const [orphan] = await sql.query<{ owner: number }>(
        `update rowbench.orphans set is_arriving = false where owner = (
           select owner from rowbench.orphans where not is_arriving or at < now() - interval '${arrivalExpiry}'
           limit 1 for update skip locked)
         returning owner`,
      );
      if (orphan === undefined) return false;
      const { owner } = orphan;
      let left = sweptBatches;
      for (const table of ['row_batches', 'output_batches', 'pieces']) {
        const removed = await sql.query(
          `delete from rowbench.${table} where ctid = any(array(
             select ctid from rowbench.${table} where owner = $1 limit $2)) returning 1`,
          [owner, left],
        );
        left -= removed.length;
        if (left === 0) return true;
      }
      await sql.query('delete from rowbench.orphans where owner = $1', [owner]);
      return true;
    });
  }

  /** Stores something of an owner without waiting for the disk. */
  async #stage(owner: number, { text, values, bytes }: ReturnType<typeof rowsInsert>): Promise<void> {
    this.#arriving.add(owner);
    const next = values.length + 1;
    await this.#sql.query(
      `with batch as (${text}),
       arrival as (
         insert into rowbench.orphans (owner, bytes, is_arriving) values ($${next}, $${next + 1}, true)
         on conflict (owner) do update set bytes = orphans.bytes + excluded.bytes, at = now()
       )
       select set_config('synchronous_commit', 'off', true)`,
      [...values, owner, bytes],
    );
  }

  /** Stores all batches but the last one, which the statement of the acceptance inserts: most runs have one batch. */
  async #stageAllButLast({ owner, batches }: Acceptance): Promise<LastBatch> {
    await this.stageRows({ owner, batches: batches.slice(0, -1) });
    return lastBatchInsert(owner, batches.at(-1));
  }

  /** Throws `request_timeout` if rows were removed since they took too long to arrive. */
  #assertArrived(owner: number, arrivals = 0): void {
    if (this.#arriving.has(owner) && arrivals === 0) throw rowsExpired();
  }

  /** Waits for transactions that insert the same key, and rolls its own insert back. */
  async #waitForOthers(insert: string, values: readonly unknown[]): Promise<void> {
    const rollback = new Error('rolled back');
    await this.#sql
      .transaction(async (sql) => {
        await sql.query(insert, values);
        throw rollback;
      })
      .catch((error: unknown) => {
        if (error !== rollback) throw error;
      });
  }

  /** Removes texts that neither a run nor an acceptance under way needs. */
  async #removeTexts(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes)
      await this.#sql
        .query(
          `delete from rowbench.snapshots where hash = $1
             and not exists (select from rowbench.run_snapshots where hash = $1)`,
          [hash],
        )
        .catch((error: unknown) => {
          if (!isMissingReference(error, 'run_snapshots')) throw error;
        });
  }
}

async function saveRowSet(sql: Sql, set: RowSet): Promise<void> {
  await sql.query('update rowbench.row_sets set record = $2 where set_id = $1', [
    set.id,
    JSON.stringify(set),
  ]);
}
