// The rows of a run as the matrix shows them: the part in sight is fetched, what has changed is fetched again.
import type {
  Call,
  NodeStatisticsView,
  RowFilter,
  RowPlaceView,
  RowView,
  RowWindow,
  RunStripView,
  RunView,
} from '#contract';
import { PagedRows } from './paged-rows.ts';

const rowsPerPage = 100;
/** Cells of one answer, as the server bounds them. */
const maxCells = 10_000;
/** Lines of a screen: the strip need not be finer. */
const stripPieces = 800;
/** Between two looks at a run that goes on, in ms. */
const restMs = { rows: 250, all: 1_000 };

export class MatrixRows {
  readonly #call: Call;
  readonly #runId: string;
  /** Undefined until the nodes are known, which bound the size of a page. */
  #pages: PagedRows<RowView> | undefined;
  /** Counts changes of the pages, since Svelte does not see them. */
  #version = $state(0);
  #only = $state<RowFilter | undefined>();
  #slowMs: number | undefined;
  #nodes = $state.raw<readonly NodeStatisticsView[] | undefined>();
  #strip = $state.raw<RunStripView | undefined>();
  /** Rows of the list that have ended. */
  #ended = $state(0);
  #rowsProblem = $state.raw<unknown>();
  #runProblem = $state.raw<unknown>();
  #inSight = { first: 0, end: 0 };
  #rowsTimer: ReturnType<typeof setTimeout> | undefined;
  #allTimer: ReturnType<typeof setTimeout> | undefined;
  /** The run has gone on since all of it was looked at. */
  #isBehind = false;
  #isClosed = false;

  constructor(call: Call, runId: string) {
    this.#call = call;
    this.#runId = runId;
  }

  get nodes(): readonly NodeStatisticsView[] | undefined {
    return this.#nodes;
  }

  get strip(): RunStripView | undefined {
    return this.#strip;
  }

  get only(): RowFilter | undefined {
    return this.#only;
  }

  /** Why rows cannot be shown now. */
  get problem(): unknown {
    return this.#runProblem ?? this.#rowsProblem;
  }

  /** Rows of the list that have ended. */
  get ended(): number {
    return this.#ended;
  }

  /** The row at that place of the list, from 0. */
  row(index: number): RowView | undefined {
    void this.#version;
    return this.#pages?.at(index);
  }

  /** Shows only those rows; the list begins anew. */
  choose(only: RowFilter | undefined): void {
    this.#only = only;
    this.#slowMs = only === 'slow' ? (this.#strip?.slowMs ?? undefined) : undefined;
    this.#ended = only === undefined ? (this.#strip?.rows ?? 0) : (this.#strip?.counts[only] ?? 0);
    this.#restart();
  }

  /** Fetches what is missing of these rows. */
  show(first: number, end: number): void {
    this.#inSight = { first, end };
    this.#fetchInSight();
  }

  /** Follows the run: call it with each change that the feed reports. */
  follow(run: RunView): void {
    const ended = run.rowsDone + run.rowsFailed;
    if (this.#only === undefined && ended > this.#ended) this.#ended = ended;
    this.#rowsTimer ??= setTimeout(() => {
      this.#rowsTimer = undefined;
      this.#pages?.grow();
      this.#fetchInSight();
    }, restMs.rows);
    this.#isBehind = true;
    this.#lookSoon(this.#strip === undefined ? 0 : restMs.all);
  }

  /** Locates a row in the list. Throws the server's error. */
  place(target: { row: number } | { position: number }, only = this.#only): Promise<RowPlaceView | null> {
    return this.#call('run.rowPlace', { runId: this.#runId, wanted: target, ...this.#choice(only) });
  }

  /** The one row at that place, from 1, of the rows of another list. */
  async rowOf(only: RowFilter, index: number): Promise<RowView | undefined> {
    const slice = { runId: this.#runId, from: index, count: 1, only };
    return (await this.#call('run.rows', slice)).rows[0];
  }

  close(): void {
    this.#isClosed = true;
    this.#pages?.close();
    clearTimeout(this.#rowsTimer);
    clearTimeout(this.#allTimer);
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

  #lookSoon(ms: number): void {
    if (!this.#isClosed) this.#allTimer ??= setTimeout(() => void this.#lookAtAll(), ms);
  }

  async #lookAtAll(): Promise<void> {
    const runId = this.#runId;
    this.#isBehind = false;
    try {
      const [strip, { nodes }] = await Promise.all([
        this.#call('run.strip', { runId, pieces: stripPieces }),
        this.#call('run.nodes', { runId }),
      ]);
      const isFirst = this.#nodes === undefined;
      this.#strip = strip;
      this.#nodes = nodes;
      const { only } = this;
      const ended = await this.#count(strip);
      // Meanwhile another list may have been chosen.
      if (only === this.only) this.#ended = ended;
      this.#runProblem = undefined;
      if (isFirst) this.#restart();
      else this.#fetchInSight();
    } catch (error) {
      this.#runProblem = error;
    }
    this.#allTimer = undefined;
    if (this.#isBehind) this.#lookSoon(restMs.all);
  }

  /** Rows of the list that have ended; a list of slow rows has a bound of its own. */
  async #count({ rows, counts }: RunStripView): Promise<number> {
    if (this.#only === undefined) return Math.max(this.#ended, rows);
    if (this.#only !== 'slow') return counts[this.#only];
    const first = { runId: this.#runId, from: 1, count: 1, ...this.#choice('slow') };
    return (await this.#call('run.rows', first)).total;
  }

  /** Rows that have not ended are not requested. */
  #fetchInSight(): void {
    const { first, end } = this.#inSight;
    if (!this.#isClosed) this.#pages?.show(first, Math.min(end, this.#ended));
  }

  async #fetch(slice: {
    readonly from: number;
    readonly count: number;
    /** Whether the list that the rows are for is still shown. */
    readonly isCurrent: () => boolean;
  }): Promise<RowWindow<RowView>> {
    const { from, count, isCurrent } = slice;
    const input = { runId: this.#runId, from, count, ...this.#choice(this.#only) };
    const { rows, total } = await this.#call('run.rows', input);
    if (isCurrent()) this.#ended = total;
    return { rows, next: from + rows.length, there: total };
  }
}
