// The state of the Rows tab: its view, its columns, its selected rows, and the causes of failures.
import { untrack } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import {
  columnText,
  count,
  maxSelectedNumbers,
  type Call,
  type CausesView,
  type NodeStatisticsView,
  type RowSelection,
  type RunView,
  type SelectedRow,
  type TableRowsInput,
} from '#contract';
import { Query } from '../../query.svelte.ts';
import { Refresher } from '../../refresher.ts';
import { StatisticsLoader } from './column-statistics.svelte.ts';
import { GroupLayout } from './group-layout.ts';
import { OverviewLoader } from './overview-loader.svelte.ts';
import { RowTable, type TableCells } from './row-table.svelte.ts';
import { RunColumns } from './run-columns.svelte.ts';
import { SelectedRows } from './selected-rows.svelte.ts';
import { fittingWidths } from './table-columns.ts';

/** Minimum delay between two requests while the run goes on, in ms. */
const intervalMs = { rows: 500, run: 2_000 };
/** Rows whose values decide how wide columns are. */
const measuredRows = 100;

type RowsViewDeps = {
  readonly call: Call;
  /** The rows that the address names. */
  readonly selection: () => RowSelection;
  readonly onProblem: (error: unknown) => void;
};

export class RowsView {
  readonly columns: RunColumns;
  readonly selected = new SelectedRows();
  readonly statistics: StatisticsLoader;
  readonly overview: OverviewLoader;
  readonly causes = new Query<CausesView>();
  /** Rows that the table shows. */
  readonly rows: TableRowsInput;
  readonly #deps: RowsViewDeps;
  #table = $state.raw<RowTable | undefined>();
  /** The table that takes the place of `#table` once its first rows are there. */
  #next = $state.raw<RowTable | undefined>();
  #nodes = $state.raw<readonly NodeStatisticsView[]>([]);
  readonly #folded = new SvelteSet<number>();
  /** Lines of the rows that were selected last, one after the other. */
  #range: { readonly anchor: number; readonly head: number } | undefined;
  /** The runs whose rows are shown, oldest first. */
  runs = $state.raw<readonly RunView[]>([]);
  /** Rows that have ended. */
  #ended = $state(0);
  #hasFailed = $state(false);
  #isOver = $state(false);
  /** Ids of the runs whose outputs were matched to rows by their order. */
  #unproven = $state.raw<readonly string[]>([]);
  readonly #newRows = new Refresher(() => this.#table?.grow(), intervalMs.rows);
  readonly #run = new Refresher(() => this.#refreshRun(), intervalMs.run);

  constructor(deps: RowsViewDeps, workflowId: string, rows: TableRowsInput) {
    this.#deps = deps;
    this.rows = rows;
    this.columns = new RunColumns(workflowId);
    this.statistics = new StatisticsLoader({ ...deps, rows });
    this.overview = new OverviewLoader(deps.call, rows.runId);
  }

  /** The filters, order and groups that the user has chosen; the table may still show those before them. */
  get selection(): RowSelection {
    return this.#deps.selection();
  }

  /** True if each row is shown with its newest answer, from any run that repeats the first one. */
  get isMerged(): boolean {
    return this.rows.latest === true;
  }

  /** The rows that are shown; undefined until the first ones are there. */
  get table(): RowTable | undefined {
    return this.#table;
  }

  /** The table that is being read. */
  get reading(): RowTable | undefined {
    return this.#next;
  }

