// Questions about runs and row sets as wholes. Runs in the reading thread, on a connection that cannot write.
import { crc32 } from 'node:zlib';
import { AppError, errorText } from '../../../base/app-error.ts';
import { dataUnreadable } from '../../../domain/store-errors.ts';
import { runNotFound } from '../../../domain/run-errors.ts';
import type { RowSet } from '../../../domain/rows/row-set.ts';
import { inChain } from '../../../domain/run/chain.ts';
import { fitsFilter, thisMachine } from '../../../domain/run/run-filter.ts';
import {
  pinnedMark,
  type PastBounds,
  type RetentionBounds,
  type RunQuery,
  type StoredRun,
} from '../../../domain/run/stored-run.ts';
import type { RunStatistics } from '../../../domain/results/run-statistics.ts';
import type { RowCounts, Run } from '../../../domain/run/run.ts';
import { progressCrc, type ProgressColumns } from '../checksums.ts';
import { pragma, type Database } from '../open-database.ts';
import { Statements } from '../statements.ts';
import type { CommittedProgress } from '../stored-batches.ts';

/** A search for the newest run with an id up to one, or before one. */
export type NewestRunQuery = { readonly workflowId?: string | undefined } & (
  { readonly upTo: string } | { readonly before: string }
);

type RunColumns = ProgressColumns & {
  readonly run_id: string;
  readonly chain_id: string;
  readonly record: string;
  readonly record_crc: number;
  readonly progress_crc: number | null;
};

const runColumns =
  'run_id, chain_id, record, record_crc, rows_done, rows_failed, rows_unfinished, trace_bytes, statistics, progress_crc';

