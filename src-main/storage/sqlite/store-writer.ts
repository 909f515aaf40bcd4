// The statements that change `rowbench.db`. Runs in the storage thread; each method is called inside a transaction.
import { crc32 } from 'node:zlib';
import { runNotFound } from '../../domain/run-errors.ts';
import type { RowSet } from '../../domain/rows/row-set.ts';
import type { RunStatistics } from '../../domain/results/run-statistics.ts';
import type { RowCounts, Run } from '../../domain/run/run.ts';
import { chainIdOf } from '../../domain/run/chain.ts';
import { endedAtMs, snapshotsOf } from '../../domain/run/stored-run.ts';
import { BatchWriter } from './batch-writer.ts';
import { answerCrc, batchId, progressCrc, type ProgressColumns } from './checksums.ts';
import { busyTimeoutMs, pragma, type Database } from './open-database.ts';
import { Statements } from './statements.ts';
import type { NewOutputBatch, NewPiece, NewRowBatch, NewSharedAnswer } from './stored-batches.ts';

/** Batches that one call of `sweep` removes: some MB, so that other calls need not wait long. */
const sweptBatches = 32;
/** Free pages (4 KB) that stay in the file for the next runs, and those that one call of `sweep` gives back. */
const maxFreePages = 4000;
const releasedPages = 2000;
/** True for a row set whose rows the sample of a stored run was taken from. */
const isSampled = `exists (select 1 from runs where workflow_id = row_sets.record ->> '$.workflowId'
  and instr(runs.record, '"setId":"' || row_sets.set_id || '"') > 0)`;
/** Time that readers may delay the emptying of the write-ahead log, in ms: commits wait meanwhile. */
const maxLogWaitMs = 50;

export type Opened = {
  /** The number that the next owner of rows gets. */
  readonly nextOwner: number;
  /** The newest id of the stored runs; undefined: there are none. */
  readonly newestRunId: string | undefined;
};

export type Acceptance = {
  readonly owner: number;
  /** The last rows; all of them, unless some were stored before. */
  readonly batches: readonly NewRowBatch[];
};

/** Results of consecutive rows, with what they change in the run. */
export type ResultsCommit = {
  readonly runId: string;
  readonly batch: NewOutputBatch;
  /** Counts of the whole run after this commit. */
  readonly counts: RowCounts;
  readonly traceBytes: number;
  readonly statistics: RunStatistics;
  /** The run's record, where it changes with this commit. */
  readonly run?: Run | undefined;
};

