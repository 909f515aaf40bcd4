// Every status that was reported of a story's runs, checked on arrival against the status table and the promises of run
// control.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../src-main/base/clock.ts';
import { rowId } from '../../../src-main/domain/run/row-numbers.ts';
import type { RunStatus } from '../../../src-main/domain/run/run-status.ts';
import type { RowCounts, Run } from '../../../src-main/domain/run/run.ts';
import { rowsAt } from '../../../src-main/domain/scenarios/scenario.ts';
import { parseWorkflow } from '../../../src-main/domain/workflow/parse-workflow.ts';
import { planRun } from '../../../src-main/executor/plan-run.ts';
import type { ToWorker } from '../../../src-main/executor/protocol.ts';
import type { RunLoad } from '../../../src-main/executor/pool/row-worker.ts';
import type { RunRecord } from '../../../src-main/services/ports.ts';
import { calls, expectedLines, type Flow, type ModelRow } from './rows.ts';
import type { WorkerWatch } from './worker-double.ts';

/**
 * The design's table, written down a second time. A start is stored with what comes next, or a moment later: it need not
 * be told by itself.
 */
const mayBecome: Record<RunStatus, readonly RunStatus[]> = {
  queued: ['running', 'paused', 'pausing', 'completed', 'failed', 'cancelled'],
  running: ['pausing', 'completed', 'failed', 'cancelled'],
  pausing: ['paused', 'running', 'completed', 'failed', 'cancelled'],
  paused: ['queued', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};
export const isOver = (status: RunStatus): boolean => mayBecome[status].length === 0;
const executes = (status: RunStatus): boolean => status === 'running' || status === 'pausing';
/** A run that is told as queued may have started. */
const mayExecute = (status: RunStatus): boolean => status === 'queued' || executes(status);

export class Known {
  rows: readonly ModelRow[] = [];
  /** Row numbers, in the order of `rows`. */
  numbers: readonly number[] = [];
  run: Run;
  counts: RowCounts;
  /** True if the run was pausing or paused at the row where its scenario pauses it. */
  wasHalted = false;
  /** Positions of rows of which this process has heard that they have ended. */
  readonly ended = new Set<number>();
  /** True if a cancel was requested. Rows that end after that may be stored as unfinished. */
  isCancelRequested = false;
  /** True if the record comes from a process that has ended. */
  isStale = false;
  /** True if its rows were seen executing: the run may be running before its start is published. */
  hasBegun = false;
  /** Clock time that it was running, up to `since`. */
  ranMs = 0;
  since: number;

  constructor(record: RunRecord, now: number) {
    this.run = record.run;
    this.counts = record.counts;
    this.since = now;
  }

  get lines(): readonly string[] {
    return expectedLines(this.rows, this.run.workflowId as Flow);
  }

  get committed(): number {
    return this.counts.rowsDone + this.counts.rowsFailed + this.unfinished;
  }

  get unfinished(): number {
    return this.counts.rowsUnfinished ?? 0;
  }

  /** True if a cancel may have left out the row at this position. */
  mayBeUnfinished(position: number): boolean {
    return this.isCancelRequested && !this.ended.has(position);
  }
}

export type Change = { readonly runId: string; readonly from: RunStatus; readonly to: RunStatus };

export class Ledger implements WorkerWatch {
  readonly runs = new Map<string, Known>();
  readonly faults: string[] = [];
  readonly #runsAtOnce: number;
  readonly #clock: Clock;
  /** Number of calls with each idempotency key. */
  readonly #callsMade = new Map<string, number>();
  /** Keys of calls that have no answer yet. */
  readonly #callsOpen = new Map<string, Set<string>>();
  /** Something happened after which rows may rightly be run again. */
  isDisturbed = false;
  readonly #hashByPlan = new Map<string, string>();
  readonly #listeners = new Set<(change: Change) => void>();
  isAtWork: (isOfRun: (load: RunLoad) => boolean) => boolean = () => false;

  constructor(runsAtOnce: number, clock: Clock) {
    this.#runsAtOnce = runsAtOnce;
    this.#clock = clock;
  }

  fault(text: string): void {
    this.faults.push(text);
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notes a version of a workflow, so that a worker's plan can be told to be of its runs. */
  addWorkflow(text: string): void {
    const { workflow, issues } = parseWorkflow(text);
    if (workflow === undefined) throw new Error(JSON.stringify(issues));
    this.#hashByPlan.set(JSON.stringify(planRun(workflow)), createHash('sha256').update(text).digest('hex'));
  }

  /** The process is gone; what it told is what was true last. */
  endProcess(): void {
    for (const known of this.runs.values()) {
      this.#countTime(known);
      known.isStale = true;
      known.hasBegun = false;
      known.ended.clear();
    }
    this.#listeners.clear();
    this.#callsOpen.clear();
    this.isDisturbed = true;
  }

  /** The rows as they are stored, read as soon as the run was told of. */
  learnRows(runId: string, rows: readonly ModelRow[], numbers: readonly number[]): void {
    const known = this.runs.get(runId);
    if (known === undefined) return;
    known.rows = rows;
    known.numbers = numbers;
    this.#checkRecord(known);
  }

  /** Records an event of a run, and checks it. */
  recordRun(record: RunRecord): void {
    const { runId } = record.run;
    const known = this.runs.get(runId);
    if (known === undefined) {
      // What can be said of its rows is checked once they are known.
      this.runs.set(runId, new Known(record, this.#clock.monotonic()));
      return;
    }
    this.#checkMove(known, record);
    this.#countTime(known);
    const from = known.run.status;
    known.run = record.run;
    known.counts = record.counts;
    known.isStale = false;
    this.#checkRecord(known);
    if (from === record.run.status) return;
    for (const listener of [...this.#listeners]) listener({ runId, from, to: record.run.status });
  }

  #checkMove(known: Known, { run, counts }: RunRecord): void {
    const before = known.run;
    const name = `${run.runId}, ${before.status} -> ${run.status}`;
    if (isOver(before.status)) {
      const isSame = isDeepStrictEqual([before, known.counts], [run, counts]);
      if (!isSame) this.fault(`a final record changed: ${name}`);
      return;
    }
    if (counts.rowsDone < known.counts.rowsDone || counts.rowsFailed < known.counts.rowsFailed)
      this.fault(`progress went back: ${name}`);
    if (before.status === run.status) return;
    const allowed = known.isStale ? afterRestart(before.status) : mayBecome[before.status];
    if (!allowed.includes(run.status))
      this.fault(`no such move${known.isStale ? ' over a restart' : ''}: ${name}`);
    if (!known.isStale && run.status === 'paused' && this.isAtWork((load) => this.#isOf(known, load)))
      this.fault(`paused with code at work: ${name}`);
    if (!executes(run.status) && (this.#callsOpen.get(run.runId)?.size ?? 0) > 0)
      this.fault(`calls in flight: ${name}`);
    const paused = [...this.runs.values()].filter((other) => other.run.status === 'paused');
    if (paused.length < maxSuspendedRuns) return;
    this.isDisturbed = true;
    for (const { ended } of paused) ended.clear();
  }

  #checkRecord(known: Known): void {
    const { run, counts, committed, lines, rows } = known;
    const name = `${run.runId} ${run.status}`;
    if ((run.finishedAt === null) === isOver(run.status)) this.fault(`finishedAt ${run.finishedAt}: ${name}`);
    this.#checkScenario(known, name);
    if (committed > lines.length) this.fault(`${committed} rows of ${lines.length} are committed: ${name}`);
    const done = lines.slice(0, committed).filter((line) => line !== '').length;
    if (done > counts.rowsDone + known.unfinished || done < counts.rowsDone)
      this.fault(`${counts.rowsDone} rows done, not ${done}: ${name}`);
    if (known.unfinished > 0 && !known.isCancelRequested) this.fault(`rows left unfinished: ${name}`);
    if (known.unfinished > 0 && (run.status === 'completed' || run.status === 'failed'))
      this.fault(`ended with rows unfinished: ${name}`);
    if (run.status === 'cancelled') {
      const lost = [...known.ended].filter((row) => row > committed && row <= lines.length);
      if (lost.length > 0) this.fault(`rows ${lost.join(', ')} had ended and are not stored: ${name}`);
    }
    if (run.status === 'completed' && committed !== rows.length)
      this.fault(`completed with ${committed} of ${rows.length} rows`);
    if (run.status === 'failed') this.#checkFailure(known, run.error);
    if (run.finishedAt !== null && !isDeepStrictEqual(run.counts, counts))
      this.fault(`the record counts ${JSON.stringify(run.counts)}, not ${JSON.stringify(counts)}: ${name}`);
    const atOnce = [...this.runs.values()].filter((other) => !other.isStale && executes(other.run.status));
    if (atOnce.length > this.#runsAtOnce) this.fault(`${atOnce.length} runs at once: ${name}`);
  }

  #checkScenario(known: Known, name: string): void {
    const { run, committed } = known;
    const { scenario = {}, rows, status } = run;
    const [pausesAt, cancelsAt] = (['pause-at', 'cancel-at'] as const).map((part) => {
      const haltPoint = scenario[part];
      return (haltPoint && rowsAt(haltPoint, rows)) ?? Infinity;
    });
    if (committed === pausesAt && (status === 'pausing' || status === 'paused')) known.wasHalted = true;
    if (committed > (pausesAt ?? 0) && !known.wasHalted) this.fault(`not paused at ${pausesAt}: ${name}`);
    if (committed > (cancelsAt ?? 0)) this.fault(`not cancelled at ${cancelsAt}: ${name}`);
    const queuedUntil = Date.parse(run.acceptedAt) + (scenario['queued-for'] ?? 0);
    if (status === 'running' && this.#clock.now() < queuedUntil) this.fault(`not held in the queue: ${name}`);
  }

  #checkFailure({ run, committed, lines, rows, numbers }: Known, error: string): void {
    const isMeant = run.workflowId === 'fails' && lines.at(-1) === '' && committed === lines.length;
    const row = numbers[committed - 1];
    const isNamed = error.startsWith(`Node "wait" failed on row ${row}: `);
    if (!isMeant || !isNamed) this.fault(`failed after ${committed} of ${rows.length} rows: ${error}`);
  }

  onSent(load: RunLoad, message: ToWorker): void {
    if (message.type === 'batch' || message.type === 'wait-ended' || message.type === 'call-answered')
      this.#checkMayRun(load, `sent ${message.type}`);
  }

  onEnded(load: RunLoad, firstRow: number, rows: number): void {
    for (const known of this.#runsOf(load)) {
      if (known.isStale || known.isCancelRequested || !mayExecute(known.run.status)) continue;
      for (let row = firstRow; row < firstRow + rows; row += 1) known.ended.add(row);
    }
  }

  onAttempt(load: RunLoad, row: number): void {
    this.#checkMayRun(load, `attempt on row ${row}`);
  }

  /** Notes a call to an outside service. The caller runs the returned function on the answer or an abort. */
  onCall(runId: string, key: string, row: number): () => void {
    const known = this.runs.get(runId);
    if (known === undefined || known.isStale || !mayExecute(known.run.status))
      this.fault(`call of a ${known?.run.status ?? 'unknown'} run`);
    if (key !== callKey(runId, row)) this.fault(`a call for row ${row} has the key ${key}`);
    const made = (this.#callsMade.get(key) ?? 0) + 1;
    this.#callsMade.set(key, made);
    const crashes = known?.rows.some(({ does }) => does === 'crash') ?? false;
    if (made > 1 && !this.isDisturbed && !crashes) this.fault(`called ${made} times: ${key}`);
    const open = this.#callsOpen.get(runId) ?? new Set();
    this.#callsOpen.set(runId, open.add(key));
    return () => void open.delete(key);
  }

  /** Rows of completed runs have all made their calls. */
  checkCalls(): void {
    for (const { run, rows, numbers } of this.runs.values()) {
      if (run.status !== 'completed') continue;
      rows.forEach((row, index) => {
        const key = callKey(run.runId, numbers[index] ?? 0);
        if (calls(row) && !this.#callsMade.has(key)) this.fault(`never called: ${key}`);
      });
    }
  }

  onWait(load: RunLoad, ms: number): () => void {
    const known = this.#runsOf(load);
    const ranBefore = known.map((one) => this.#ran(one));
    return () => {
      const isOverdue = known.some((one, index) => this.#ran(one) - (ranBefore[index] ?? 0) >= ms);
      if (!isOverdue) this.fault(`a wait of ${ms} ms ended early`);
    };
  }

  #checkMayRun(load: RunLoad, what: string): void {
    const known = this.#runsOf(load);
    const active = known.filter(({ run, isStale }) => !isStale && mayExecute(run.status));
    for (const one of active) {
      this.#countTime(one);
      one.hasBegun = true;
    }
    if (active.length > 0) return;
    const statuses = known.map(
      ({ run, isStale }) => `${run.runId} ${run.status}${isStale ? ' (stale)' : ''}`,
    );
    this.fault(`${what} of ${statuses.join(', ') || 'no run'}`);
  }

  #runsOf(load: RunLoad): Known[] {
    return [...this.runs.values()].filter((known) => this.#isOf(known, load));
  }

  #isOf({ run }: Known, load: RunLoad): boolean {
    return run.seed.random === load.seed.random && run.workflowHash === this.#hashByPlan.get(load.planText);
  }

  #ran(known: Known): number {
    const { run, ranMs, since, isStale, hasBegun } = known;
    const isRunning = run.status === 'running' || (run.status === 'queued' && hasBegun);
    return ranMs + (isRunning && !isStale ? this.#clock.monotonic() - since : 0);
  }

  #countTime(known: Known): void {
    known.ranMs = this.#ran(known);
    known.since = this.#clock.monotonic();
  }
}

/** As many paused runs as keep their workers; those beyond it begin again after their last commit. */
const maxSuspendedRuns = 4;

const callKey = (runId: string, row: number): string => `${runId}/${rowId(runId, row)}/wait`;

/** The disk may be one move ahead of what was told; whatever was pausing is paused. */
function afterRestart(status: RunStatus): readonly RunStatus[] {
  const onDisk = [status, ...mayBecome[status]];
  return onDisk.includes('pausing') ? [...onDisk, 'paused'] : onDisk;
}