export class RunQueries {
  readonly #database: Database;
  readonly #sql: Statements;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = new Statements(database);
  }

  /** Undefined if there is no such run. Throws `data_unreadable`. */
  run(runId: string): StoredRun | undefined {
    const found = this.#sql.get<RunColumns>(`select ${runColumns} from runs where run_id = ?`, runId);
    return found && storedRun(found);
  }

  /** Newest first. A run whose record is damaged is left out. */
  runs(query: RunQuery): readonly StoredRun[] {
    const { limit = Infinity } = query;
    const { where, values } = conditionsOf(query);
    const found: StoredRun[] = [];
    const sql = `select ${runColumns} from runs where ${where} order by run_id desc`;
    for (const columns of this.#sql.iterate<RunColumns>(sql, ...values)) {
      if (found.length >= limit) break;
      const stored = readableRun(columns);
      if (stored !== undefined && fitsFilter(stored.run, query)) found.push(stored);
    }
    return found;
  }

  /** In the order of acceptance; for a run whose record is damaged its id alone. */
  unfinishedRuns(): readonly (StoredRun | { readonly runId: string; readonly problem: string })[] {
    return this.#sql
      .all<RunColumns>(`select ${runColumns} from runs where ended_at_ms is null order by run_id`)
      .map((columns) => {
        try {
          return storedRun(columns);
        } catch (error) {
          return { runId: columns.run_id, problem: errorText(error) };
        }
      });
  }

  /** Ids that begin or end with the piece, some of them. */
  idsLike(piece: string, limit: number): readonly string[] {
    return this.#sql
      .all<{ run_id: string }>(
        `select run_id from runs where run_id >= ?1 and run_id < ?1 || 'z'
         union select run_id from runs where substr(run_id, -length(?1)) = ?1 order by run_id limit ?2`,
        piece,
        limit,
      )
      .map(({ run_id: id }) => id);
  }

  hasWorkflow(workflowId: string): boolean {
    return this.#sql.get('select 1 from runs where workflow_id = ? limit 1', workflowId) !== undefined;
  }

  /** Ids of the reruns of a run, newest first. */
  rerunsOf(runId: string, limit: number): readonly string[] {
    return this.#sql
      .all<{ run_id: string }>(
        'select run_id from runs where rerun_of = ? order by run_id desc limit ?',
        runId,
        limit,
      )
      .map(({ run_id: id }) => id);
  }

  /** Ids of the attempts of a chain, oldest first. @param limit Infinity for all */
  attemptsOf(chainId: string, limit: number): readonly string[] {
    return this.#sql
      .all<{ run_id: string }>(
        'select run_id from runs where chain_id = ? order by run_id limit ?',
        chainId,
        limit === Infinity ? -1 : limit,
      )
      .map(({ run_id: id }) => id);
  }

  newestRun({ workflowId, ...bound }: NewestRunQuery): Pick<Run, 'runId' | 'workflowId'> | undefined {
    const of = workflowId === undefined ? [] : [workflowId];
    const sql = `select run_id as runId, workflow_id as workflowId from runs
      where run_id ${'upTo' in bound ? '<=' : '<'} ?${of.length === 0 ? '' : ' and workflow_id = ?'}
      order by run_id desc limit 1`;
    return this.#sql.get<Pick<Run, 'runId' | 'workflowId'>>(
      sql,
      'upTo' in bound ? bound.upTo : bound.before,
      ...of,
    );
  }

  /** How many runs a search is about, and how many of them are newer than the run. */
  findProgress(runId: string, workflowId?: string): { readonly runs: number; readonly runsSearched: number } {
    const { runs = 0, searched } =
      this.#sql.get<{ runs: number; searched: number | null }>(
        `select count(*) as runs, sum(run_id > ?) as searched from runs
         where ${workflowId === undefined ? 'true' : 'workflow_id = ?'}`,
        runId,
        ...(workflowId === undefined ? [] : [workflowId]),
      ) ?? {};
    return { runs, runsSearched: searched ?? 0 };
  }

  /** Throws `run_not_found`. */
  progress(runId: string): CommittedProgress {
    const found = this.#sql.get<RunColumns>(`select ${runColumns} from runs where run_id = ?`, runId);
    if (found === undefined) throw runNotFound();
    const { trace_bytes: traceBytes, statistics } = found;
    return {
      counts: countsOf(found),
      traceBytes,
      ...(statistics === null ? {} : { statistics: JSON.parse(statistics) as RunStatistics }),
    };
  }

  snapshot(hash: string): string | undefined {
    return this.#sql.get<{ text: string }>('select text from snapshots where hash = ?', hash)?.text;
  }

  /** All of them; for one whose record is damaged its id alone. */
  rowSets(): readonly (RowSet | string)[] {
    return this.#sql
      .all<{ set_id: string; record: string; record_crc: number }>(
        'select set_id, record, record_crc from row_sets',
      )
      .map(({ set_id: id, record, record_crc: crc }) =>
        crc32(record) === crc ? (JSON.parse(record) as RowSet) : id,
      );
  }

  /** Bytes that are in use in the file, without what is removed and not swept yet. */
  usedBytes(): number {
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
      Number(pragma(this.#database, name)),
    );
    const { bytes = 0 } =
      this.#sql.get<{ bytes: number }>('select coalesce(sum(bytes), 0) as bytes from orphans') ?? {};
    return Math.max(0, ((pages ?? 0) - (free ?? 0)) * (size ?? 0) - bytes);
  }

  /**
   * Runs of chains that are past the bounds. A chain has ended with its newest attempt, and stays whole while an attempt is
   * unfinished or pinned.
   */
  pastBounds({ endedBeforeMs, keepEndedAfterMs, maxBytes }: RetentionBounds): PastBounds {
    const before = Math.min(endedBeforeMs, keepEndedAfterMs);
    const old = this.#sql.all<{ run_id: string; bytes: number }>(
      `select run_id, bytes from runs where ended_at_ms < ?1 and not exists (
         select 1 from runs as other where other.chain_id = runs.chain_id
           and (other.ended_at_ms is null or other.ended_at_ms >= ?1 or instr(other.record, ?2) > 0))
       order by run_id`,
      before,
      pinnedMark,
    );
    const byAge = old.map(({ run_id: id }) => id);
    let excess = this.usedBytes() - maxBytes - old.reduce((sum, { bytes }) => sum + bytes, 0);
    const bySize: string[] = [];
    if (excess > 0)
      for (const { chain_id: chainId, bytes } of this.#chainsThatEnded(before, keepEndedAfterMs)) {
        if (excess <= 0) break;
        bySize.push(...this.attemptsOf(chainId, Infinity));
        excess -= bytes;
      }
    const newest = [...byAge, ...bySize].sort().at(-1);
    return {
      byAge,
      bySize,
      isAboveSize: excess > 0,
      newestFinishedAt: this.#finishedAt(newest),
    };
  }

  /** Chains without an unfinished or pinned attempt whose newest attempt ended between these times, oldest first. */
  #chainsThatEnded(fromMs: number, toMs: number): readonly { chain_id: string; bytes: number }[] {
    return this.#sql.all<{ chain_id: string; bytes: number }>(
      `select chain_id, sum(bytes) as bytes from runs
       where chain_id in (select chain_id from runs where ended_at_ms >= ?1 and ended_at_ms <= ?2)
       group by chain_id
       having count(ended_at_ms) = count(*) and max(ended_at_ms) <= ?2 and max(instr(record, ?3)) = 0
       order by max(ended_at_ms), chain_id`,
      fromMs,
      toMs,
      pinnedMark,
    );
  }

  /** Undefined for none, and for a run whose record is damaged. */
  #finishedAt(runId: string | undefined): string | undefined {
    if (runId === undefined) return undefined;
    const found = this.#sql.get<RunColumns>(`select ${runColumns} from runs where run_id = ?`, runId);
    return (found && readableRun(found))?.run.finishedAt ?? undefined;
  }

  /** Looks through the whole file for damaged pages. Returns what is wrong, in SQLite's words; empty: nothing. */
  check(): readonly string[] {
    return this.#sql
      .all<{ quick_check: string }>('pragma quick_check(20)')
      .map(({ quick_check: line }) => line)
      .filter((line) => line !== 'ok');
  }

  /** Copies the whole store into a new file, as of now. */
  copyInto(path: string): void {
    // Forbids writes to other files as well. The connection was opened for reading alone all the same.
    this.#database.exec('pragma query_only = off');
    try {
      this.#sql.run('vacuum into ?', path);
    } finally {
      this.#database.exec('pragma query_only = on');
    }
  }
}

