// Answers to the calls that rows of one run share, in `rowbench.db`; the executor's port `SharedAnswers`. One process runs
// all rows, so that a call that has no stored answer is this process's to make.
import type { Clock } from '../../base/clock.ts';
import type { NewSharedAnswer } from '../sqlite/stored-batches.ts';
import type { RunDatabase } from './run-database.ts';
import { retryWhileRefused } from './store-health.ts';

type SharedAnswersDeps = {
  readonly database: Pick<RunDatabase, 'read' | 'write'>;
  readonly clock: Clock;
  readonly runId: string;
  /** Absent: `maxSharedAnswers`. */
  readonly maxAnswers?: number;
};

/** Maximum stored answers of a run. */
export const maxSharedAnswers = 100_000;

export class StoredAnswers {
  readonly #deps: SharedAnswersDeps;
  /** Stored answers, and calls under way that have none yet. */
  #answers: Promise<{ count: number }> | undefined;

  constructor(deps: SharedAnswersDeps) {
    this.#deps = deps;
  }

  /** The stored answer, or the right to make the call. Throws `data_unreadable`. */
  async claim(key: string, { refused }: { readonly refused: number | undefined }) {
    const { database, runId, maxAnswers = maxSharedAnswers } = this.#deps;
    const found = await database.read('sharedAnswer', runId, key);
    if (found !== undefined && found.version !== refused) return { kind: 'answered', ...found } as const;
    if (found === undefined) {
      const answers = await this.#count();
      if (answers.count >= maxAnswers) return { kind: 'full', maxAnswers } as const;
      answers.count += 1;
    }
    return { kind: 'claimed', version: (found?.version ?? 0) + 1 } as const;
  }

  /** Stores the answer durably, and waits during a shortage. Throws as `RunDatabase.write`. */
  keep(key: string, { version, bytes }: NewSharedAnswer): Promise<boolean> {
    const { database, clock, runId } = this.#deps;
    // A copy, since the call transfers its memory, and a refused call is repeated.
    return retryWhileRefused(clock, () =>
      database.write('keepSharedAnswer', runId, key, { version, bytes: Uint8Array.from(bytes) }),
    );
  }

  /** Gives the place of a call back that has no answer. */
  async release(_key: string, version: number): Promise<void> {
    if (version === 1) (await this.#count()).count -= 1;
  }

  #count(): Promise<{ count: number }> {
    const { database, runId } = this.#deps;
    return (this.#answers ??= database.read('sharedAnswerCount', runId).then((count) => ({ count })));
  }
}
