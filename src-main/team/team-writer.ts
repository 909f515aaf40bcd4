// The statements that change runs and row sets in the database of a team; StoreWriter has their counterparts. Each
// method is one transaction. Who calls: TeamDatabase.
import { invariant } from '../base/invariant.ts';
import { runNotFound } from '../domain/run-errors.ts';
import type { RowSet } from '../domain/rows/row-set.ts';
import type { Run } from '../domain/run/run.ts';
import { chainIdOf } from '../domain/run/chain.ts';
import { endedAtMs, snapshotsOf } from '../domain/run/stored-run.ts';
import type { Acceptance } from '../storage/sqlite/store-writer.ts';
import type { AcceptedRuns } from './segments/accept-run.ts';
import { segmentsInsert } from './batch-inserts.ts';
import type { Orphans } from './orphans.ts';
import type { Sql, TeamSql } from './sql.ts';
import { isMissingSnapshot, snapshotRemoved } from './team-errors.ts';

export class TeamWriter {
  readonly #sql: TeamSql;
  readonly #orphans: Orphans;
  readonly #accepted: () => AcceptedRuns | undefined;

  constructor(sql: TeamSql, orphans: Orphans, accepted: () => AcceptedRuns | undefined) {
    this.#sql = sql;
    this.#orphans = orphans;
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

  /**
   * Makes a run exist, with all of its rows and their segments. A repeated call changes nothing.
   * @param onStarted called once the transaction has begun: from then on, a lost connection leaves its outcome open
   */
  async acceptRun(acceptance: Acceptance, run: Run, onStarted: () => void): Promise<void> {
    const { owner } = acceptance;
    const accepted = this.#accepted();
    invariant(accepted !== undefined, 'runs are accepted once the services are open');
    try {
      const last = await this.#orphans.stageAllButLast(acceptance);
      const columns = await accepted.prepare(run);
      await this.#sql.transaction(async (sql) => {
        onStarted();
        const [found] = await sql.query<{ arrivals: number; segments: number }>(
          `with ${last.ctes},
           ${segmentsInsert('$22')},
           text as (insert into rowbench.run_snapshots (hash, owner) select hash, $1 from unnest($11::text[]) as hash),
           run as (
             insert into rowbench.runs (owner, run_id, workflow_id, status, accepted_at, rerun_of, chain_id, ended_at_ms, bytes,
               record, segments_left, queued_segments, access)
             values ($1, $12, $13, $14, $15, $16, $23, $17, $18 + coalesce((select bytes from arrival), 0), $19,
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
            chainIdOf(run),
          ],
        );
        this.#orphans.assertArrived(owner, found?.arrivals);
        await accepted.onInserted(sql, { ...columns, run, owner, segments: found?.segments ?? 0 });
      });
    } catch (error) {
      throw isMissingSnapshot(error) ? snapshotRemoved(error) : error;
    }
    this.#orphans.endArrival(owner);
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
   * Removes runs, and texts that no run needs any more. `Orphans` removes their batches.
   * @param retainedHashes texts that runs still being accepted need
   */
  async removeRuns(runIds: readonly string[], retainedHashes: readonly string[]): Promise<void> {
    const hashes = await this.#sql.transaction(async (sql) => {
      // In a fixed order, so that two servers that remove the same runs do not deadlock.
      const owners = await sql.query<{ owner: number; set_id: string | null }>(
        `select owner, substring(record from '"setId":"([^"]+)"') as set_id
         from rowbench.runs where run_id = any($1::text[]) order by owner for update`,
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
           delete from rowbench.row_sets as sets where (set_id = any($3::text[]) or exists (
             select from unnest($2::text[]) as id where strpos(record, '"sampleOf":"' || id || '"') > 0))
             and not exists (
               select from rowbench.runs where owner <> all($1::bigint[])
                 and strpos(runs.record, '"setId":"' || sets.set_id || '"') > 0)
           returning owner
         )
         insert into rowbench.orphans (owner, bytes, is_arriving)
         select owner, bytes, false from run union all select owner, 0, false from sample
         on conflict do nothing`,
        [removed, runIds, owners.flatMap(({ set_id: id }) => id ?? [])],
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
    const last = await this.#orphans.stageAllButLast(acceptance);
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
      this.#orphans.assertArrived(owner, found?.arrivals);
      if (replaced !== undefined) await saveRowSet(sql, replaced);
    });
    this.#orphans.endArrival(owner);
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

  /** Removes a row set for good; `Orphans` removes its batches. */
  async dropRowSet(id: string): Promise<void> {
    await this.#sql.query(
      `with row_set as (delete from rowbench.row_sets where set_id = $1 returning owner)
       insert into rowbench.orphans (owner, bytes, is_arriving) select owner, 0, false from row_set`,
      [id],
    );
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
          if (!isMissingSnapshot(error)) throw error;
        });
  }
}

async function saveRowSet(sql: Sql, set: RowSet): Promise<void> {
  await sql.query('update rowbench.row_sets set record = $2 where set_id = $1', [
    set.id,
    JSON.stringify(set),
  ]);
}
