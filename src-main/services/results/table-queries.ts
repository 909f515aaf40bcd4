// Questions about tables of rows that may look at nodes: adds the nodes of each run, which the store does not know. Who calls:
// RunDataService, exports and reruns of selected rows.
import { LruMap } from '../../base/lru-map.ts';
import type {
  LocatedRow,
  LocateRequest,
  OverviewRequest,
  SelectedNumbers,
  StoredTableRequest,
  TableNode,
  TableOverview,
  TablePage,
  TableRequest,
} from '../../domain/query/table-page.ts';
import { runNotFound } from '../../domain/run-errors.ts';
import type { RowQueries, RunReading, RunRecords, TableRuns } from '../ports.ts';
import type { PlanCache } from '../runs/plan-cache.ts';

type TableQueriesDeps = {
  readonly queries: RowQueries;
  readonly store: Pick<RunRecords, 'find'> & Pick<RunReading, 'readStatistics'>;
  readonly plans: Pick<PlanCache, 'get'>;
};

/** Cells of an answer: about half a megabyte. */
const maxCells = 10_000;
/** Runs whose nodes are remembered. */
const maxRuns = 500;

export class TableQueries {
  readonly #deps: TableQueriesDeps;
  readonly #nodes = new LruMap<string, readonly TableNode[]>({ maxEntries: maxRuns });

  constructor(deps: TableQueriesDeps) {
    this.#deps = deps;
  }

  /** As `RowQueries.select`; with at most 10,000 cells of nodes. Throws `workflow_invalid` if a run's workflow is lost. */
  async select(runIds: TableRuns, { nodes: requested, ...request }: TableRequest): Promise<TablePage> {
    if (requested === undefined)
      return this.#deps.queries.select(runIds, await this.#withNodeIds(runIds, request));
    const nodesOfRuns = await this.#nodesOfRuns(runIds);
    const all = nodesInOrder(nodesOfRuns);
    const nodes =
      requested === 'all' ? all : requested.flatMap((id) => all.find(({ nodeId }) => nodeId === id) ?? []);
    const page = await this.#deps.queries.select(runIds, {
      ...request,
      count: Math.min(request.count, Math.max(1, Math.floor(maxCells / Math.max(1, nodes.length)))),
      nodes: idsOf(nodes),
      nodeIds: nodesOfRuns.map(idsOf),
    });
    return page.isReady ? { ...page, nodes } : page;
  }

  /** As `RowQueries.selectNumbers`. */
  async selectNumbers(runIds: TableRuns, request: StoredTableRequest): Promise<SelectedNumbers> {
    return this.#deps.queries.selectNumbers(runIds, await this.#withNodeIds(runIds, request));
  }

  /** As `RowQueries.overview`. */
  async overview(runIds: TableRuns, request: OverviewRequest): Promise<TableOverview> {
    const hasSkipped = await this.#hasSkipped(runIds);
    return this.#deps.queries.overview(runIds, await this.#withNodeIds(runIds, { ...request, hasSkipped }));
  }

  /** As `RowQueries.locate`. */
  async locate(runIds: TableRuns, request: LocateRequest): Promise<LocatedRow> {
    const hasSkipped = await this.#hasSkipped(runIds);
    return this.#deps.queries.locate(runIds, await this.#withNodeIds(runIds, { ...request, hasSkipped }));
  }

  /** True if a node was skipped in a row, or may have been. */
  async #hasSkipped(runIds: TableRuns): Promise<boolean> {
    const statistics = await Promise.all(runIds.map((runId) => this.#deps.store.readStatistics(runId)));
    return statistics.some((known) => known?.nodes.some(({ skipped }) => skipped > 0) !== false);
  }

  async #withNodeIds<Request extends Pick<StoredTableRequest, 'selection' | 'nodeIds'>>(
    runIds: TableRuns,
    request: Request,
  ): Promise<Request> {
    const looksAtNodes = request.selection.conditions.some(({ of }) => of === 'node');
    return looksAtNodes ? { ...request, nodeIds: (await this.#nodesOfRuns(runIds)).map(idsOf) } : request;
  }

  #nodesOfRuns(runIds: TableRuns): Promise<readonly (readonly TableNode[])[]> {
    return Promise.all(runIds.map((runId) => this.#nodesOf(runId)));
  }

  async #nodesOf(runId: string): Promise<readonly TableNode[]> {
    const known = this.#nodes.get(runId);
    if (known !== undefined) return known;
    const found = await this.#deps.store.find(runId);
    if (found === undefined) throw runNotFound();
    const plan = await this.#deps.plans.get(found.run);
    const nodes = plan.nodes.map(({ id: nodeId, type }) => ({ nodeId, type }));
    this.#nodes.set(runId, nodes);
    return nodes;
  }
}

const idsOf = (nodes: readonly TableNode[]): readonly string[] => nodes.map(({ nodeId }) => nodeId);

/** The nodes of the newest run, then those that only older runs have. */
const nodesInOrder = (nodesOfRuns: readonly (readonly TableNode[])[]): readonly TableNode[] => [
  ...new Map(nodesOfRuns.toReversed().flatMap((nodes) => nodes.map((node) => [node.nodeId, node]))).values(),
];
