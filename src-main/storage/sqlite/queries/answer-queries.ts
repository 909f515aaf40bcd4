// Answers to the calls that rows of a run share, each held against its checksum.
import { dataUnreadable } from '../../../domain/store-errors.ts';
import { answerCrc } from '../checksums.ts';
import type { Database } from '../open-database.ts';
import { Statements } from '../statements.ts';
import type { NewSharedAnswer } from '../stored-batches.ts';

type AnswerColumns = {
  readonly owner: number;
  readonly version: number;
  readonly answer: Uint8Array;
  readonly crc: number;
};

export class AnswerQueries {
  readonly #sql: Statements;

  constructor(database: Database) {
    this.#sql = new Statements(database);
  }

  /** The answer to the call with this idempotency key; undefined: none is stored. Throws `data_unreadable`. */
  sharedAnswer(runId: string, key: string): NewSharedAnswer | undefined {
    const found = this.#sql.get<AnswerColumns>(
      `select owner, version, answer, crc from shared_answers
       where owner = (select number from runs where run_id = ?) and key = ?`,
      runId,
      key,
    );
    if (found === undefined) return undefined;
    const { owner, version, answer, crc } = found;
    if (answerCrc({ owner, key, version }, answer) !== crc)
      throw dataUnreadable(`damage at an answer that rows of run ${runId} share`);
    return { version, bytes: answer };
  }

  /** Number of answers that rows of the run share. */
  sharedAnswerCount(runId: string): number {
    const found = this.#sql.get<{ answers: number }>(
      `select count(*) as answers from shared_answers where owner = (select number from runs where run_id = ?)`,
      runId,
    );
    return found?.answers ?? 0;
  }
}