/** Throws `data_unreadable`. */
function countsOf(columns: RunColumns): RowCounts {
  const isNew = columns.progress_crc === null && columns.statistics === null;
  if (!isNew && progressCrc(columns) !== columns.progress_crc)
    throw dataUnreadable(`the counts of run ${columns.run_id} in rowbench.db are damaged`);
  return {
    rowsDone: columns.rows_done,
    rowsFailed: columns.rows_failed,
    ...(columns.rows_unfinished === 0 ? {} : { rowsUnfinished: columns.rows_unfinished }),
  };
}

function storedRun(columns: RunColumns): StoredRun {
  const { run_id: runId, record, record_crc: crc } = columns;
  const run = crc32(record) === crc ? (JSON.parse(record) as Run) : undefined;
  if (run === undefined || run.runId !== runId)
    throw dataUnreadable(`the record of run ${runId} in rowbench.db is damaged`);
  return { run: inChain(run, columns.chain_id), counts: countsOf(columns) };
}

function readableRun(columns: RunColumns): StoredRun | undefined {
  try {
    return storedRun(columns);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

type Condition = readonly [sql: string, ...values: string[]];

/** The conditions that columns can decide; `fitsFilter` has the last word. */
function conditionsOf(query: RunQuery): { readonly where: string; readonly values: readonly string[] } {
  const { status, workflowId, rerunOf, before, since, until, runIds } = query;
  const conditions: Condition[] = recordConditions(query);
  if (status !== undefined) conditions.push(['status = ?', status]);
  if (workflowId !== undefined) conditions.push(['workflow_id = ?', workflowId]);
  if (rerunOf !== undefined) conditions.push(['rerun_of = ?', rerunOf]);
  if (before !== undefined) conditions.push(['run_id < ?', before]);
  if (since !== undefined) conditions.push(['accepted_at >= ?', new Date(since).toISOString()]);
  if (until !== undefined) conditions.push(['accepted_at < ?', new Date(until).toISOString()]);
  if (runIds !== undefined)
    conditions.push(['run_id in (select value from json_each(?))', JSON.stringify(runIds)]);
  return {
    where: conditions.length === 0 ? 'true' : conditions.map(([sql]) => sql).join(' and '),
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** Conditions on the text of the record. */
function recordConditions({ text, isPinned, tag, on = thisMachine }: RunQuery): Condition[] {
  const conditions: Condition[] = [];
  if (isPinned !== undefined) conditions.push([`instr(record, ?) ${isPinned ? '>' : '='} 0`, pinnedMark]);
  if (tag !== undefined) conditions.push(['instr(record, ?) > 0', JSON.stringify(tag)]);
  if (on !== thisMachine) conditions.push(['instr(record, ?) > 0', JSON.stringify(on)]);
  // What stands in the record as it was typed; SQLite's `lower` knows ASCII letters alone.
  if (text !== undefined && /^[\w .:@-]+$/.test(text))
    conditions.push(['instr(lower(record), ?) > 0', text.toLowerCase()]);
  return conditions;
}
