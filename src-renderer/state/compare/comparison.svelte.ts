// A comparison of two runs by the server. The server works on it only while this page asks: `stop` ends the work.
import type {
  ComparedRowView,
  ComparisonFilter,
  ComparisonPageInput,
  ComparisonPageView,
  ComparisonStepView,
  RowWindow,
} from '#contract';

type Slice = Pick<
  ComparisonPageInput,
  'from' | 'count' | 'outcome' | 'field' | 'trend' | 'order' | 'inputs' | 'version'
>;
type Request = Omit<ComparisonPageInput, keyof Slice | 'isWhole'>;
type ReadPage = (input: ComparisonPageInput) => Promise<ComparisonStepView>;
type Progress = { readonly rowsRead: number; readonly rows: number };
export type ShownComparison = Omit<ComparisonPageView, 'rows' | 'next' | 'there'>;

export class Comparison {
  readonly request: Request;
  readonly #read: ReadPage;
  #summary = $state.raw<ShownComparison | undefined>();
  #progress = $state.raw<Progress | undefined>();
  #problem = $state.raw<unknown>();
  #state = $state<'working' | 'ready' | 'stopped' | 'failed'>('working');
  #isStopped = false;

  constructor(read: ReadPage, request: Request) {
    this.#read = read;
    this.request = request;
  }

  /** Undefined until the rows have been compared. */
  get summary(): ShownComparison | undefined {
    return this.#summary;
  }

  /** How far the work is, while it takes longer than a moment. */
  get progress(): Progress | undefined {
    return this.#progress;
  }

  get problem(): unknown {
    return this.#problem;
  }

  get state(): 'working' | 'ready' | 'stopped' | 'failed' {
    return this.#state;
  }

  /** Compares what both runs have by now. The old summary stays until there is a new one. Never rejects. */
  async load(): Promise<void> {
    this.#isStopped = false;
    this.#state = 'working';
    this.#problem = undefined;
    try {
      const page = await this.#page({ from: 1, count: 0 });
      if (page === undefined) this.#state = this.#summary === undefined ? 'stopped' : 'ready';
      else this.#show(page);
    } catch (error) {
      this.#problem = error;
      this.#state = 'failed';
    } finally {
      this.#progress = undefined;
    }
  }

  /** Asks no further. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Rows that the filter leaves, of what the summary was made of. Rejects as the server does. */
  async rows(
    filter: ComparisonFilter & Pick<Slice, 'order' | 'inputs'>,
    [from, count]: readonly [number, number],
  ): Promise<RowWindow<ComparedRowView>> {
    const page = await this.#page({ ...filter, from, count, version: this.#summary?.version });
    if (page === undefined) return { rows: [], next: from, there: 0 };
    // The server has forgotten what the summary was made of, and a run has gone on since.
    if (page.version !== this.#summary?.version) this.#show(page);
    return page;
  }

  #show(page: ComparisonPageView): void {
    this.#summary = page;
    this.#state = 'ready';
  }

  /** Undefined if the work was stopped. */
  async #page(slice: Slice): Promise<ComparisonPageView | undefined> {
    for (;;) {
      const step = await this.#read({ ...this.request, ...slice });
      if (this.#isStopped) return undefined;
      if (step.isReady) return step;
      this.#progress = { rowsRead: step.rowsRead, rows: step.rows };
    }
  }
}
