// The rows of a run for the matrix: fetches the visible rows, and fetches them again when they may have changed.
import type {
  Call,
  NodeStatisticsView,
  RowFilter,
  RowLocation,
  RowView,
  RowWindow,
  RunMinimapView,
  RunView,
} from '#contract';
import { Refresher } from '../../refresher.ts';
import { PagedRows } from '../paged-rows.ts';

const rowsPerPage = 100;
/** Maximum cells of one answer of the server. */
const maxCells = 10_000;
/** Lines of the minimap; a screen shows no more. */
const minimapPieces = 800;
/** Minimum delay between two requests while the run goes on, in ms. */
const intervalMs = { rows: 250, all: 1_000 };

export type MatrixContent = 'time' | 'values';

/** Key of the content of cells in the browser's storage. */
const storedAs = 'rowbench.matrix';
const storedContent = (): MatrixContent =>
  globalThis.localStorage?.getItem(storedAs) === 'values' ? 'values' : 'time';

export class MatrixRows {
  readonly #call: Call;
  readonly #runId: string;
  /** Undefined until the nodes are known: their number limits the rows of a page. */
  #pages: PagedRows<RowView> | undefined;
  /** Counts changes of the pages, which Svelte does not track. */
  #version = $state(0);
  #only = $state<RowFilter | undefined>();
  #slowMs: number | undefined;
  #labelField = $state<string | undefined>();
  #shows = $state<MatrixContent>(storedContent());
  #nodes = $state.raw<readonly NodeStatisticsView[] | undefined>();
  #minimap = $state.raw<RunMinimapView | undefined>();
  /** Rows of the list that have ended. */
  #ended = $state(0);
  #rowsProblem = $state.raw<unknown>();
  #runProblem = $state.raw<unknown>();
  #inSight = { first: 0, end: 0 };
  readonly #newRows = new Refresher(() => {
    this.#pages?.grow();
    this.#fetchInSight();
  }, intervalMs.rows);
  readonly #all = new Refresher(() => this.#refresh(), intervalMs.all);
  #isClosed = false;

  constructor(call: Call, runId: string) {
    this.#call = call;
    this.#runId = runId;
  }

  get nodes(): readonly NodeStatisticsView[] | undefined {
    return this.#nodes;
  }

  get minimap(): RunMinimapView | undefined {
    return this.#minimap;
  }

  get only(): RowFilter | undefined {
    return this.#only;
  }

  /** Content of the cells. */
  get shows(): MatrixContent {
    return this.#shows;
  }

  /** Error that prevents rows from being shown. */
  get problem(): unknown {
    return this.#runProblem ?? this.#rowsProblem;
  }

  /** Rows of the list that have ended. */
  get ended(): number {
    return this.#ended;
  }

  /** The row at that index of the list, from 0. */
  row(index: number): RowView | undefined {
    void this.#version;
    return this.#pages?.at(index);
  }

  /** Shows only those rows, from the first one on. */
  choose(only: RowFilter | undefined): void {
    this.#only = only;
    this.#slowMs = only === 'slow' ? (this.#minimap?.slowMs ?? undefined) : undefined;
    this.#ended = only === undefined ? (this.#minimap?.rows ?? 0) : (this.#minimap?.counts[only] ?? 0);
    this.#restart();
  }

  /** Name of the field that labels rows; undefined until a row has one. */
  get labelField(): string | undefined {
    return this.#labelField;
  }

  /** Shows times or values in the cells; the browser remembers it. */
  showContent(content: MatrixContent): void {
    this.#shows = content;
    localStorage.setItem(storedAs, content);
    this.#restart();
  }

  /** Fetches those of these rows that are not loaded. */
  show(first: number, end: number): void {
    this.#inSight = { first, end };
    this.#fetchInSight();
  }

  /** Refreshes the rows soon. To be called with each change of the run. */
  follow(run: RunView): void {
    const ended = run.rowsDone + run.rowsFailed;
    if (this.#only === undefined && ended > this.#ended) this.#ended = ended;
    this.#newRows.refresh();
    this.#all.refresh();
  }

  /** Locates a row in the list. Throws the server's error. */
  locate(target: { row: number } | { position: number }, only = this.#only): Promise<RowLocation | null> {
    return this.#call('run.rowLocation', { runId: this.#runId, target, ...this.#choice(only) });
  }

  /** The row at that index, from 1, of a filtered list that is not shown. */
  async rowOf(only: RowFilter, index: number): Promise<RowView | undefined> {
    const slice = { runId: this.#runId, from: index, count: 1, only };
    return (await this.#call('run.rows', slice)).rows[0];
  }

  close(): void {
    this.#isClosed = true;
    this.#pages?.close();
    this.#newRows.close();
    this.#all.close();
  }

  #choice(only: RowFilter | undefined): { only?: RowFilter; slowMs?: number } {
    if (only === undefined) return {};
    return { only, ...(this.#slowMs === undefined ? {} : { slowMs: this.#slowMs }) };
  }

  #restart(): void {
    this.#pages?.close();
    this.#version += 1;
    this.#rowsProblem = undefined;
    if (this.#nodes === undefined) return;
    const pageRows = Math.max(1, Math.min(rowsPerPage, Math.floor(maxCells / this.#nodes.length)));
    const pages: PagedRows<RowView> = new PagedRows({
      pageRows,
      fetch: (from, count) => this.#fetch({ from, count, isCurrent: () => pages === this.#pages }),
      onChange: () => {
        this.#version += 1;
        this.#rowsProblem = undefined;
      },
      onProblem: (error) => (this.#rowsProblem = error),
    });
    this.#pages = pages;
    this.#fetchInSight();
  }

  async #refresh(): Promise<void> {
    const runId = this.#runId;
    try {
      const [minimap, { nodes }] = await Promise.all([
        this.#call('run.minimap', { runId, pieces: minimapPieces }),
        this.#call('run.nodes', { runId }),
      ]);
      const isFirst = this.#nodes === undefined;
      this.#minimap = minimap;
      this.#nodes = nodes;
      const { only } = this;
      const ended = await this.#count(minimap);
      // The user may have chosen another list meanwhile.
      if (only === this.only) this.#ended = ended;
      this.#runProblem = undefined;
      if (isFirst) this.#restart();
      else this.#fetchInSight();
    } catch (error) {
      this.#runProblem = error;
    }
  }

  /** Rows of the list that have ended. For slow rows the server counts, because their threshold was fixed earlier. */
  async #count({ rows, counts }: RunMinimapView): Promise<number> {
    if (this.#only === undefined) return Math.max(this.#ended, rows);
    if (this.#only !== 'slow') return counts[this.#only];
    const first = { runId: this.#runId, from: 1, count: 1, ...this.#choice('slow') };
    return (await this.#call('run.rows', first)).total;
  }

  /** Fetches the visible rows that have ended. */
  #fetchInSight(): void {
    const { first, end } = this.#inSight;
    if (!this.#isClosed) this.#pages?.show(first, Math.min(end, this.#ended));
  }

  async #fetch(slice: {
    readonly from: number;
    readonly count: number;
    /** Tells if the list that the rows are for is still shown. */
    readonly isCurrent: () => boolean;
  }): Promise<RowWindow<RowView>> {
    const { from, count, isCurrent } = slice;
    const values = this.#shows === 'values' ? { values: true } : {};
    const input = { runId: this.#runId, from, count, ...values, ...this.#choice(this.#only) };
    const { rows, total } = await this.#call('run.rows', input);
    if (isCurrent()) this.#ended = total;
    this.#labelField ??= rows.find(({ label }) => label !== undefined)?.label?.field;
    return { rows, next: from + rows.length, there: total };
  }
}
