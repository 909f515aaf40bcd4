// The chain that a run belongs to: the counts of its rows, its attempts, the next step, and the steps that start a run.
import { isFinal, thisMachine, type ChainAttempt, type ChainCounts, type ChainView } from '#contract';
import type { RerunInput, RowSelection, RunDetail, RunView, SampleView } from '#contract';
import type { App } from '../shell/app.svelte.ts';
import { endedRows } from '../../format/live-counts.ts';
import { runOf } from '../live/live-state.ts';
import { parseRoute } from '../shell/route.ts';
import { Query } from '../query.svelte.ts';
import { Submission } from '../submission.svelte.ts';
import { faultOf } from './causes.ts';
import { hostedRefusal, unknownRows } from './hosted-run.ts';
import {
  nextSteps,
  type CountedRows,
  type ChainSituation,
  type HostedSituation,
  type NextSteps,
  type StepId,
} from './next-step.ts';

/** The run that the page shows; undefined until it is known. */
type Shown = { readonly run: RunView | undefined; readonly detail: RunDetail | undefined };

/** Rows of a chain with one attempt. */
function rowsOf(run: RunView): CountedRows {
  const { rowsDone, rowsFailed } = endedRows(run);
  const rows = run.sample?.rows ?? run.rows;
  const unknown = unknownRows(run);
  if (unknown > 0) return { rows, done: rowsDone, failed: 0, open: rows - rowsDone - unknown, unknown };
  return { rows, done: rowsDone, failed: rowsFailed, open: rows - rowsDone };
}

function hostedSituation(run: RunView): HostedSituation | undefined {
  const { hosted } = run;
  if (hosted === undefined) return undefined;
  return {
    connection: hosted.connection,
    isSent: hosted.sentAt !== undefined && !isFinal(run.status),
    refusal: hostedRefusal(run),
  };
}

const restOf = ({ restRunIds, restRows }: SampleView): number => (restRunIds.length === 0 ? restRows : 0);

export class ChainState {
  readonly #app: App;
  readonly #runId: string;
  readonly #shown: () => Shown;
  readonly #view = new Query<ChainView>();
  readonly #sample = new Query<SampleView | null>();
  readonly starting: Submission;

  constructor(app: App, runId: string, shown: () => Shown) {
    this.#app = app;
    this.#runId = runId;
    this.#shown = shown;
    this.starting = new Submission(app.toasts);
  }

  /** Loads the attempts. */
  async load(): Promise<void> {
    await this.#view.load(() => this.#app.session.call('chain.show', { runId: this.#runId }));
  }

  /** Loads how long the rest of a sample may take. */
  async loadSample(): Promise<void> {
    await this.#sample.load(() => this.#app.session.call('run.sample', { runId: this.#runId }));
  }

  /** Changes when the attempts may have changed: to be followed by `load`. */
  get key(): string {
    const { run } = this.#shown();
    const chainId = run?.chainId ?? this.#runId;
    const inFeed = this.#app.live?.runs.filter((each) => (each.chainId ?? each.runId) === chainId) ?? [];
    return `${this.#app.session.connection.kind} ${inFeed.map(({ runId, status }) => runId + status).join()}`;
  }

