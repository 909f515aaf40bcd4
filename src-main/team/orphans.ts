// Owners that no run or row set names, in the database of a team: their rows are still arriving at a server, or are left over
// and removed. Who calls: TeamWriter and TeamDatabase.
import type { Acceptance } from '../storage/sqlite/store-writer.ts';
import type { NewPiece } from '../storage/sqlite/stored-batches.ts';
import { lastBatchInsert, pieceInsert, rowsInsert, type LastBatch } from './batch-inserts.ts';
import type { TeamSql } from './sql.ts';
import { rowsExpired } from './team-errors.ts';

/** Batches that one call of `sweep` removes. */
const sweptBatches = 256;
/** Time after which rows that still arrive count as left behind by a server that is gone. */
const arrivalExpiry = '1 hour';

export class Orphans {
  readonly #sql: TeamSql;
  /** Owners whose rows are arriving at this server. */
  readonly #arriving = new Set<number>();

  constructor(sql: TeamSql) {
    this.#sql = sql;
  }

  /** Stores rows of an owner that nothing refers to yet. The acceptance makes them durable. */
  async stageRows({ owner, batches }: Acceptance): Promise<void> {
    for (const batch of batches) await this.#stage(owner, rowsInsert(owner, batch));
  }

  /** Stores a part of a row that is too large to be stored at once. */
  async stagePiece(owner: number, piece: NewPiece): Promise<void> {
    await this.#stage(owner, pieceInsert(owner, piece));
  }

  /** Stores all batches but the last one, which the statement of the acceptance inserts: most runs have one batch. */
  async stageAllButLast({ owner, batches }: Acceptance): Promise<LastBatch> {
    await this.stageRows({ owner, batches: batches.slice(0, -1) });
    return lastBatchInsert(owner, batches.at(-1));
  }

  /** Throws `request_timeout` if rows were removed since they took too long to arrive. */
  assertArrived(owner: number, arrivals = 0): void {
    if (this.#arriving.has(owner) && arrivals === 0) throw rowsExpired();
  }

  /** Notes that a run or row set names the owner now. */
  endArrival(owner: number): void {
    this.#arriving.delete(owner);
  }

  /** Leaves the rows that have arrived to `sweep`. */
  async abandon(owner: number): Promise<void> {
    this.#arriving.delete(owner);
    await this.#sql.query('update rowbench.orphans set is_arriving = false where owner = $1', [owner]);
  }

  /** Leaves all rows that are arriving at this server to `sweep`. */
  async abandonAll(): Promise<void> {
    for (const owner of this.#arriving) await this.abandon(owner);
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
      for (const table of ['row_batches', 'output_batches', 'pieces', 'shared_answers']) {
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
}
