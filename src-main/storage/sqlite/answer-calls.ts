// Calls of the store's methods on one connection, as values or failures. Who calls: store-thread-main.
import { answerCalls, attempt, invoke, type Answer } from './call-methods.ts';
import { BatchQueries } from './batch-queries.ts';
import { ChainCounter } from './queries/chain-counter.ts';
import { ColumnQueries } from './queries/column-queries.ts';
import type { Database } from './open-database.ts';
import { RunComparisons } from './queries/run-comparisons.ts';
import { RunFinder } from './queries/run-finder.ts';
import { RowSelections } from './queries/row-selections.ts';
import { RunQueries } from './queries/run-queries.ts';
import { AnswerQueries } from './queries/answer-queries.ts';
import { StoreWriter } from './store-writer.ts';
import { failureOf, isFull, isOutOfMemory, type ThreadCall, type ThreadReply } from './thread-messages.ts';

/** Every question about `rowbench.db` that changes nothing. */
export type StoreReader = Pick<RunQueries, keyof RunQueries> &
  Pick<BatchQueries, keyof BatchQueries> &
  Pick<ColumnQueries, keyof ColumnQueries> &
  Pick<RunComparisons, keyof RunComparisons> &
  Pick<RunFinder, keyof RunFinder> &
  Pick<RowSelections, keyof RowSelections> &
  Pick<ChainCounter, keyof ChainCounter> &
  Pick<AnswerQueries, keyof AnswerQueries>;

/** The objects whose methods answer the questions of `StoreReader`. */
export const openReader = (
  database: Database,
): readonly [
  RunQueries,
  BatchQueries,
  ColumnQueries,
  RunComparisons,
  RunFinder,
  RowSelections,
  ChainCounter,
  AnswerQueries,
] => {
  const batches = new BatchQueries(database);
  const runs = new RunQueries(database);
  return [
    runs,
    batches,
    new ColumnQueries(batches),
    new RunComparisons(batches),
    new RunFinder(runs, batches),
    new RowSelections(batches),
    new ChainCounter(batches),
    new AnswerQueries(database),
  ];
};

/** Answers calls of the store's reading methods. */
export function readAnswers(database: Database): Answer {
  return answerCalls(openReader(database));
}

/**
 * Answers calls of all methods of the store. Those that have arrived share a transaction (group commit), so that a slow
 * disk is waited for once.
 */
export function writeAnswers(database: Database): Answer {
  const writer = new StoreWriter(database);
  const stores = [writer, ...openReader(database)];
  /** One call alone, or each behind a savepoint, so that a failure rolls back only its own call. */
  const transact: Answer = (calls) => {
    database.exec('begin immediate');
    try {
      const [only] = calls;
      const replies =
        calls.length === 1 && only !== undefined
          ? [{ id: only.id, value: invoke(stores, only) }]
          : calls.map((call) =>
              attemptUnlessLost(call, () => savepoint(database, () => invoke(stores, call))),
            );
      database.exec('commit');
      writer.clearLog();
      return replies;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      throw error;
    }
  };
  const alone: Answer = (calls) => {
    try {
      return transact(calls);
    } catch (error) {
      return calls.map(({ id }) => ({ id, failure: failureOf(error) }));
    }
  };
  return (calls) => {
    if (calls.length === 1) return alone(calls);
    try {
      return transact(calls);
    } catch (error) {
      // Nothing of the group is stored. Where there was no room for all of it, each call gets its own transaction, so that
      // only those fail that must. Any other failure is the disk's: what could not be written once is not tried again.
      const failure = failureOf(error instanceof TransactionLost ? error.cause : error);
      if (failure.kind === 'sqlite' && (isFull(failure.errcode) || isOutOfMemory(failure.errcode)))
        return calls.flatMap((call) => alone([call]));
      return calls.map(({ id }) => ({ id, failure }));
    }
  };
}

/** SQLite has rolled the whole transaction back by itself, as it does when the disk is full. */
class TransactionLost extends Error {}

const attemptUnlessLost = (call: ThreadCall, act: () => unknown): ThreadReply =>
  attempt(call, act, (error) => error instanceof TransactionLost);

function savepoint(database: Database, act: () => unknown): unknown {
  database.exec('savepoint call');
  try {
    const value = act();
    database.exec('release call');
    return value;
  } catch (error) {
    if (!database.isTransaction) throw new TransactionLost('the transaction is lost', { cause: error });
    database.exec('rollback to call; release call');
    throw error;
  }
}
