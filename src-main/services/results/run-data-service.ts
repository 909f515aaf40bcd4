// The data of runs for pages: rows, outputs, single values, causes of failures and the workflow's lines of a node.
// Who calls: the control API. This service changes no stored data.
import type { JsonObject } from '../../base/json-value.ts';
import type { Column } from '../../domain/query/column.ts';
import type { StatisticsStep } from '../../domain/query/column-statistics.ts';
import type { FindPage, FindQuery } from '../../domain/query/find-values.ts';
import type { RowSelection } from '../../domain/query/row-selection.ts';
import type {
  LocatedRow,
  LocateRequest,
  OverviewRequest,
  TableOverview,
  TablePage,
  TableRequest,
} from '../../domain/query/table-page.ts';
import { rowTooLargeForField } from '../../domain/run-errors.ts';
import { beginning } from '../../domain/rows/preview-row.ts';
import { groupFailures, type FailureGroup } from '../../domain/results/failure-causes.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import type { RowLines } from '../../domain/run/row-numbers.ts';
import type { Run } from '../../domain/run/run.ts';
import type { FileLine, NodeFailure } from '../../domain/workflow/fault-line.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import { resultRows, rowSources, tableRuns, type RowStore } from './latest-rows.ts';
import { isFileOfRun } from '../workflows/profile-service.ts';
import type { RowQueries, RunReading, Snapshots } from '../ports.ts';
import { numberedLines } from '../runs/rerun-rows.ts';
import { positionInRun } from '../runs/row-position.ts';
import { selectedRows } from './selected-rows.ts';
import type { RunService } from '../runs/run-service.ts';
import type { TableQueries } from './table-queries.ts';
import type { WorkflowService } from '../workflows/workflow-service.ts';

type RunDataDeps = {
  readonly runs: RunService;
  readonly workflows: WorkflowService;
  readonly store: RunReading & RowStore;
  readonly snapshots: Snapshots;
  readonly queries: RowQueries;
  readonly tables: TableQueries;
  /** Parses files, and snapshots of runs: both are as long as a file may be. */
  readonly parser: FileParser;
};

type RowValue = { readonly json: string; readonly bytes: number; readonly isCut: boolean };

type NodeSource = {
  readonly line: number;
  readonly lines: readonly FileLine[];
  readonly file?: string;
  readonly isFileAsRun: boolean;
};

/** A message may be as long as a page. */
const longestMessage = 1_000;
/** As large a value as a page takes, and as much as it shows of a larger one. */
const largestValue = 1_200_000;
const shownOfLarger = 50_000;
/** Maximum bytes of a row of which one field is read; parsing 64 MB would hold up all other work. */
const maxParsedRow = 4_000_000;
/** Failures of which causes are made: half a second's reading at worst. */
const maxFailures = 10_000;
/** Failed rows that are read at once. */
const rowsAtOnce = 500;

type Failures = {
  readonly failures: readonly Pick<RowFailure, 'row' | 'nodeId' | 'message'>[];
  readonly failed: number;
};

export class RunDataService {
  readonly #deps: RunDataDeps;

  constructor(deps: RunDataDeps) {
    this.#deps = deps;
  }

  /**
   * One row, or a field of it; undefined for a row without an output, or without that field. Throws `run_not_found`,
   * `invalid_input`, `data_unreadable`.
   */
  async value(
    runId: string,
    {
      row,
      of,
      field,
    }: { readonly row: number; readonly of: 'input' | 'output'; readonly field?: string | undefined },
  ): Promise<RowValue | undefined> {
    const { run } = await this.#deps.runs.get(runId);
    const { store } = this.#deps;
    const position = await positionInRun(store, run, row);
    const lines =
      of === 'input' ? store.readRows(runId, position) : store.readOutputs(runId, undefined, position);
    for await (const { number, line } of numberedLines(lines)) {
      if (number < row) continue;
      if (number > row || line.length === 0) return undefined;
      return field === undefined ? wholeRow(line) : valueOfField(row, line, field);
    }
    return undefined;
  }

  /**
   * Why rows failed, the most frequent cause first. Throws `run_not_found`, `data_unreadable`.
   * @param latest true: the rows whose newest answer is a failure, over the attempts of its chain
   */
  async causes(
    runId: string,
    latest = false,
  ): Promise<{ groups: readonly FailureGroup[]; looked: number; failed: number }> {
    const { failures, failed } = latest ? await this.#latestFailures(runId) : await this.#failures(runId);
    const groups = groupFailures(failures).map((group) => ({
      ...group,
      message: beginning(group.message, longestMessage),
    }));
    return { groups, looked: failures.length, failed };
  }

  async #failures(runId: string): Promise<Failures> {
    const { counts } = await this.#deps.runs.get(runId);
    return { failures: await this.#deps.runs.readFailures(runId, maxFailures), failed: counts.rowsFailed };
  }

