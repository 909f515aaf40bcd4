// Values of nodes for the rows and node columns that are visible, fetched once rows have ended. Rows that leave the view before
// their turn are not fetched.
import { SvelteMap } from 'svelte/reactivity';
import type { Call, NodeValuesView, SelectedRow, ValuePreview } from '#contract';

/** Null: the node gave none. `not stored`: the row's trace has no values. */
type CellValue = ValuePreview | null | 'not stored';

/** Rows of one call. */
const rowsAtOnce = 100;
/** Delay before a call, so that rows that only pass by are not fetched, in ms. */
const delayMs = 100;
/** Values in memory; beyond them, those of rows that are not visible are dropped. */
const maxValues = 20_000;

type ShownRow = { readonly runId: string; readonly row: number };

type NodeValuesDeps = {
  readonly call: Call;
  /** The run of rows that name none. */
  readonly runId: string;
  readonly onProblem: (error: unknown) => void;
};

export class NodeColumns {
  readonly #deps: NodeValuesDeps;
  /** By the run, the row's number and the node. */
  readonly #known = new SvelteMap<string, CellValue>();
  #rows: readonly ShownRow[] = [];
  #nodes: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFetching = false;
  #isClosed = false;

  constructor(deps: NodeValuesDeps) {
    this.#deps = deps;
  }

  /** Undefined until it is loaded. */
  at(row: SelectedRow, nodeId: string): CellValue | undefined {
    return this.#known.get(keyOf(this.#runOf(row), row.row, nodeId));
  }

  /** Sets the visible rows and nodes; values that are not loaded are fetched soon. */
  show(rows: readonly (SelectedRow | undefined)[], nodes: readonly string[]): void {
    this.#rows = rows.flatMap((row) =>
      row?.state === undefined ? [] : [{ runId: this.#runOf(row), row: row.row }],
    );
    this.#nodes = nodes;
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#isFetching || this.#missing().length === 0) return;
    this.#timer = setTimeout(() => void this.#fetch(), delayMs);
  }

  #runOf({ runId = this.#deps.runId }: SelectedRow): string {
    return runId;
  }

  /** Rows of one run. */
  #missing(): readonly ShownRow[] {
    const missing = this.#rows.filter(({ runId, row }) =>
      this.#nodes.some((node) => !this.#known.has(keyOf(runId, row, node))),
    );
    return missing.filter(({ runId }) => runId === missing[0]?.runId).slice(0, rowsAtOnce);
  }

  async #fetch(): Promise<void> {
    this.#isFetching = true;
    try {
      for (let rows = this.#missing(); rows.length > 0 && !this.#isClosed; rows = this.#missing()) {
        const { runId } = rows[0] ?? this.#deps;
        const nodes = this.#nodes;
        if (this.#known.size > maxValues) this.#known.clear();
        const numbers = rows.map(({ row }) => row);
        const found = await this.#deps.call('run.nodeValues', { runId, rows: numbers, nodes });
        for (const values of found) this.#store(runId, values, nodes);
      }
    } catch (error) {
      if (!this.#isClosed) this.#deps.onProblem(error);
    } finally {
      this.#isFetching = false;
    }
  }

  #store(runId: string, { row, values }: NodeValuesView, nodes: readonly string[]): void {
    for (const [at, node] of nodes.entries())
      this.#known.set(keyOf(runId, row, node), values === undefined ? 'not stored' : (values[at] ?? null));
  }
}

const keyOf = (runId: string, row: number, nodeId: string): string => `${runId} ${row} ${nodeId}`;