export class StoreWriter {
  readonly #database: Database;
  readonly #sql: Statements;
  readonly #batches: BatchWriter;
  /** Owners whose rows are arriving in this process, and some that exist by now. */
  readonly #arriving = new Set<number>();
  /** True if the write-ahead log may have rows that were removed. */
  #hasRemains = false;
  #isSwept = true;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = new Statements(database);
    this.#batches = new BatchWriter(this.#sql);
  }

  /** Removes row sets that are not in the list or belong to no run, and texts that no run refers to. To be called first. */
  open(): Opened {
    const removed = this.#sql.all<{ number: number }>(
      `select number from row_sets where json_valid(record) and (record ->> '$.removed' = true
         or (record ->> '$.sampleOf' is not null and not ${isSampled}
           and record ->> '$.sampleOf' not in (select run_id from runs)))`,
    );
    for (const { number } of removed) this.#dropRowSet(number);
    this.#sql.run(
      'delete from snapshots where not exists (select 1 from run_snapshots where run_snapshots.hash = snapshots.hash)',
    );
    const { next = 1 } =
      this.#sql.get<{ next: number }>(
        `select 1 + max(coalesce((select max(number) from runs), 0), coalesce((select max(number) from row_sets), 0),
                        coalesce((select max(owner) from orphans), 0)) as next`,
      ) ?? {};
    const newest = this.#sql.get<{ run_id: string }>('select run_id from runs order by run_id desc limit 1');
    return { nextOwner: next, newestRunId: newest?.run_id };
  }

  /** Stores rows of an owner that nothing refers to yet. */
  stageRows({ owner, batches }: Acceptance): void {
    const bytes = batches.reduce((sum, batch) => sum + this.#batches.insertRows(owner, batch), 0);
    this.#noteArrival(owner, bytes);
  }

  /** Stores a part of a row that is too large to be stored at once. */
  stagePiece(owner: number, piece: NewPiece): void {
    this.#batches.insertPiece('rows', owner, piece);
    this.#noteArrival(owner, piece.bytes.length);
  }

  /** Gives up rows that have arrived. `sweep` removes them. */
  abandonRows(owner: number): void {
    this.#arriving.delete(owner);
  }

  /** Makes a run exist, with all of its rows. */
  acceptRun({ owner, batches }: Acceptance, run: Run): void {
    const bytes = this.#takeArrival({ owner, batches });
    const record = JSON.stringify(run);
    this.#sql.run(
      `insert into runs (number, run_id, workflow_id, status, accepted_at, rerun_of, chain_id, ended_at_ms, bytes, record,
         record_crc)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      owner,
      run.runId,
      run.workflowId,
      run.status,
      run.acceptedAt,
      run.rerunOf ?? null,
      chainIdOf(run),
      endedAtMs(run),
      bytes,
      record,
      crc32(record),
    );
    for (const hash of new Set(snapshotsOf(run)))
      this.#sql.run('insert into run_snapshots (hash, owner) values (?, ?)', hash, owner);
  }

  /** Replaces the run's record. Throws `run_not_found`. */
  saveRun(run: Run): void {
    const record = JSON.stringify(run);
    const changed = this.#sql.run(
      'update runs set status = ?, ended_at_ms = ?, record = ?, record_crc = ? where run_id = ?',
      run.status,
      endedAtMs(run),
      record,
      crc32(record),
      run.runId,
    );
    if (changed === 0) throw runNotFound();
  }

  /** Stores results, and the record that counts them. Throws `run_not_found`. */
  appendResults({ runId, batch, counts, traceBytes, statistics, run }: ResultsCommit): void {
    const owner = this.#ownerOf(runId);
    const bytes = this.#batches.insertResults(owner, batch);
    const progress: ProgressColumns = {
      rows_done: counts.rowsDone,
      rows_failed: counts.rowsFailed,
      rows_unfinished: counts.rowsUnfinished ?? 0,
      trace_bytes: traceBytes,
      statistics: JSON.stringify(statistics),
    };
    this.#sql.run(
      `update runs set rows_done = ?, rows_failed = ?, rows_unfinished = ?, trace_bytes = ?, statistics = ?,
         progress_crc = ?, bytes = bytes + ? where number = ?`,
      ...Object.values(progress),
      progressCrc(progress),
      bytes,
      owner,
    );
    if (run !== undefined) this.saveRun(run);
  }

  /**
   * Stores the answer to a call that rows share, in place of an earlier version. False, without a change, if this version or a
   * later one is stored. Throws `run_not_found`.
   */
  keepSharedAnswer(runId: string, key: string, { version, bytes }: NewSharedAnswer): boolean {
    const owner = this.#ownerOf(runId);
    const changed = this.#sql.run(
      `insert into shared_answers (owner, key, version, answer, crc) values (?, ?, ?, ?, ?)
       on conflict (owner, key) do update set version = excluded.version, answer = excluded.answer, crc = excluded.crc
       where excluded.version > version`,
      owner,
      key,
      version,
      bytes,
      answerCrc({ owner, key, version }, bytes),
    );
    if (changed === 0) return false;
    this.#sql.run('update runs set bytes = bytes + ? where number = ?', bytes.length, owner);
    return true;
  }

  /**
   * Removes runs, and texts that no run needs any more. `sweep` removes their batches.
   * @param retainedHashes texts that runs still being accepted need
   */
  removeRuns(runIds: readonly string[], retainedHashes: readonly string[]): void {
    this.#overwriting(() => this.#removeRuns(runIds, retainedHashes));
  }

  #removeRuns(runIds: readonly string[], retainedHashes: readonly string[]): void {
    const retained = new Set(retainedHashes);
    const sets = new Set(runIds.flatMap((runId) => this.#setsOf(runId)));
    for (const runId of runIds) {
      const { number: owner } =
        this.#sql.get<{ number: number }>('select number from runs where run_id = ?', runId) ?? {};
      if (owner === undefined) continue;
      // Its acceptance is over, so `sweep` may remove its rows.
      this.#arriving.delete(owner);
      this.#sql.run('insert or ignore into orphans select number, bytes from runs where number = ?', owner);
      const hashes = this.#sql.all<{ hash: string }>('select hash from run_snapshots where owner = ?', owner);
      this.#sql.run('delete from run_snapshots where owner = ?', owner);
      this.#sql.run('delete from runs where number = ?', owner);
      for (const { hash } of hashes)
        if (!retained.has(hash))
          this.#sql.run(
            'delete from snapshots where hash = ? and not exists (select 1 from run_snapshots where hash = ?)',
            hash,
            hash,
          );
    }
    for (const id of sets) this.#dropUnlessSampled(id);
  }

  /** Keeps a text under its hash. */
  putSnapshot(hash: string, kind: string, text: string): void {
    this.#sql.run(
      'insert into snapshots values (?, ?, ?) on conflict (hash) do update set kind = excluded.kind, text = excluded.text',
      hash,
      kind,
      text,
    );
  }

  /** Makes a row set exist, with all of its rows. The set that it replaces leaves the list with the same step. */
  keepRowSet({ owner, batches }: Acceptance, set: RowSet, replaced: RowSet | undefined): void {
    this.#takeArrival({ owner, batches });
    const record = JSON.stringify(set);
    this.#sql.run('insert into row_sets values (?, ?, ?, ?)', owner, set.id, record, crc32(record));
    if (replaced !== undefined) this.saveRowSet(replaced);
  }

  saveRowSet(set: RowSet): void {
    const record = JSON.stringify(set);
    this.#sql.run(
      'update row_sets set record = ?, record_crc = ? where set_id = ?',
      record,
      crc32(record),
      set.id,
    );
  }

  /** Removes a row set for good; `sweep` removes its batches. */
  dropRowSet(id: string): void {
    const found = this.#sql.get<{ number: number }>('select number from row_sets where set_id = ?', id);
    if (found !== undefined) this.#dropRowSet(found.number);
  }

  /** Throws `run_not_found`. */
  #ownerOf(runId: string): number {
    const found = this.#sql.get<{ number: number }>('select number from runs where run_id = ?', runId);
    if (found === undefined) throw runNotFound();
    return found.number;
  }

  /** Row sets that the sample of a run was taken from. */
  #setsOf(runId: string): readonly string[] {
    return this.#sql
      .all<{ set_id: string }>(
        `select set_id from row_sets where json_valid(record) and (record ->> '$.sampleOf' = ?1
           or set_id = (select record ->> '$.sample.setId' from runs where run_id = ?1 and json_valid(record)))`,
        runId,
      )
      .map(({ set_id: id }) => id);
  }

  /** Removes the row set if no stored run is a sample of it. */
  #dropUnlessSampled(id: string): void {
    if (this.#sql.get(`select 1 from row_sets where set_id = ? and not ${isSampled}`, id) !== undefined)
      this.dropRowSet(id);
  }

  #dropRowSet(owner: number): void {
    this.#arriving.delete(owner);
    this.#sql.run('delete from row_sets where number = ?', owner);
    this.#sql.run('insert or ignore into orphans values (?, 0)', owner);
  }

  /**
   * Removes some of the batches that belong to nothing, and overwrites them; then gives free space back to the disk.
   * @returns whether there is more to do
   */
  sweep(): boolean {
    const hasMore = this.#overwriting(() => this.#sweepSome());
    this.#isSwept = !hasMore;
    return hasMore;
  }

  /**
   * Empties the write-ahead log after a sweep, since it still has the removed rows. To be called outside of a transaction.
   * While a reader needs the log, this waits for the next sweep.
   */
  clearLog(): void {
    if (!this.#hasRemains || !this.#isSwept) return;
    this.#database.exec(`pragma busy_timeout = ${maxLogWaitMs}`);
    this.#hasRemains = Number(pragma(this.#database, 'wal_checkpoint(truncate)')) !== 0;
    this.#database.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  }

  /** Does it in such a way that SQLite overwrites each page that becomes free. */
  #overwriting<T>(act: () => T): T {
    this.#database.exec('pragma secure_delete = on');
    try {
      return act();
    } finally {
      this.#database.exec('pragma secure_delete = fast');
    }
  }

  #sweepSome(): boolean {
    const orphans = this.#sql.all<{ owner: number }>('select owner from orphans').map(({ owner }) => owner);
    const orphan = orphans.find((owner) => !this.#arriving.has(owner));
    if (orphan !== undefined) {
      this.#hasRemains = true;
      this.#removeBatches(orphan);
      return true;
    }
    for (const owner of this.#arriving) if (!orphans.includes(owner)) this.#arriving.delete(owner);
    const free = Number(pragma(this.#database, 'freelist_count'));
    if (free <= maxFreePages) return false;
    this.#database.exec(`pragma incremental_vacuum(${Math.min(releasedPages, free - maxFreePages)})`);
    return true;
  }

  #removeBatches(owner: number): void {
    const [from, to] = [batchId(owner, 0), batchId(owner + 1, 0)];
    let left = sweptBatches;
    for (const table of ['row_batches', 'output_batches'])
      left -= this.#sql.run(
        `delete from ${table} where id in (select id from ${table} where id >= ? and id < ? limit ?)`,
        from,
        to,
        left,
      );
    for (const kind of [0, 1])
      left -= this.#sql.run(
        `delete from pieces where rowid in (select rowid from pieces where kind = ? and batch >= ? and batch < ? limit ?)`,
        kind,
        from,
        to,
        left,
      );
    left -= this.#sql.run(
      'delete from shared_answers where rowid in (select rowid from shared_answers where owner = ? limit ?)',
      owner,
      left,
    );
    if (left > 0) this.#sql.run('delete from orphans where owner = ?', owner);
  }

  /** Notes rows that belong to nothing yet, so that a start after a crash removes them. */
  #noteArrival(owner: number, bytes: number): void {
    this.#arriving.add(owner);
    this.#sql.run(
      'insert into orphans values (?, ?) on conflict (owner) do update set bytes = bytes + excluded.bytes',
      owner,
      bytes,
    );
  }

  /** Stores the last rows of an owner that exists from now on. @returns the bytes of all of its rows */
  #takeArrival({ owner, batches }: Acceptance): number {
    const last = batches.reduce((sum, batch) => sum + this.#batches.insertRows(owner, batch), 0);
    const { bytes = 0 } =
      this.#sql.get<{ bytes: number }>('select bytes from orphans where owner = ?', owner) ?? {};
    // It stays in `#arriving`: this transaction may be rolled back and tried again, with a sweep in between.
    this.#sql.run('delete from orphans where owner = ?', owner);
    return bytes + last;
  }
}