  async #latestFailures(runId: string): Promise<Failures> {
    const failures: Failures['failures'][number][] = [];
    const selection: RowSelection = { conditions: [{ of: 'state', states: ['failed'] }], latest: true };
    for (let from = 1; ;) {
      const page = await this.table(runId, { selection, from, count: rowsAtOnce });
      if (!page.isReady) continue;
      for (const { row, failure } of page.rows) if (failure !== undefined) failures.push({ row, ...failure });
      from = page.next;
      if (page.rows.length === 0 || from > page.total || from > maxFailures)
        return { failures, failed: page.total };
    }
  }

  /** The fields of the run's rows, then those of its outputs. Throws `run_not_found`, `data_unreadable`. */
  async columns(runId: string, latest = false): Promise<readonly Column[]> {
    return this.#deps.queries.columns(await tableRuns(this.#deps.store, runId, latest));
  }

  /** Statistics of columns; called again until they are ready. Throws as `columns`. */
  async statistics(
    runId: string,
    {
      columns,
      latest = false,
    }: { readonly columns: readonly Column[]; readonly latest?: boolean | undefined },
  ): Promise<StatisticsStep> {
    return this.#deps.queries.statistics(await tableRuns(this.#deps.store, runId, latest), columns);
  }

  /** The text of the workflow that the run was accepted with; undefined if it is not stored. Throws `run_not_found`. */
  async workflowText(runId: string): Promise<string | undefined> {
    const { run } = await this.#deps.runs.get(runId);
    return this.#deps.snapshots.get(run.workflowHash);
  }

  /** Searches the values of all runs for a moment; see the port. */
  find(query: FindQuery): Promise<FindPage> {
    return this.#deps.queries.find(query);
  }

  /** The rows of a selection by their numbers. Throws as `columns`. */
  selectedRows(runId: string, selection: RowSelection): AsyncIterable<RowLines> {
    const { store, tables: queries } = this.#deps;
    return selectedRows({ store, queries }, runId, { selection });
  }

  /** Numbers of the selection's first rows, rising. Throws as `columns`. */
  async selectedNumbers(runId: string, selection: RowSelection, limit: number): Promise<readonly number[]> {
    const found: number[] = [];
    for await (const { numbers = [] } of this.selectedRows(runId, selection)) {
      found.push(...numbers);
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Rows of the run's chain that failed and have no output, by rising number, each with its newest failure. Throws as `columns`. */
  async *chainFailures(runId: string): AsyncGenerator<RowFailure> {
    const { store } = this.#deps;
    const sources = await rowSources(store, runId, true);
    const rows = resultRows(store, sources, { withInput: false, withFailures: true });
    for await (const { output, failure } of rows)
      if (output.length === 0 && failure !== undefined) yield failure;
  }

  /** A page of the run's table; called again until it is ready. Throws as `columns`. */
  async table(runId: string, request: TableRequest): Promise<TablePage> {
    const { store, tables } = this.#deps;
    return tables.select(await tableRuns(store, runId, request.selection.latest === true), request);
  }

  /** Counts of the run's table and a strip of a selection's rows; called again until it is ready. Throws as `columns`. */
  async overview(runId: string, request: OverviewRequest): Promise<TableOverview> {
    const { store, tables } = this.#deps;
    return tables.overview(await tableRuns(store, runId, request.selection.latest === true), request);
  }

  /** The place of a row in a selection; called again until it is ready. Throws as `columns`. */
  async locate(runId: string, request: LocateRequest): Promise<LocatedRow> {
    const { store, tables } = this.#deps;
    return tables.locate(await tableRuns(store, runId, request.selection.latest === true), request);
  }

  /**
   * The node's lines in the workflow as the run was accepted with it, and the line that a failure's message is about;
   * undefined where it has no such node. Throws `run_not_found`, `data_unreadable`.
   */
  async nodeSource(runId: string, failure: NodeFailure): Promise<NodeSource | undefined> {
    const { run } = await this.#deps.runs.get(runId);
    const text = await this.#deps.snapshots.get(run.workflowHash);
    const found = text === undefined ? undefined : await this.#deps.parser.nodeLines(text, failure);
    return found === undefined ? undefined : { ...found, ...(await this.#fileOf(run)) };
  }

  /** Fields of the row that the nodes of the run read, by the node's id; nodes of which this is unclear are absent. */
  async fieldsRead(runId: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const { run } = await this.#deps.runs.get(runId);
    const text = await this.#deps.snapshots.get(run.workflowHash);
    return text === undefined ? {} : this.#deps.parser.fieldsRead(text);
  }

  async #fileOf(run: Run): Promise<Pick<NodeSource, 'file' | 'isFileAsRun'>> {
    const loaded = await this.#deps.workflows.find(run.workflowId);
    return {
      ...(loaded === undefined ? {} : { file: loaded.file }),
      isFileAsRun: await isFileOfRun(loaded, run, this.#deps.parser),
    };
  }
}

/** The row as text. Only the part of a larger one that is shown becomes text: a row may have 64 MB. */
function wholeRow(line: Uint8Array): RowValue {
  const isCut = line.length > largestValue;
  const json = new TextDecoder().decode(isCut ? line.subarray(0, 4 * shownOfLarger) : line, {
    stream: isCut,
  });
  return { json: isCut ? beginning(json, shownOfLarger) : json, bytes: line.length, isCut };
}

function valueOfField(row: number, line: Uint8Array, field: string): RowValue | undefined {
  if (line.length > maxParsedRow) throw rowTooLargeForField(row, line.length, maxParsedRow);
  const json = fieldOf(JSON.parse(new TextDecoder().decode(line)) as JsonObject, field);
  if (json === undefined) return undefined;
  const bytes = Buffer.byteLength(json);
  const isCut = bytes > largestValue;
  return { json: isCut ? beginning(json, shownOfLarger) : json, bytes, isCut };
}

const fieldOf = (row: JsonObject, field: string): string | undefined =>
  Object.hasOwn(row, field) ? JSON.stringify(row[field]) : undefined;
