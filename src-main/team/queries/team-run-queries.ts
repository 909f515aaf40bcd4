// Questions about runs and row sets as wholes, to the database of a team; RunQueries answers them for a data folder. Who
// calls: TeamDatabase.
import { runNotFound } from '../../domain/run-errors.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import type { RowSet } from '../../domain/rows/row-set.ts';
import { inChain } from '../../domain/run/chain.ts';
import { fitsFilter } from '../../domain/run/run-filter.ts';
import { addRunStatistics, type RunStatistics } from '../../domain/results/run-statistics.ts';
import type { Run } from '../../domain/run/run.ts';
import {
  pinnedMark,
  type PastBounds,
  type RetentionBounds,
  type RunQuery,
  type StoredRun,
} from '../../domain/run/stored-run.ts';
import type { NewestRunQuery, RunQueries } from '../../storage/sqlite/queries/run-queries.ts';
import type { CommittedProgress } from '../../storage/sqlite/stored-batches.ts';
import type { Asynchronous } from './question-thread.ts';
import { type Sql, SqlParameters, storableText } from '../sql.ts';

type RunColumns = {
  readonly run_id: string;
  /** Null: the server of an earlier version accepted it. */
  readonly chain_id: string | null;
  readonly record: string;
  readonly rows_done: number;
  readonly rows_failed: number;
  readonly rows_unfinished: number;
};

/** The counts of segments that have ended are in the run's own columns; those of the others are added. */
const runsWithCounts = `
  select run_id, chain_id, record, status, workflow_id, accepted_at, rerun_of, ended_at_ms,
    runs.rows_done + coalesce(under_way.rows_done, 0) as rows_done,
    runs.rows_failed + coalesce(under_way.rows_failed, 0) as rows_failed,
    runs.rows_unfinished + coalesce(under_way.rows_unfinished, 0) as rows_unfinished,
    runs.trace_bytes + coalesce(under_way.trace_bytes, 0) as trace_bytes,
    runs.statistics, under_way.statistics as statistics_under_way
  from rowbench.runs left join lateral (
    select sum(rows_done)::integer as rows_done, sum(rows_failed)::integer as rows_failed,
      sum(rows_unfinished)::integer as rows_unfinished, sum(trace_bytes)::bigint as trace_bytes,
      array_agg(statistics) filter (where statistics is not null) as statistics
    from rowbench.segments
    where segments.owner = runs.owner and runs.ended_at_ms is null and state in ('waiting', 'queued', 'running')
  ) as under_way on true`;

const columns = 'run_id, chain_id, record, rows_done, rows_failed, rows_unfinished';

/** Runs that are read at once. */
const runsAtOnce = 500;

