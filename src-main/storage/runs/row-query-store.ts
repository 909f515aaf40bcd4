// Questions over all rows of runs, answered by the reading thread step by step. Implements the port `RowQueries`.
import type { Column } from '../../domain/query/column.ts';
import type { StatisticsStep } from '../../domain/query/column-statistics.ts';
import type {
  ComparedSide,
  ComparisonPage,
  ComparisonRequest,
  ComparisonStep,
} from '../../domain/query/compare-runs.ts';
import type { FindHit, FindPage, FindQuery } from '../../domain/query/find-values.ts';
import type {
  LocatedRow,
  SelectedNumbers,
  StoredLocateRequest,
  StoredOverviewRequest,
  StoredTableRequest,
  TableOverview,
  TablePage,
} from '../../domain/query/table-page.ts';
import type { ChainRows } from '../../domain/run/chain.ts';
import type { StoreDatabase } from './store-database.ts';

/** Time after which a caller hears how far the work is, in ms. */
const maxStepMs = 250;

export class RowQueryStore {
  readonly #database: Pick<StoreDatabase, 'read'>;

  constructor(database: Pick<StoreDatabase, 'read'>) {
    this.#database = database;
  }

  async columns(runIds: readonly string[]): Promise<readonly Column[]> {
    return (await this.#finish(() => this.#database.read('readColumns', runIds))).answer;
  }

  async statistics(runIds: readonly string[], columns: readonly Column[]): Promise<StatisticsStep> {
    const step = await this.#continue(() => this.#database.read('readStatistics', runIds, columns));
    return step.isReady ? { isReady: true, statistics: step.answer } : step;
  }

  countCommonRows(side: ComparedSide, others: readonly ComparedSide[]): Promise<readonly number[]> {
    return this.#database.read('countCommonRows', side, others);
  }

  async compare(request: ComparisonRequest): Promise<ComparisonPage> {
    return this.#finish(() => this.#database.read('readComparison', request));
  }

  async compareStep(request: ComparisonRequest): Promise<ComparisonStep> {
    return this.#continue(() => this.#database.read('readComparison', request));
  }

  async find(query: FindQuery): Promise<FindPage> {
    const endMs = performance.now() + maxStepMs;
    const hits: FindHit[] = [];
    const unreadableRuns: string[] = [];
    let largeLines = 0;
    let { cursor } = query;
    for (;;) {
      const part = await this.#database.read('find', { ...query, cursor, limit: query.limit - hits.length });
      hits.push(...part.hits);
      unreadableRuns.push(...part.unreadableRuns);
      largeLines += part.largeLines;
      cursor = part.next;
      if (cursor === undefined || hits.length >= query.limit || performance.now() >= endMs) break;
    }
    const { runs, runsSearched } = await this.#database.read(
      'findProgress',
      cursor?.runId ?? '',
      query.workflowId,
    );
    return {
      hits,
      largeLines,
      unreadableRuns,
      runs,
      runsSearched: cursor === undefined ? runs : runsSearched,
      ...(cursor === undefined ? {} : { next: cursor }),
    };
  }

  async select(runIds: readonly string[], request: StoredTableRequest): Promise<TablePage> {
    return this.#continue(() => this.#database.read('readTable', runIds, request));
  }

  async selectNumbers(runIds: readonly string[], request: StoredTableRequest): Promise<SelectedNumbers> {
    return this.#continue(() => this.#database.read('selectNumbers', runIds, request));
  }

  async countChainRows(runIds: readonly string[], openRunIds: readonly string[] = []): Promise<ChainRows> {
    return (await this.#finish(() => this.#database.read('countChainRows', runIds, openRunIds))).answer;
  }

  async overview(runIds: readonly string[], request: StoredOverviewRequest): Promise<TableOverview> {
    return this.#continue(() => this.#database.read('readOverview', runIds, request));
  }

  async locate(runIds: readonly string[], request: StoredLocateRequest): Promise<LocatedRow> {
    return this.#continue(() => this.#database.read('locateRow', runIds, request));
  }

  /** Asks until the answer is ready, or until it is time to tell the caller how far the work is. */
  async #continue<Answer extends { readonly isReady: boolean }>(
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const endMs = performance.now() + maxStepMs;
    for (;;) {
      const answer = await work();
      if (answer.isReady || performance.now() >= endMs) return answer;
    }
  }

  /** Asks until the answer is ready. */
  async #finish<Answer extends { readonly isReady: boolean }>(
    work: () => Promise<Answer>,
  ): Promise<Extract<Answer, { readonly isReady: true }>> {
    for (;;) {
      const answer = await work();
      if (answer.isReady) return answer as Extract<Answer, { readonly isReady: true }>;
    }
  }
}
