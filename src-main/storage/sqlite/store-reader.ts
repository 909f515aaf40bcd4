import { BatchQueries } from './batch-queries.ts';
import type { Database } from './open-database.ts';
import { RunQueries } from './run-queries.ts';

/** Everything that can be asked of `rowbench.db` without changing it. */
export type StoreReader = Pick<RunQueries, keyof RunQueries> & Pick<BatchQueries, keyof BatchQueries>;

/** The objects whose methods answer. */
export const openReader = (database: Database): readonly [RunQueries, BatchQueries] => [
  new RunQueries(database),
  new BatchQueries(database),
];