export class TeamRunQueries implements Asynchronous<Omit<RunQueries, 'check' | 'copyInto'>> {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Undefined if there is no such run. Throws `data_unreadable`. */
  async run(runId: string): Promise<StoredRun | undefined> {
    const [found] = await this.#sql.query<RunColumns>(
      `select ${columns} from (${runsWithCounts}) as runs where run_id = $1`,
      [storableText(runId)],
    );
    return found && storedRun(found);
  }

  /** Newest first. A run whose record is damaged is left out. */
  async runs(query: RunQuery): Promise<readonly StoredRun[]> {
    const { limit = Infinity } = query;
    const found: StoredRun[] = [];
    let { before } = query;
    while (found.length < limit) {
      const parameters = new SqlParameters();
      const conditions = conditionsOf({ ...query, before }, parameters);
      const count = Math.min(runsAtOnce, limit - found.length);
      const some = await this.#sql.query<RunColumns>(
        `select ${columns} from (${runsWithCounts}) as runs where ${conditions}
         order by run_id desc limit ${count}`,
        parameters.values,
      );
      for (const each of some) {
        const stored = readableRun(each);
        if (stored !== undefined && fitsFilter(stored.run, query)) found.push(stored);
      }
      if (some.length < count) break;
      before = some.at(-1)?.run_id;
    }
    return found;
  }

  /** In the order of acceptance; for a run whose record is damaged its id alone. */
  async unfinishedRuns(): Promise<
    readonly (StoredRun | { readonly runId: string; readonly problem: string })[]
  > {
    const found = await this.#sql.query<RunColumns>(
      `select ${columns} from (${runsWithCounts}) as runs where ended_at_ms is null order by run_id`,
    );
    return found.map(
      (each) =>
        readableRun(each) ?? { runId: each.run_id, problem: `the record of run ${each.run_id} is damaged` },
    );
  }

  /** Ids that begin or end with the piece, some of them. */
  async idsLike(piece: string, limit: number): Promise<readonly string[]> {
    const found = await this.#sql.query<{ run_id: string }>(
      `select run_id from rowbench.runs where run_id >= $1 and run_id < $1 || 'z'
       union select run_id from rowbench.runs where right(run_id, length($1)) = $1 order by run_id limit $2`,
      [storableText(piece), limit],
    );
    return found.map(({ run_id: id }) => id);
  }

  async hasWorkflow(workflowId: string): Promise<boolean> {
    const found = await this.#sql.query('select from rowbench.runs where workflow_id = $1 limit 1', [
      storableText(workflowId),
    ]);
    return found.length > 0;
  }

  /** Ids of the reruns of a run, newest first. */
  async rerunsOf(runId: string, limit: number): Promise<readonly string[]> {
    const found = await this.#sql.query<{ run_id: string }>(
      'select run_id from rowbench.runs where rerun_of = $1 order by run_id desc limit $2',
      [storableText(runId), limit],
    );
    return found.map(({ run_id: id }) => id);
  }

  /** Ids of the attempts of a chain, oldest first. @param limit Infinity for all */
  async attemptsOf(chainId: string, limit: number): Promise<readonly string[]> {
    const found = await this.#sql.query<{ run_id: string }>(
      'select run_id from rowbench.runs where coalesce(chain_id, run_id) = $1 order by run_id limit $2',
      [storableText(chainId), limit === Infinity ? null : limit],
    );
    return found.map(({ run_id: id }) => id);
  }

  async newestRun({
    workflowId,
    ...bound
  }: NewestRunQuery): Promise<Pick<Run, 'runId' | 'workflowId'> | undefined> {
    const parameters = new SqlParameters();
    const isUpTo = 'upTo' in bound;
    const limit = parameters.add(storableText(isUpTo ? bound.upTo : bound.before));
    const of =
      workflowId === undefined ? '' : ` and workflow_id = ${parameters.add(storableText(workflowId))}`;
    const [found] = await this.#sql.query<Pick<Run, 'runId' | 'workflowId'>>(
      `select run_id as "runId", workflow_id as "workflowId" from rowbench.runs
       where run_id ${isUpTo ? '<=' : '<'} ${limit}${of} order by run_id desc limit 1`,
      parameters.values,
    );
    return found;
  }

  /** How many runs a search is about, and how many of them are newer than the run. */
  async findProgress(
    runId: string,
    workflowId?: string,
  ): Promise<{ readonly runs: number; readonly runsSearched: number }> {
    const [found] = await this.#sql.query<{ runs: number; searched: number }>(
      `select count(*) as runs, count(*) filter (where run_id > $1) as searched from rowbench.runs
       where $2::text is null or workflow_id = $2`,
      [storableText(runId), workflowId === undefined ? null : storableText(workflowId)],
    );
    return { runs: found?.runs ?? 0, runsSearched: found?.searched ?? 0 };
  }

  /** Throws `run_not_found`. */
  async progress(runId: string): Promise<CommittedProgress> {
    const [found] = await this.#sql.query<
      RunColumns & {
        readonly trace_bytes: number;
        readonly statistics: string | null;
        readonly statistics_under_way: readonly string[] | null;
      }
    >(
      `select ${columns}, trace_bytes, statistics, statistics_under_way from (${runsWithCounts}) as runs
       where run_id = $1`,
      [storableText(runId)],
    );
    if (found === undefined) throw runNotFound();
    const texts = [
      ...(found.statistics === null ? [] : [found.statistics]),
      ...(found.statistics_under_way ?? []),
    ];
    const statistics = addRunStatistics(texts.map((text) => JSON.parse(text) as RunStatistics));
    return {
      counts: countsOf(found),
      traceBytes: found.trace_bytes,
      ...(statistics === undefined ? {} : { statistics }),
    };
  }

  async snapshot(hash: string): Promise<string | undefined> {
    const [found] = await this.#sql.query<{ text: Uint8Array }>(
      'select text from rowbench.snapshots where hash = $1',
      [storableText(hash)],
    );
    return found && Buffer.from(found.text).toString();
  }

  /** All row sets; for one whose record is damaged, its id alone. */
  async rowSets(): Promise<readonly (RowSet | string)[]> {
    const found = await this.#sql.query<{ set_id: string; record: string }>(
      'select set_id, record from rowbench.row_sets order by owner',
    );
    return found.map(({ set_id: id, record }) => parsedRecord<RowSet>(record) ?? id);
  }

  /** Bytes of all rows and results, without removed ones that `sweep` has yet to delete. */
  async usedBytes(): Promise<number> {
    const [found] = await this.#sql.query<{ bytes: number }>(
      `select (coalesce((select sum(bytes) from rowbench.runs), 0)
         + coalesce((select sum(bytes) from rowbench.row_sets), 0))::bigint as bytes`,
    );
    return found?.bytes ?? 0;
  }

  /** Runs of chains that are past the bounds, as for a data folder. */
  async pastBounds({ endedBeforeMs, keepEndedAfterMs, maxBytes }: RetentionBounds): Promise<PastBounds> {
    const before = timeOf(Math.min(endedBeforeMs, keepEndedAfterMs));
    const old = await this.#sql.query<{ run_id: string; bytes: number }>(
      `select run_id, bytes from rowbench.runs where ended_at_ms < $1 and not exists (
         select from rowbench.runs as other
         where coalesce(other.chain_id, other.run_id) = coalesce(runs.chain_id, runs.run_id)
           and (other.ended_at_ms is null or other.ended_at_ms >= $1 or strpos(other.record, $2) > 0))
       order by run_id`,
      [before, pinnedMark],
    );
    const byAge = old.map(({ run_id: id }) => id);
    const excess = (await this.usedBytes()) - maxBytes - old.reduce((sum, { bytes }) => sum + bytes, 0);
    const large =
      excess <= 0
        ? []
        : await this.#sql.query<{ run_ids: readonly string[]; bytes: number }>(
            `select run_ids, bytes from (
               select array_agg(run_id) as run_ids, sum(bytes)::bigint as bytes, max(ended_at_ms) as ended,
                 (sum(sum(bytes)) over (order by max(ended_at_ms), min(run_id)) - sum(bytes))::bigint as bytes_before
               from rowbench.runs
               where coalesce(chain_id, run_id) in (
                 select coalesce(chain_id, run_id) from rowbench.runs where ended_at_ms >= $1 and ended_at_ms <= $2)
               group by coalesce(chain_id, run_id)
               having count(ended_at_ms) = count(*) and max(ended_at_ms) <= $2 and max(strpos(record, $3)) = 0
             ) as candidates where bytes_before < $4 order by ended`,
            [before, timeOf(keepEndedAfterMs), pinnedMark, excess],
          );
    const bySize = large.flatMap(({ run_ids: ids }) => ids);
    const newest = [...byAge, ...bySize].sort().at(-1);
    return {
      byAge,
      bySize,
      isAboveSize: excess - large.reduce((sum, { bytes }) => sum + bytes, 0) > 0,
      newestFinishedAt: await this.#finishedAt(newest),
    };
  }

  /** Undefined for none, and for a run whose record is damaged. */
  async #finishedAt(runId: string | undefined): Promise<string | undefined> {
    if (runId === undefined) return undefined;
    const [found] = await this.#sql.query<{ record: string }>(
      'select record from rowbench.runs where run_id = $1',
      [runId],
    );
    return (found && parsedRecord<Run>(found.record))?.finishedAt ?? undefined;
  }
}

