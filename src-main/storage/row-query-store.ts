// Questions over all rows of runs, answered by the reading thread step by step. Implements the port `RowQueries`.
import type { Column } from '../domain/query/column.ts';
import type { ColumnStatistics } from '../domain/query/column-statistics.ts';
import type { ComparisonOptions, RunComparison } from '../domain/query/compare-runs.ts';
import type { RunDatabase } from './run-database.ts';
import type { RowAnswers, RunDataQuery } from './sqlite/row-query-runner.ts';

export class RowQueryStore {
  readonly #database: Pick<RunDatabase, 'read'>;

  constructor(database: Pick<RunDatabase, 'read'>) {
    this.#database = database;
  }

  columns(runId: string): Promise<readonly Column[]> {
    return this.#answer({ kind: 'columns', runId });
  }

  statistics(runId: string, columns: readonly Column[]): Promise<readonly ColumnStatistics[]> {
    return this.#answer({ kind: 'statistics', runId, columns });
  }

  compare(firstRunId: string, secondRunId: string, options: ComparisonOptions): Promise<RunComparison> {
    return this.#answer({ kind: 'comparison', firstRunId, secondRunId, options });
  }

  async #answer<Query extends RunDataQuery>(query: Query): Promise<RowAnswers[Query['kind']]> {
    const id = await this.#database.read('beginQuery', query);
    for (;;) {
      const { answer } = await this.#database.read('continueQuery', id);
      if (answer !== undefined) return answer as RowAnswers[Query['kind']];
    }
  }
}
