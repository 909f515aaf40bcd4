// The chain that a run belongs to: the counts of its rows, the next step, and the steps that start a run.
import type { RunDetail, RunView, SampleView } from '#contract';
import type { App } from '../shell/app.svelte.ts';
import { endedRows } from '../../format/live-counts.ts';
import { Query } from '../query.svelte.ts';
import { Submission } from '../submission.svelte.ts';
import { faultOf } from './causes.ts';
import { nextSteps, type ChainSituation, type NextSteps, type StepId } from './next-step.ts';

/** The run that the page shows; undefined until it is known. */
type Shown = { readonly run: RunView | undefined; readonly detail: RunDetail | undefined };

export class ChainState {
  readonly #app: App;
  readonly #runId: string;
  readonly #shown: () => Shown;
  readonly #sample = new Query<SampleView | null>();
  readonly starting: Submission;

  constructor(app: App, runId: string, shown: () => Shown) {
    this.#app = app;
    this.#runId = runId;
    this.#shown = shown;
    this.starting = new Submission(app.toasts);
  }

  /** Loads how long the rest of a sample may take. */
  async loadSample(): Promise<void> {
    await this.#sample.load(() => this.#app.session.call('run.sample', { runId: this.#runId }));
  }

  readonly situation: ChainSituation | undefined = $derived.by(() => {
    const { run, detail } = this.#shown();
    return run === undefined ? undefined : this.#situationOf(run, detail);
  });

  readonly steps: NextSteps | undefined = $derived(this.situation && nextSteps(this.situation));

  #situationOf(run: RunView, detail: RunDetail | undefined): ChainSituation {
    const { rowsDone, rowsFailed } = endedRows(run);
    const rows = run.sample?.rows ?? run.rows;
    const sample = this.#sample.value ?? undefined;
    const first = detail?.failures[0];
    return {
      status: run.status,
      rows,
      done: rowsDone,
      failed: rowsFailed,
      open: rows - rowsDone,
      restRows: rows - run.rows,
      restMs: sample?.estimate?.ms,
      sampleRows: run.sample === undefined ? undefined : run.rows,
      fault: first && faultOf({ message: first.message, rows: rowsFailed }, run),
      hasRecording: run.mode === 'record' || run.mode === 'fill' || run.mode === 'replay',
    };
  }

  /**
   * Starts the run of a step, and shows it; does nothing for a step that starts none.
   * @param scenario as text, for the step with the failures that a user injects; empty: none
   */
  async start(id: StepId, scenario = ''): Promise<void> {
    const { call } = this.#app.session;
    const runId = this.#runId;
    const calls: Partial<Record<StepId, () => Promise<RunView>>> = {
      rest: () => call('run.rest', { runId, isAgain: false, by: 'app' }),
      'rerun-open': () => call('run.rerun', { runId, rows: 'failed' }),
      again: () => call('run.rerun', { runId, rows: 'all' }),
      all: () => call('run.rerun', { runId, rows: 'all' }),
      replay: () => call('run.rerun', { runId, rows: 'all', mode: 'replay' }),
      scenario: () =>
        call('run.rerun', { runId, rows: 'all', scenario: scenario === '' ? 'none' : scenario }),
    };
    const begin = calls[id];
    if (begin === undefined) return;
    await this.starting.submit(begin, (started) => {
      this.#app.router.go({ screen: 'run', runId: started.runId });
    });
  }
}