/** A time that the database can compare, in ms. */
const timeOf = (ms: number): number =>
  Math.ceil(Math.max(-Number.MAX_SAFE_INTEGER, Math.min(ms, Number.MAX_SAFE_INTEGER)));

const countsOf = (found: RunColumns): StoredRun['counts'] => ({
  rowsDone: found.rows_done,
  rowsFailed: found.rows_failed,
  ...(found.rows_unfinished === 0 ? {} : { rowsUnfinished: found.rows_unfinished }),
});

/** Throws `data_unreadable`. */
function storedRun(found: RunColumns): StoredRun {
  const stored = readableRun(found);
  if (stored === undefined)
    throw dataUnreadable(`the record of run ${found.run_id} in the database is damaged`);
  return stored;
}

function readableRun(found: RunColumns): StoredRun | undefined {
  const run = parsedRecord<Run>(found.record);
  return run?.runId === found.run_id
    ? { run: inChain(run, found.chain_id ?? run.runId), counts: countsOf(found) }
    : undefined;
}

function parsedRecord<Parsed>(text: string): Parsed | undefined {
  try {
    return JSON.parse(text) as Parsed;
  } catch {
    return undefined;
  }
}

/** The conditions that columns can decide; `fitsFilter` has the last word. */
function conditionsOf(query: RunQuery, parameters: SqlParameters): string {
  const { status, workflowId, rerunOf, before, since, until, runIds, isPinned, tag, text } = query;
  const conditions: string[] = ['true'];
  const add = (value: string | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(parameters.add(storableText(value))));
  };
  add(status, (parameter) => `status = ${parameter}`);
  add(workflowId, (parameter) => `workflow_id = ${parameter}`);
  add(rerunOf, (parameter) => `rerun_of = ${parameter}`);
  add(before, (parameter) => `run_id < ${parameter}`);
  add(since && new Date(since).toISOString(), (parameter) => `accepted_at >= ${parameter}`);
  add(until && new Date(until).toISOString(), (parameter) => `accepted_at < ${parameter}`);
  if (runIds !== undefined)
    conditions.push(`run_id = any(${parameters.add(runIds.map(storableText))}::text[])`);
  if (isPinned !== undefined)
    conditions.push(`strpos(record, ${parameters.add(pinnedMark)}) ${isPinned ? '>' : '='} 0`);
  add(tag && JSON.stringify(tag), (parameter) => `strpos(record, ${parameter}) > 0`);
  // Only ASCII text: other letters may be stored in another form than the one that was typed.
  if (text !== undefined && /^[\w .:@-]+$/.test(text))
    add(text.toLowerCase(), (parameter) => `strpos(lower(record collate "C"), ${parameter}) > 0`);
  return conditions.join(' and ');
}