  /** Oldest first, with what the feed tells of them; the shown run alone if the others are not known. */
  readonly attempts: readonly ChainAttempt[] = $derived.by(() => {
    const { run } = this.#shown();
    const known = this.#view.value?.attempts ?? (run === undefined ? [] : [run]);
    return known.map((attempt) => ({ ...attempt, ...runOf(this.#app.live?.runs ?? [], attempt.runId) }));
  });

  /** Counts of the chain; undefined if it has one attempt, or they cannot be read. */
  readonly counts: ChainCounts | undefined = $derived.by(() => {
    const view = this.#view.value;
    if (view === undefined || view.attempts.length < 2) return undefined;
    return this.#app.live?.chains.get(view.counts.chainId) ?? view.counts;
  });

  /** True if the chain has several attempts, so that the rows of one of them are not all. */
  get isMerged(): boolean {
    return this.counts !== undefined;
  }

  /** True if it has several attempts, and rows that failed and have no output since. */
  get hasFailedRows(): boolean {
    return (this.counts?.failed ?? 0) > 0;
  }

  /** Number of the shown run among the attempts, from 1. */
  get attempt(): number {
    return this.attempts.findIndex(({ runId }) => runId === this.#runId) + 1;
  }

  /** False until it is known whether the run has other attempts. */
  get isKnown(): boolean {
    return this.#view.value !== undefined || this.#view.problem !== undefined;
  }

  /** The attempt that has not ended; else the shown run. */
  get active(): RunView | undefined {
    const { run } = this.#shown();
    if (run !== undefined && !isFinal(run.status)) return run;
    return this.attempts.find(({ status }) => !isFinal(status)) ?? run;
  }

  readonly situation: ChainSituation | undefined = $derived.by(() => {
    const { run, detail } = this.#shown();
    if (run === undefined || !this.isKnown) return undefined;
    const { rows, done, failed, open, unknown } = this.counts ?? rowsOf(run);
    const failure = detail?.failures[0];
    return {
      rows,
      done,
      failed,
      open,
      unknown,
      hosted: hostedSituation(this.active ?? run),
      status: this.active?.status ?? run.status,
      attempts: this.attempts.length,
      ...this.#rest(rows),
      cancelled: this.#cancelled(),
      fault: failure && faultOf({ message: failure.message, rows: run.rowsFailed }, run),
      hasRecording: ['record', 'fill', 'replay'].includes(run.mode ?? 'live'),
    };
  });

  readonly steps: NextSteps | undefined = $derived(this.situation && nextSteps(this.situation));

  /** The sample whose other rows can be run: the shown run, if it is one, else the chain's first run. */
  get #sampleRun(): RunView | undefined {
    const { run } = this.#shown();
    const [first] = this.attempts;
    return [run, first].find((each) => each?.sample !== undefined);
  }

  #rest(rows: number): Pick<ChainSituation, 'restRows' | 'untakenRows' | 'restMs' | 'sampleRows'> {
    const leftOut = this.#leftOut(rows);
    // Rows that an attempt did not come to are in no table of the chain, so that no selection has them.
    const untakenRows = Math.max(leftOut, this.counts?.notRun ?? 0);
    const sample = this.#sample.value;
    const sampleRows = this.#sampleRun?.rows;
    if (sample === undefined || sample === null) return { restRows: leftOut, untakenRows, sampleRows };
    return { restRows: restOf(sample), untakenRows, restMs: sample.estimate?.ms, sampleRows };
  }

  /** Rows that the first run, a sample, left out, unless an attempt has the rest. */
  #leftOut(rows: number): number {
    const [first] = this.attempts;
    const hasRest = this.attempts.some(({ part, isRest }) => part === 'rest' || isRest === true);
    return first?.sample === undefined || hasRest ? 0 : rows - first.rows;
  }

  /** The newest of several attempts, if it ended before its last row. */
  #cancelled(): ChainSituation['cancelled'] {
    const last = this.attempts.at(-1);
    if (!this.isMerged || last === undefined || !isFinal(last.status)) return undefined;
    if (last.rowsDone + last.rowsFailed >= last.rows) return undefined;
    return { attempt: this.attempts.length, open: last.rows - last.rowsDone };
  }

  /** Rows that an attempt has taken. */
  get takenRows(): number {
    const { situation } = this;
    return situation === undefined ? 0 : situation.rows - situation.untakenRows;
  }

  /** The open rows of the chain that an attempt has taken; undefined if it has one attempt. */
  get openSelection(): RowSelection | undefined {
    if (!this.isMerged) return undefined;
    return { conditions: [{ of: 'state', states: ['failed', 'unfinished'] }], latest: true };
  }

  /** All rows of the chain; undefined if it has one attempt. */
  get wholeSelection(): RowSelection | undefined {
    return this.isMerged ? { conditions: [], latest: true } : undefined;
  }

  /**
   * Starts the run of a step, and shows it; does nothing for a step that starts none.
   * @param scenario as text, for the step with the failures that a user injects; empty: none
   */
  async start(id: StepId, scenario = ''): Promise<void> {
    const begin = this.#begin(id, scenario);
    if (begin !== undefined) await this.starting.submit(begin, (started) => this.show(started));
  }

  /** Shows a run that was started from this chain: an attempt of it alone, so that the user sees what was started. */
  show({ runId, chainId }: RunView): void {
    const view = chainId === undefined ? {} : { view: 'rows=attempt' };
    this.#app.router.go({ screen: 'run', runId, tab: 'rows', ...view });
  }

  /** Opens row entry with the open rows, or all. */
  edit(step: 'fix' | 'edit-all'): void {
    const { run } = this.#shown();
    if (run === undefined) return;
    const { workflowId, runId } = run;
    const rows = step === 'fix' ? 'failed' : 'all';
    const selection = step === 'fix' ? this.openSelection : this.wholeSelection;
    if (selection === undefined) {
      this.#app.router.go(parseRoute(`/workflows/${workflowId}/run`, `?from=${runId}&rows=${rows}`));
    } else {
      this.#app.rowsToEdit = { workflowId, origin: { runId, rows, selection } };
      this.#app.router.go({ screen: 'entry', workflowId });
    }
  }

  #runRest(): Promise<RunView> {
    return this.#app.session.call('run.rest', { runId: this.#sampleRun?.runId ?? this.#runId, by: 'app' });
  }

  #rerunSample(): Promise<RunView> {
    const runId = this.#sampleRun?.runId ?? this.#runId;
    return this.#app.session.call('run.rerun', { runId, rows: 'all' });
  }

  #rerunLast(): Promise<RunView> {
    const runId = this.attempts.at(-1)?.runId ?? this.#runId;
    return this.#app.session.call('run.rerun', { runId, rows: 'failed' });
  }

  #begin(id: StepId, scenario: string): (() => Promise<RunView>) | undefined {
    const { call } = this.#app.session;
    const runId = this.#runId;
    const open = this.openSelection;
    const whole = this.wholeSelection;
    const rerun = (rows: RerunInput['rows'], changes: Partial<RerunInput> = {}): Promise<RunView> =>
      call('run.rerun', { runId, rows, ...changes });
    const all = whole === undefined ? 'all' : { selection: whole };
    switch (id) {
      case 'rest':
        return () => this.#runRest();
      case 'rerun-open':
        return () => rerun(open === undefined ? 'failed' : { selection: open });
      case 'rerun-attempt':
        return () => this.#rerunLast();
      case 'again':
        return () => this.#rerunSample();
      case 'all':
        return () => rerun(all);
      case 'here':
        return () => rerun(all, { on: thisMachine });
      case 'replay':
        return () => rerun(all, { mode: 'replay' });
      case 'scenario':
        return () => rerun(all, { scenario: scenario === '' ? 'none' : scenario });
      default:
        return undefined;
    }
  }
}
