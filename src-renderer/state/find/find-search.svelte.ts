// A search over all runs: asks the server for one part after the other. It stops by not asking again.
import type { Call, FindCursor, FindHit, RunView } from '#contract';
import { LatestOnly } from '../latest-only.ts';
import type { FindRoute } from './find-route.ts';
import { foundRows, type FoundRow } from './found-rows.ts';

type Progress = { readonly runs: number; readonly runsSearched: number };

/** Hits after which the search waits for the user: more than a list of which all can be looked at. */
const hitsInRound = 200;

export class FindSearch {
  readonly #call: Call;
  readonly #latest = new LatestOnly();
  #route: FindRoute | undefined;
  #cursor: FindCursor | undefined;
  #hits = $state.raw<readonly FindHit[]>([]);
  /** Runs of the hits, and the first runs of their chains. */
  #runs = $state.raw<readonly RunView[]>([]);
  readonly #rows = $derived(foundRows(this.#hits, this.#runs));
  #progress = $state.raw<Progress | undefined>();
  #state = $state<'idle' | 'searching' | 'stopped' | 'done'>('idle');
  #problem = $state.raw<unknown>();
  #unreadableRuns = $state(0);
  #largeLines = $state(0);

  constructor(call: Call) {
    this.#call = call;
  }

  get hits(): readonly FindHit[] {
    return this.#hits;
  }

  /** Rows with hits. */
  get rows(): readonly FoundRow[] {
    return this.#rows;
  }

  /** Undefined until the first answer. */
  get progress(): Progress | undefined {
    return this.#progress;
  }

  /** `stopped`: the user stopped it, or there are many hits; it can go on. */
  get state(): 'idle' | 'searching' | 'stopped' | 'done' {
    return this.#state;
  }

  /** Why the search stopped, if the server did not answer. */
  get problem(): unknown {
    return this.#problem;
  }

  get unreadableRuns(): number {
    return this.#unreadableRuns;
  }

  get largeLines(): number {
    return this.#largeLines;
  }

  /** Begins another search. */
  start(route: FindRoute): void {
    this.stop();
    this.#route = route;
    this.#cursor = undefined;
    this.#hits = [];
    this.#progress = undefined;
    this.#problem = undefined;
    this.#unreadableRuns = 0;
    this.#largeLines = 0;
    this.#state = 'idle';
    if (route.text !== '') void this.#search();
  }

  /** Ends the search; hits stay, and an answer that is on its way is ignored. */
  stop(): void {
    this.#latest.cancel();
    if (this.#state === 'searching') this.#state = 'stopped';
  }

  goOn(): void {
    if (this.#state === 'stopped') void this.#search();
  }

  /** The runs of all hits so far, with those of new ones. */
  async #loadRuns(hits: readonly FindHit[]): Promise<readonly RunView[]> {
    const ofHits = await this.#withRuns(
      this.#runs,
      hits.map(({ runId }) => runId),
    );
    return this.#withRuns(
      ofHits,
      ofHits.map(({ runId, chainId }) => chainId ?? runId),
    );
  }

  /** @param runIds may name a run several times, and runs that are known */
  async #withRuns(known: readonly RunView[], runIds: readonly string[]): Promise<readonly RunView[]> {
    const missing = runIds.filter(
      (runId, at) => runIds.indexOf(runId) === at && !known.some((run) => run.runId === runId),
    );
    if (missing.length === 0) return known;
    return [...known, ...(await this.#call('run.list', { runIds: missing, limit: missing.length }))];
  }

  async #search(): Promise<void> {
    const route = this.#route;
    if (route === undefined) return;
    const signal = this.#latest.start();
    const { text, workflowId, of } = route;
    const end = this.#hits.length + hitsInRound;
    this.#problem = undefined;
    this.#state = 'searching';
    try {
      do {
        const limit = end - this.#hits.length;
        const page = await this.#call('run.find', { text, workflowId, of, cursor: this.#cursor, limit });
        const runs = await this.#loadRuns(page.hits);
        if (signal.aborted) return;
        this.#runs = runs;
        this.#cursor = page.next;
        this.#hits = [...this.#hits, ...page.hits];
        this.#progress = page;
        this.#unreadableRuns += page.unreadableRuns.length;
        this.#largeLines += page.largeLines;
      } while (this.#cursor !== undefined && this.#hits.length < end);
      this.#state = this.#cursor === undefined ? 'done' : 'stopped';
    } catch (error) {
      if (signal.aborted) return;
      this.#problem = error;
      this.#state = 'stopped';
    }
  }
}
