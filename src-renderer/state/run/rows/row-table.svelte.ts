// The rows of one view of a run: fetches the visible rows, and the number and the groups of all rows of the view.
// INVARIANT: a sorted or grouped view has the rows that the run had when it was opened, so that no row moves.
import type { Call, RowGroup, RowSelection, RowWindow, TableNode, TablePage, SelectedRow } from '#contract';
import { PagedRows, type RowRange } from '../paged-rows.ts';

/** Nodes whose cells rows have, and whether they have the beginnings of their values. */
export type TableCells = { readonly nodes?: readonly string[] | 'all'; readonly values?: true };

type RowTableOptions = {
  readonly call: Call;
  readonly runId: string;
  readonly selection: RowSelection;
  readonly cells: TableCells;
  /** Called once, when the number of rows and the first rows are known. */
  readonly onReady: () => void;
};

/** Rows of the run that have been read so far, while the server brings the view together. */
type TableProgress = { readonly rowsRead: number; readonly rows: number };

type Summary = {
  readonly total: number;
  readonly there: number;
  readonly leftOut: number;
  readonly groups: readonly RowGroup[];
  readonly merged?: ReadyTable['merged'];
  readonly nodes?: ReadyTable['nodes'];
};

export class RowTable {
  readonly selection: RowSelection;
  readonly #options: RowTableOptions;
  readonly #pages: PagedRows<SelectedRow>;
  /** Counts changes of the pages, which Svelte does not track. */
  #version = $state(0);
  #summary = $state.raw<Summary | undefined>();
  #progress = $state.raw<TableProgress | undefined>();
  #problem = $state.raw<unknown>();
  #damage = $state<string | undefined>();
  #isStopped = $state(false);
  #resume: (() => void) | undefined;
  #asOf: number | undefined;
  #isClosed = false;

  constructor(options: RowTableOptions) {
    this.#options = options;
    this.selection = options.selection;
    this.#pages = new PagedRows<SelectedRow>({
      fetch: (from, count) => this.#fetch(from, count),
      onChange: () => {
        this.#version += 1;
        this.#problem = undefined;
        if (this.#version === 1) options.onReady();
      },
      onProblem: (error) => (this.#problem = error),
      isPending: ({ state }) => state === undefined,
    });
    this.#pages.show(0, 1);
  }

  /** The row at that index of the view, from 0; undefined until it is loaded. */
  at(index: number): SelectedRow | undefined {
    void this.#version;
    return this.#pages.at(index);
  }

  /** True once the number of rows is known. */
  get isReady(): boolean {
    return this.#summary !== undefined;
  }

  /** Number of rows of the view. */
  get total(): number {
    return this.#summary?.total ?? 0;
  }

  /** Number of the run's ended rows that the view is made of. */
  get there(): number {
    return this.#summary?.there ?? 0;
  }

  /** Rows that are too large to be looked into. */
  get leftOut(): number {
    return this.#summary?.leftOut ?? 0;
  }

  get groups(): readonly RowGroup[] {
    return this.#summary?.groups ?? [];
  }

  /** Only of several runs: their ids, and the number of all their rows. */
  get merged(): Summary['merged'] {
    return this.#summary?.merged;
  }

  /** Nodes of the rows' cells. */
  get nodes(): readonly TableNode[] {
    return this.#summary?.nodes ?? [];
  }

  /** `there` of the first answer, if the table stays as it was then. */
  get asOf(): number | undefined {
    return this.#asOf;
  }

  /** True if rows that end later do not come into the view. */
  get isFixed(): boolean {
    const { sort, groupBy, latest = false, conditions } = this.selection;
    // Of several runs, any row may be the next to end, so that it would come between others.
    return sort !== undefined || groupBy !== undefined || (latest && conditions.length > 0);
  }

  /** Undefined unless the server is still reading rows. */
  get progress(): TableProgress | undefined {
    return this.#progress;
  }

  /** Why not all that is known of the rows is shown: the problem of any row that was loaded. */
  get damage(): string | undefined {
    return this.#damage;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The error of the newest request. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Sets the visible rows and fetches those that are not loaded. */
  show(ranges: readonly RowRange[]): void {
    this.#pages.showRanges(ranges);
  }

  /** Brings rows that have ended meanwhile into the view. */
  async grow(): Promise<void> {
    if (this.isFixed || this.#isStopped || !this.isReady) return;
    try {
      // The visible pages may all be full: this request learns the number of rows.
      await this.#fetch(1, 1);
      this.#pages.grow();
    } catch (error) {
      if (!this.#isClosed) this.#problem = error;
    }
  }

  /** Stops the reading of rows on the server. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Continues after `stop`. */
  resume(): void {
    this.#isStopped = false;
    this.#resume?.();
  }

  /** Repeats a failed request at once. */
  retry(): void {
    this.#pages.retry();
  }

  /** Sends no further request. */
  close(): void {
    this.#isClosed = true;
    this.#pages.close();
    this.#resume?.();
  }

  /** Rows from an index of the view on, from 0, loaded or not. Throws the server's error. */
  async read(range: RowRange): Promise<readonly SelectedRow[]> {
    const rows: SelectedRow[] = [];
    while (range.first + rows.length < range.end && !this.#isClosed) {
      const from = range.first + rows.length;
      const known = this.#pages.at(from);
      const more =
        known === undefined ? (await this.#fetch(from + 1, Math.min(500, range.end - from))).rows : [known];
      if (more.length === 0) break;
      rows.push(...more);
    }
    return rows;
  }

  async #fetch(from: number, count: number): Promise<RowWindow<SelectedRow>> {
    const answer = await this.#readyAnswer(from, Math.min(500, count));
    if (answer === undefined) return { rows: [], next: from, there: 0 };
    const { total, there, leftOut = 0, groups = [], rows, next, merged, nodes } = answer;
    if (this.isFixed) this.#asOf ??= there;
    this.#damage ??= rows.find(({ problem }) => problem !== undefined)?.problem;
    this.#summary = {
      total,
      there,
      leftOut,
      groups,
      ...(merged === undefined ? {} : { merged }),
      ...(nodes === undefined ? {} : { nodes }),
    };
    return { rows, next, there: total };
  }

  /** Asks until the server has read all rows. Undefined if the table was closed meanwhile. */
  async #readyAnswer(from: number, count: number): Promise<ReadyTable | undefined> {
    const { call, runId, selection, cells } = this.#options;
    while (!this.#isClosed) {
      if (this.#isStopped) await new Promise<void>((resolve) => (this.#resume = resolve));
      const answer = await call('run.table', {
        runId,
        selection,
        from,
        count,
        ...(this.#asOf === undefined ? {} : { asOf: this.#asOf }),
        ...cells,
      });
      this.#progress = answer.isReady ? undefined : answer;
      if (answer.isReady) return answer;
    }
    return undefined;
  }
}

type ReadyTable = Extract<TablePage, { isReady: true }>;