  readonly layout: GroupLayout = $derived(
    new GroupLayout(
      (this.#table?.groups ?? []).map(({ from, rows }) => ({ from: from - 1, rows })),
      this.#folded,
      this.#table?.total ?? 0,
    ),
  );

  get folded(): ReadonlySet<number> {
    return this.#folded;
  }

  fold(group: number, isFolded: boolean): void {
    if (isFolded) this.#folded.add(group);
    else this.#folded.delete(group);
  }

  foldAll(isFolded: boolean): void {
    this.#folded.clear();
    if (isFolded) for (const group of this.#table?.groups.keys() ?? []) this.#folded.add(group);
  }

  /** True if a row of the run has failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** True if the run has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Rows that have ended since a sorted or grouped view was opened. */
  get newRows(): number {
    const table = this.#table;
    if (table?.isFixed !== true || this.#next !== undefined) return 0;
    return Math.max(0, this.#ended - table.there);
  }

  /** The row of a line of the table; undefined for the head of a group, and until the row is loaded. */
  rowAt(line: number): SelectedRow | undefined {
    const found = this.layout.lineAt(line);
    return found.kind === 'row' ? this.#table?.at(found.index) : undefined;
  }

  /** Selects or unselects the row of a line; the next `extendTo` begins there. */
  toggle(line: number): void {
    const row = this.rowAt(line)?.row;
    if (row === undefined) return;
    this.#range = { anchor: line, head: line };
    this.#select([row], !this.selected.has(row));
  }

  /** Selects the rows from the line that was selected last to this one, and unselects those that it left. */
  async extendTo(line: number, from: number): Promise<void> {
    const { anchor, head } = this.#range ?? { anchor: from, head: from };
    this.#range = { anchor, head: line };
    const isInside = (index: number): boolean =>
      index >= Math.min(anchor, line) && index <= Math.max(anchor, line);
    try {
      this.#select(await this.#numbersBetween(anchor, head, (index) => !isInside(index)), false);
      this.#select(await this.#numbersBetween(anchor, line, () => true), true);
    } catch (error) {
      this.#deps.onProblem(error);
    }
  }

  clearSelected(): void {
    this.#range = undefined;
    this.selected.clear();
  }

  #select(rows: readonly number[], isSelected: boolean): void {
    if (!this.selected.set(rows, isSelected))
      this.#deps.onProblem(
        `At most ${count(maxSelectedNumbers)} rows can be selected one by one. Use a filter.`,
      );
  }

  async #numbersBetween(
    one: number,
    other: number,
    isMeant: (line: number) => boolean,
  ): Promise<readonly number[]> {
    const [first, end] = [Math.min(one, other), Math.max(one, other) + 1];
    if (end - first > 2 * maxSelectedNumbers) return [];
    const lines = Array.from({ length: end - first }, (_, at) => first + at).filter(isMeant);
    const ranges = this.layout.rowsOf(lines);
    const rows = await Promise.all(ranges.map(async (range) => (await this.#table?.read(range)) ?? []));
    return rows.flat().map(({ row }) => row);
  }

  /** Cells of nodes that the shown columns need: a table with other ones is fetched anew. */
  readonly cells: TableCells = $derived.by((): TableCells => {
    const { view, choices } = this.columns;
    const named = view.show === 'nodes' ? [] : choices.nodes;
    if (view.show === 'data' && named.length === 0) return {};
    return {
      nodes: view.show === 'data' ? named : 'all',
      ...(view.hasValues || named.length > 0 ? { values: true } : {}),
    };
  });

  readonly #cellIndexes: Readonly<Record<string, number>> = $derived(
    Object.fromEntries((this.#table?.nodes ?? []).map(({ nodeId }, index) => [nodeId, index])),
  );

  /** Index of a node among the cells of rows; undefined: the rows have none of it. */
  cellIndex(nodeId: string): number | undefined {
    return this.#cellIndexes[nodeId];
  }

  /** Shows the rows of a selection. The rows shown before stay until the first new ones are there. */
  open(selection: RowSelection): void {
    this.#next?.close();
    const next: RowTable = new RowTable({
      call: this.#deps.call,
      runId: this.rows.runId,
      selection,
      cells: this.cells,
      onReady: () => this.#replace(next),
    });
    this.#next = next;
  }

  /** Brings rows that have ended meanwhile into a sorted or grouped view. */
  refresh(): void {
    if (this.#table !== undefined) this.open(this.#table.selection);
  }

  /** To be called with each change of the runs that are shown. */
  follow(runs: readonly RunView[]): void {
    this.runs = runs;
    this.#ended = runs.reduce((sum, { rowsDone, rowsFailed }) => sum + rowsDone + rowsFailed, 0);
    this.#hasFailed = runs.some(({ rowsFailed }) => rowsFailed > 0);
    const unproven = runs.filter(({ hosted }) => hosted?.matchedBy === 'order').map(({ runId }) => runId);
    if (unproven.join() !== this.#unproven.join()) this.#unproven = unproven;
    if (!this.#isOver) {
      this.#newRows.refresh();
      this.#run.refresh();
    }
    const isOver = runs.every(({ finishedAt }) => finishedAt !== null);
    if (isOver && !this.#isOver) this.statistics.refresh();
    // A row that had failed may have an answer now; a hosted service gives all outputs at the end.
    const isHosted = runs.some(({ hosted }) => hosted !== undefined);
    if (isOver && !this.#isOver && (this.isMerged || isHosted)) this.refresh();
    this.#isOver = isOver;
  }

  /** True if the output was matched to the row by the order of outputs, which a hosted service does not promise. */
  isUnproven({ runId = this.rows.runId }: SelectedRow): boolean {
    return this.#unproven.includes(runId);
  }

  close(): void {
    this.#table?.close();
    this.#next?.close();
    this.statistics.close();
    this.#newRows.close();
    this.#run.close();
  }

  #replace(table: RowTable): void {
    this.#table?.close();
    if (columnsOfGroups(this.#table) !== columnsOfGroups(table)) this.#folded.clear();
    this.#table = table;
    this.#next = undefined;
    if (this.cells.nodes === 'all' && table.nodes.length > 0)
      this.columns.setCellNodes(table.nodes.map(({ nodeId }) => nodeId));
    this.#measure(table);
    void this.overview.load(table).catch(this.#deps.onProblem);
  }

  /** Fits the widths of columns whose values are seen for the first time, so that no column changes with a filter. */
  #measure(table: RowTable): void {
    const rows = Array.from({ length: measuredRows }, (_, index) => untrack(() => table.at(index)));
    this.columns.fitWidths(fittingWidths(rows.filter((row) => row !== undefined)));
  }

  /** The next or previous line of a failed row; undefined: there is none, or its group is folded. Throws the server's error. */
  async failedLine(from: number, step: 1 | -1): Promise<number | undefined> {
    if (this.#table === undefined) return undefined;
    const line = this.layout.lineAt(Math.max(0, from));
    const failedFrom = line.kind === 'row' && from >= 0 ? line.index + 1 : 0;
    const index = await this.overview.locate(this.#table, { failedFrom, step });
    return index === undefined ? undefined : this.layout.lineOf(index);
  }

  /** How a node fared over all rows of the run; undefined until it is known, and for the rows of several runs. */
  statisticsOf(nodeId: string): NodeStatisticsView | undefined {
    return this.isMerged ? undefined : this.#nodes.find((node) => node.nodeId === nodeId);
  }

  /** Rows that failed at a node, as far as they were looked at. */
  failedAt(nodeId: string): number {
    const groups = this.causes.value?.groups ?? [];
    return groups.reduce((sum, group) => sum + (group.nodeId === nodeId ? group.rows : 0), 0);
  }

  async #loadNodes(): Promise<void> {
    const { nodes } = await this.#deps.call('run.nodes', { runId: this.rows.runId });
    this.#nodes = nodes;
    this.columns.setNodes(
      nodes.filter(({ type }) => !typesInColumns.includes(type)).map(({ nodeId }) => nodeId),
    );
  }

  async #refreshRun(): Promise<void> {
    const { call } = this.#deps;
    try {
      this.columns.setFields(await call('run.columns', this.rows));
      await this.#loadNodes();
      if (this.#table !== undefined) await this.overview.load(this.#table);
      if (this.#hasFailed) await this.causes.load(() => call('run.causes', this.rows));
    } catch (error) {
      this.#deps.onProblem(error);
    }
  }
}

/** Types of nodes whose values are columns already. */
const typesInColumns = ['input', 'output'];

const columnsOfGroups = (table: RowTable | undefined): string =>
  table?.selection.groupBy === undefined ? '' : columnText(table.selection.groupBy);
