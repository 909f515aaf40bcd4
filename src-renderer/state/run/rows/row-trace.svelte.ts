// The trace of one row for its panel: the stored one, or a fresh one from running the row again.
import type { Call, FreshTraceView, NodeTraceView, TraceView } from '#contract';
import { Query } from '../../query.svelte.ts';

type TracedRow = { readonly runId: string; readonly row: number };

/** Delay before a row is loaded, so that a user who moves along the rows loads only the row they stop at. */
const loadDelayMs = 60;

type RowTraceState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'none' }
  | { readonly kind: 'stored'; readonly trace: TraceView }
  | { readonly kind: 'fresh'; readonly trace: FreshTraceView }
  | { readonly kind: 'problem'; readonly error: unknown };

export class RowTraces {
  readonly #call: Call;
  readonly #query = new Query<RowTraceState>();
  #row: TracedRow | undefined;
  #isTracing = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /** State of the row that was requested last. */
  get state(): RowTraceState {
    const { problem, value } = this.#query;
    return problem === undefined ? (value ?? { kind: 'loading' }) : { kind: 'problem', error: problem };
  }

  /** True while the row is run again. */
  get isTracing(): boolean {
    return this.#isTracing;
  }

  show(row: TracedRow): void {
    if (row.row === this.#row?.row && row.runId === this.#row.runId) return;
    this.close();
    this.#row = row;
    this.#query.reset();
    this.#isTracing = false;
    this.#timer = setTimeout(() => {
      void this.#query.load(async () => {
        const trace = await this.#call('run.trace', row);
        return trace === null ? { kind: 'none' } : { kind: 'stored', trace };
      });
    }, loadDelayMs);
  }

  /** Runs the row again for a full trace. */
  async traceAgain(): Promise<void> {
    const row = this.#row;
    if (row === undefined || this.#isTracing) return;
    this.#isTracing = true;
    await this.#query.load(async () => ({
      kind: 'fresh',
      trace: await this.#call('run.traceRow', row),
    }));
    if (row === this.#row) this.#isTracing = false;
  }

  close(): void {
    this.#row = undefined;
    clearTimeout(this.#timer);
  }
}

type WaterfallBar = {
  readonly nodeId: string;
  readonly end: NodeTraceView['end'];
  readonly ms: number;
  /** Start and length as shares of the whole duration, 0 to 1. */
  readonly from: number;
  readonly share: number;
};

/** When each node of a row ran: they run one after another, so each starts when the previous one has ended. */
export function waterfall(nodes: readonly NodeTraceView[]): readonly WaterfallBar[] {
  const whole = nodes.reduce((sum, { ms = 0 }) => sum + ms, 0);
  let before = 0;
  return nodes.map(({ nodeId, end, ms = 0 }) => {
    const from = whole === 0 ? 0 : before / whole;
    before += ms;
    return { nodeId, end, ms, from, share: whole === 0 ? 0 : ms / whole };
  });
}
