// Answers to the calls that rows of a run share, on all workers of a team; the executor's port `SharedAnswers`. The first
// attempt that inserts the row of a call makes it; an attempt that is over loses its claim. Who calls: SegmentRun.
// INVARIANT: an answer is stored once for each version, by the attempt that has the claim.
import type { Clock } from '../../base/clock.ts';
import type { Emitter } from '../../base/emitter.ts';
import { untilAborted } from '../../base/sleep.ts';
import type { Log } from '../../base/log.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import type { SharedAnswer, SharedAnswers, SharedClaim } from '../../executor/ports.ts';
import { maxSharedAnswers } from '../../storage/runs/stored-answers.ts';
import { retryWhileRefused } from '../../storage/runs/store-health.ts';
import { answerCrc } from '../../storage/sqlite/checksums.ts';
import { withStoreErrors } from '../team-errors.ts';
import type { TeamSql } from '../sql.ts';
import type { SegmentAttempt, SegmentQueue } from './segment-queue.ts';

/** Channel for the key of each call that has an answer now, or that another worker may make now. */
export const answersChannel = 'rowbench_answers';

type SegmentAnswersDeps = {
  readonly database: TeamSql;
  readonly queue: Pick<SegmentQueue, 'isActive'>;
  readonly attempt: SegmentAttempt;
  /** Payloads of `answersChannel`. */
  readonly answered: Emitter<string>;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: `maxSharedAnswers`. */
  readonly maxAnswers?: number;
};

/** Interval at which a call that another worker makes is looked at without a notice, in ms. */
const lookEveryMs = 500;
/** Part of the places left that a segment takes before it counts the answers again: others take places meanwhile. */
const partBeforeCount = 1 / 64;

type AnswerColumns = {
  readonly version: number;
  /** Attempt that makes the call. Null: the call has an answer, or none makes it. */
  readonly job: string | null;
  readonly retry_count: number | null;
  readonly answer: Uint8Array | null;
  readonly crc: number | null;
  readonly is_new: boolean;
};

export class SegmentAnswers implements SharedAnswers {
  readonly #deps: SegmentAnswersDeps;
  /** Calls that may be claimed before the answers are counted again. */
  #uncounted = 0;

  constructor(deps: SegmentAnswersDeps) {
    this.#deps = deps;
  }

  async claim(key: string, { refused, signal }: Parameters<SharedAnswers['claim']>[1]): Promise<SharedClaim> {
    const { maxAnswers = maxSharedAnswers } = this.#deps;
    for (;;) {
      signal.throwIfAborted();
      // Begins before the look, so that no notice is missed.
      const change = this.#nextChange(key, signal);
      try {
        const hasRoom = await this.#hasRoom(maxAnswers);
        const found = await this.#look(key, hasRoom);
        if (found === undefined && !hasRoom) return { kind: 'full', maxAnswers };
        const claim = found && (await this.#claimOf(key, found, refused));
        if (claim !== undefined) return claim;
        // Without a row, another worker has inserted it at this moment.
        if (found !== undefined) await change.promise;
      } finally {
        change.cancel();
      }
    }
  }

  /** Stores the answer durably, and waits during a shortage. Throws `out_of_resources`, `disk_full`, `store_degraded`. */
  keep(key: string, { version, bytes }: SharedAnswer): Promise<boolean> {
    const { attempt, database, clock } = this.#deps;
    const { owner, firstRow } = attempt.data;
    return retryWhileRefused(clock, () =>
      withStoreErrors(() =>
        database.transaction(async (sql) => {
          const stored = await sql.query(
            `with stored as (
               update rowbench.shared_answers set answer = $6, crc = $7, job = null, retry_count = null
               where owner = $1 and key = $2 and version = $3 and job = $4 and retry_count = $5 returning 1
             ), counted as (
               update rowbench.segments set bytes = bytes + $8
               where owner = $1 and first_row = $9 and exists (select from stored)
             )
             select 1 from stored`,
            [
              ...this.#claimed(key, version),
              bytes,
              answerCrc({ owner, key, version }, bytes),
              bytes.length,
              firstRow,
            ],
          );
          sql.notify(answersChannel, key);
          return stored.length === 1;
        }),
      ),
    );
  }

  /** Never rejects: without it, others make the call once this attempt is over. */
  async release(key: string, version: number): Promise<void> {
    const { database, log } = this.#deps;
    try {
      await database.transaction(async (sql) => {
        // A version that no row has seen leaves nothing behind.
        await sql.query(
          `with first as (
             delete from rowbench.shared_answers
             where owner = $1 and key = $2 and version = $3 and job = $4 and retry_count = $5 and version = 1
           )
           update rowbench.shared_answers set job = null, retry_count = null
           where owner = $1 and key = $2 and version = $3 and job = $4 and retry_count = $5 and version > 1`,
          this.#claimed(key, version),
        );
        sql.notify(answersChannel, key);
      });
    } catch (error) {
      log.warn({ error }, 'the claim of a shared call could not be given back');
    }
  }

  #claimed(key: string, version: number): readonly unknown[] {
    const { id, retryCount, data } = this.#deps.attempt;
    return [data.owner, key, version, id, retryCount];
  }

