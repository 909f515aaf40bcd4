// The trace of one row, for the panel beside the matrix: the stored one, or a fresh one from running the row again.
import type { Call, FreshTraceView, TraceView } from '#contract';

/** Delay before a row is loaded: while the user moves along the rows, only the row they stop at is loaded. */
const restMs = 60;

export type RowTraceState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'none' }
  | { readonly kind: 'kept'; readonly trace: TraceView }
  | { readonly kind: 'again'; readonly trace: FreshTraceView }
  | { readonly kind: 'problem'; readonly error: unknown };

export class RowTraces {
  readonly #call: Call;
  readonly #runId: string;
  #row: number | undefined;
  #state = $state.raw<RowTraceState>({ kind: 'loading' });
  #isTracing = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(call: Call, runId: string) {
    this.#call = call;
    this.#runId = runId;
  }

  /** State of the row that was requested last. */
  get state(): RowTraceState {
    return this.#state;
  }

  /** The row runs once more. */
  get isTracing(): boolean {
    return this.#isTracing;
  }

  show(row: number): void {
    if (row === this.#row) return;
    this.#row = row;
    this.#state = { kind: 'loading' };
    this.#isTracing = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(row), restMs);
  }

  /** Runs the row once more to see all of it. */
  async traceAgain(): Promise<void> {
    const row = this.#row;
    if (row === undefined || this.#isTracing) return;
    this.#isTracing = true;
    await this.#take(row, async () => ({
      kind: 'again',
      trace: await this.#call('run.traceRow', { runId: this.#runId, row }),
    }));
    if (row === this.#row) this.#isTracing = false;
  }

  close(): void {
    this.#row = undefined;
    clearTimeout(this.#timer);
  }

  #load(row: number): Promise<void> {
    return this.#take(row, async () => {
      const trace = await this.#call('run.trace', { runId: this.#runId, row });
      return trace === null ? { kind: 'none' } : { kind: 'kept', trace };
    });
  }

  /** Loads the state; ignores the response if another row is shown by then. */
  async #take(row: number, load: () => Promise<RowTraceState>): Promise<void> {
    const state = await load().catch((error: unknown): RowTraceState => ({ kind: 'problem', error }));
    if (row === this.#row) this.#state = state;
  }
}
