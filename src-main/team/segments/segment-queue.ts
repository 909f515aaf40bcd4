// The queue of segments, in pg-boss. pg-boss gives each job to one worker at a time, detects lost workers by missing
// heartbeats, and refuses updates of a job that another worker has taken over. Who calls: the runs of
// a team (insert), and its workers (the rest).
import { PgBoss, type JobAttempt } from 'pg-boss';
import type { Log } from '../../base/log.ts';
import { queueSchema } from '../admin/schema.ts';
import { commitUnflushed, forBoss, type Sql, type TeamSql, type Transaction } from '../sql.ts';

/** Channel for the numbers of jobs that are added to the queue. */
export const jobsChannel = 'rowbench_jobs';
/** Name of the queue, with the version of the job's format: workers take only jobs of their own version. */
const queueName = 'segments-1';
/** Time without a heartbeat after which a job counts as lost, in s; the minimum of pg-boss. */
export const leaseSeconds = 10;
/** Maximum time of one attempt, in s; pg-boss allows less than a day. */
const maxAttemptSeconds = 23 * 60 * 60;
/** pg-boss repeats a lost job at once and without a limit: `segments.failed_attempts` counts the attempts. */
const retryLimit = 1_000_000;
const yearSeconds = 365 * 24 * 60 * 60;
/** Time after which ended jobs are removed, in s. */
const deleteAfterSeconds = 60 * 60;

/** A segment in the queue. */
export type SegmentJob = { readonly owner: number; readonly firstRow: number };

/** An attempt of a worker at a job. Only the latest one counts. */
export type SegmentAttempt = JobAttempt & { readonly data: SegmentJob };

/**
 * Priorities of jobs; among equal ones, the oldest comes first. Single segments come first, then the first rows of each
 * run, so that a run of a million rows does not make a later run of some thousand wait for its end.
 */
const singlePriority = 20;
const priorities = [
  { lastRow: 10_000, priority: 10 },
  { lastRow: 100_000, priority: 5 },
] as const;

const priorityOf = ({ firstRow }: SegmentJob): number =>
  priorities.find(({ lastRow }) => firstRow <= lastRow)?.priority ?? 0;

export const createQueues = (boss: PgBoss): Promise<void> =>
  boss.createQueue(queueName, {
    retryLimit,
    retryDelay: 0,
    heartbeatSeconds: leaseSeconds,
    expireInSeconds: maxAttemptSeconds,
    retentionSeconds: yearSeconds,
    deleteAfterSeconds,
  });

type QueueOptions = {
  readonly log: Log;
  readonly backend?: 'postgres' | 'pglite';
  /** Interval at which this process looks for lost jobs, in s; default 1. */
  readonly superviseSeconds?: number;
};

export class SegmentQueue {
  readonly #boss: PgBoss;
  readonly #database: TeamSql;

  private constructor(boss: PgBoss, database: TeamSql) {
    this.#boss = boss;
    this.#database = database;
  }

  static async open(
    database: TeamSql,
    { log, backend = 'postgres', superviseSeconds = 1 }: QueueOptions,
  ): Promise<SegmentQueue> {
    const boss = new PgBoss({
      db: forBoss(database),
      schema: queueSchema,
      backend,
      migrate: false,
      createSchema: false,
      schedule: false,
      superviseIntervalSeconds: superviseSeconds,
      monitorIntervalSeconds: 1,
    });
    boss.on('error', (error) => log.warn({ error }, 'the queue of segments reports an error'));
    await boss.start();
    return new SegmentQueue(boss, database);
  }

  /** Adds jobs in the caller's transaction, and notifies the workers. No worker gets them before `delayMs` are over. */
  async insert(
    jobs: readonly SegmentJob[],
    sql: Transaction,
    { isSingle = false, delayMs = 0 }: { readonly isSingle?: boolean; readonly delayMs?: number } = {},
  ): Promise<void> {
    if (jobs.length === 0) return;
    const delay = delayMs === 0 ? {} : { startAfter: `${delayMs} milliseconds` };
    const inserts = jobs.map((data) => ({
      data,
      priority: isSingle ? singlePriority : priorityOf(data),
      ...delay,
    }));
    await this.#boss.insert(queueName, inserts, { db: forBoss(sql) });
    sql.notify(jobsChannel, String(jobs.length));
  }

  /** Takes the next job; undefined: there is none. A crash of the database may forget that it was taken. */
  fetch(): Promise<SegmentAttempt | undefined> {
    return this.#database.transaction(async (sql) => {
      const [[job]] = await Promise.all([
        this.#boss.fetch<SegmentJob>(queueName, { batchSize: 1, db: forBoss(sql) }),
        commitUnflushed(sql),
      ]);
      return job && { id: job.id, retryCount: job.retryCount, data: job.data };
    });
  }

  /** First rows of a run's segments whose jobs no worker has: some of them may have been lost. */
  async unclaimedRows(owner: number, sql: Sql): Promise<readonly number[]> {
    const jobs = await this.#boss.findJobs<SegmentJob>(queueName, {
      data: { owner },
      queued: true,
      limit: 100_000,
      db: forBoss(sql),
    });
    return jobs.map(({ data }) => data.firstRow);
  }

  /** Sends a heartbeat for the attempts. Returns the ids of those that still count. */
  async touch(attempts: readonly SegmentAttempt[], sql?: Sql): Promise<ReadonlySet<string>> {
    if (attempts.length === 0) return new Set();
    const options = sql === undefined ? {} : { db: forBoss(sql) };
    return affectedBy(await this.#boss.touch(queueName, attempts.map(claimOf), options));
  }

  /** Ends the job in the caller's transaction. False, without a change, if the attempt no longer counts. */
  async complete(attempt: SegmentAttempt, sql: Sql): Promise<boolean> {
    const options = { db: forBoss(sql) };
    return affectedBy(await this.#boss.complete(queueName, claimOf(attempt), null, options)).has(attempt.id);
  }

  /** True while the attempt may end its job: no heartbeat is missing, and no other attempt has begun. */
  async isActive({ id, retryCount }: JobAttempt, sql: Sql): Promise<boolean> {
    const [job] = await this.#boss.findJobs<SegmentJob>(queueName, { id, db: forBoss(sql) });
    return job?.state === 'active' && job.retryCount === retryCount;
  }

  /** True if this attempt ended its job. */
  async hasCompleted({ id, retryCount }: SegmentAttempt, sql: Sql): Promise<boolean> {
    const [job] = await this.#boss.findJobs<SegmentJob>(queueName, { id, db: forBoss(sql) });
    return job?.state === 'completed' && job.retryCount === retryCount;
  }

  /** Stops looking for lost jobs. The caller keeps the jobs that it has fetched. */
  close(): Promise<void> {
    return this.#boss.stop({ graceful: false, close: false });
  }
}

const claimOf = ({ id, retryCount }: SegmentAttempt): JobAttempt => ({ id, retryCount });

/** Answer of pg-boss with the ids that it changed, which its types leave out. */
const affectedBy = (response: object): ReadonlySet<string> =>
  new Set((response as { readonly settled?: readonly string[] | null }).settled ?? []);