  /** Inserts the row of a call, or reads it. Undefined: there is none, and there is no room, or it has come this moment. */
  async #look(key: string, hasRoom: boolean): Promise<AnswerColumns | undefined> {
    const { database, clock } = this.#deps;
    const [found] = await retryWhileRefused(clock, () =>
      withStoreErrors(() =>
        database.query<AnswerColumns>(
          `with added as (
             insert into rowbench.shared_answers (owner, key, version, job, retry_count)
             select $1, $2, $3, $4, $5 where $6 on conflict do nothing returning *
           )
           select version, job, retry_count, answer, crc, true as is_new from added
           union all
           select version, job, retry_count, answer, crc, false from rowbench.shared_answers
           where owner = $1 and key = $2`,
          [...this.#claimed(key, 1), hasRoom],
        ),
      ),
    );
    if (found?.is_new === true) this.#uncounted -= 1;
    return found;
  }

  /** The claim that the row of a call allows; undefined: another worker makes the call. Throws `data_unreadable`. */
  async #claimOf(
    key: string,
    found: AnswerColumns,
    refused: number | undefined,
  ): Promise<SharedClaim | undefined> {
    const { version, answer, crc } = found;
    if (found.is_new) return { kind: 'claimed', version };
    if (answer !== null && version !== refused) {
      const { owner } = this.#deps.attempt.data;
      if (answerCrc({ owner, key, version }, answer) !== crc)
        throw dataUnreadable('damage at an answer that rows of a run share');
      return { kind: 'answered', version, bytes: answer };
    }
    if (answer === null && (await this.#isMade(found))) return undefined;
    return this.#take(key, found);
  }

  /** True if another attempt makes the call. This attempt has one call of a key at a time: its earlier claim is a lost one. */
  async #isMade({ job, retry_count: retryCount }: AnswerColumns): Promise<boolean> {
    const { attempt, queue, database } = this.#deps;
    if (job === null || retryCount === null) return false;
    if (job === attempt.id && retryCount === attempt.retryCount) return false;
    return withStoreErrors(() => queue.isActive({ id: job, retryCount }, database));
  }

  /** Claims a call whose row is as it was found; undefined: another worker was first. */
  async #take(key: string, { version, job, retry_count: retryCount }: AnswerColumns) {
    const { database, clock } = this.#deps;
    const [taken] = await retryWhileRefused(clock, () =>
      withStoreErrors(() =>
        database.query<{ version: number }>(
          `update rowbench.shared_answers
           set version = version + 1, job = $4, retry_count = $5, answer = null, crc = null
           where owner = $1 and key = $2 and version = $3 and job is not distinct from $6
             and retry_count is not distinct from $7
           returning version`,
          [...this.#claimed(key, version), job, retryCount],
        ),
      ),
    );
    return taken && ({ kind: 'claimed', version: taken.version } as const);
  }

  async #hasRoom(maxAnswers: number): Promise<boolean> {
    if (this.#uncounted > 0) return true;
    const { database, attempt } = this.#deps;
    const [found] = await withStoreErrors(() =>
      database.query<{ answers: number }>(
        'select count(*)::integer as answers from rowbench.shared_answers where owner = $1',
        [attempt.data.owner],
      ),
    );
    const left = maxAnswers - (found?.answers ?? 0);
    this.#uncounted = Math.floor(left * partBeforeCount);
    return left > 0;
  }

  /** Resolves at a notice of the call, and after a while without one. */
  #nextChange(key: string, signal: AbortSignal): { readonly promise: Promise<void>; cancel(): void } {
    const { answered, clock } = this.#deps;
    let cancel = (): void => undefined;
    const change = new Promise<void>((resolve) => {
      const stopTimer = clock.setTimer(lookEveryMs, resolve);
      const stopListening = answered.listen((each) => each === key && resolve());
      cancel = () => {
        stopTimer();
        stopListening();
      };
    });
    const promise = untilAborted(change, signal);
    promise.catch(() => undefined);
    return { promise, cancel: () => cancel() };
  }
}
