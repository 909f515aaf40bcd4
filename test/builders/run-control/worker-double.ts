// A row worker without a process: it speaks the real protocol, and does with each row what the row says. Messages
// take their time in both directions; code that awaits ends when the test lets it.
import { invariant } from '../../../src-main/base/invariant.ts';
import { rowNumberAt } from '../../../src-main/domain/run/row-numbers.ts';
import type { Plan } from '../../../src-main/executor/plan.ts';
import type { WorkerEvents, WorkerProcess } from '../../../src-main/executor/process/worker-process.ts';
import type {
  FromWorker,
  LoadRun,
  WorkerBatch,
  BatchDone,
  ToWorker,
} from '../../../src-main/executor/protocol.ts';
import type { RunLoad } from '../../../src-main/executor/pool/row-worker.ts';
import { PauseGate } from '../../../src-main/executor/worker/pause-gate.ts';
import { NodeCounts } from '../../../src-main/executor/worker/node-counts.ts';
import { BatchResultBuilder, type RowEnd } from '../../../src-main/executor/worker/batch-result-builder.ts';
import type { Pending } from './pending.ts';
import { callOf } from './outside-double.ts';
import { outputOf, waitOf, type ModelRow } from './rows.ts';

/** Hears what a worker is asked and does. */
export type WorkerWatch = {
  onSent(load: RunLoad, message: ToWorker): void;
  onAttempt(load: RunLoad, row: number): void;
  /** The main process hears that rows from that position on have ended. */
  onEnded(load: RunLoad, firstRow: number, rows: number): void;
  /** A row asks to be woken in `ms`; the answer is called when it is. */
  onWait(load: RunLoad, ms: number): () => void;
};

type Exit = { readonly type: 'exit' };

export class WorkerDouble implements WorkerProcess {
  readonly #pending: Pending;
  readonly #watch: WorkerWatch;
  readonly #toMain: (message: FromWorker | Exit) => void;
  readonly #toWorker: (message: ToWorker) => void;
  #sentLoad: RunLoad | undefined;
  /** First row of each batch that was sent, by batch id. */
  readonly #firstRows = new Map<number, number>();
  #session: Session | undefined;
  #isKilled = false;
  #isDead = false;

  constructor(events: WorkerEvents, pending: Pending, watch: WorkerWatch) {
    this.#pending = pending;
    this.#watch = watch;
    this.#toMain = pending.channel((message) => {
      if (message.type === 'batch-done') this.#noteEnd(message);
      if (message.type !== 'exit') return events.onMessage(message);
      events.onExit({ code: null, signal: 'SIGKILL', errorText: '' });
    });
    this.#toWorker = pending.channel((message) => {
      if (!this.#isDead) this.#receive(message);
    });
    this.#toMain({ type: 'ready' });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Code of that run that is at work this moment. */
  isAtWork(isOfRun: (load: RunLoad) => boolean): boolean {
    return (
      !this.#isDead && this.#session !== undefined && this.#session.isAtWork && isOfRun(this.#session.load)
    );
  }

  send(message: ToWorker): void {
    if (this.#isKilled) return;
    if (message.type === 'load') this.#sentLoad = wholeLoad(message, this.#sentLoad);
    if (message.type === 'batch') this.#firstRows.set(message.batch.id, message.batch.firstRow);
    if (this.#sentLoad !== undefined) this.#watch.onSent(this.#sentLoad, message);
    this.#toWorker(message);
  }

  kill(): void {
    if (this.#isKilled) return;
    this.#isKilled = true;
    // Until the signal arrives, whatever is at work goes on.
    this.#pending.add(() => this.die());
  }

  /** Rows take no time. */
  residentBytes(): undefined {
    return undefined;
  }

  cpuMs(): number {
    return 0;
  }

  die(): void {
    if (this.#isDead) return;
    this.#isKilled = true;
    this.#isDead = true;
    this.#toMain({ type: 'exit' });
  }

  /** Ends the worker together with the process that started it. */
  vanish(): void {
    this.#isKilled = true;
    this.#isDead = true;
  }

  #noteEnd({ batchId, result }: BatchDone): void {
    const firstRow = this.#firstRows.get(batchId);
    if (this.#isKilled || this.#sentLoad === undefined || firstRow === undefined) return;
    this.#watch.onEnded(this.#sentLoad, firstRow, result.rows);
  }

  #receive(message: ToWorker): void {
    if (message.type !== 'load') return this.#session?.receive(message);
    const session: Session = new Session(wholeLoad(message, this.#session?.load), {
      watch: this.#watch,
      later: (act) =>
        this.#pending.add(() => {
          if (!this.#isDead && this.#session === session) act();
        }),
      send: (answer) => {
        if (!this.#isDead && this.#session === session) this.#toMain(answer);
      },
      crash: () => this.die(),
    });
    this.#session = session;
  }
}

function wholeLoad(load: LoadRun, before: RunLoad | undefined): RunLoad {
  const planText = load.planText ?? before?.planText;
  invariant(planText !== undefined, 'the first run of a worker brings its plan');
  return { ...load, planText };
}

type SessionDeps = {
  readonly watch: WorkerWatch;
  readonly later: (act: () => void) => void;
  readonly send: (message: FromWorker) => void;
  readonly crash: () => void;
};

type RowRun = {
  readonly row: ModelRow;
  readonly number: number;
  readonly batch: WorkerBatch;
  readonly isNeeded: () => boolean;
  readonly end: (end: RowEnd) => void;
};

/** The rows of one run in one worker, after the manner of the real run session. */
class Session {
  readonly load: RunLoad;
  readonly #deps: SessionDeps;
  readonly #onRowError: Plan['onRowError'];
  readonly #pauseGate: PauseGate;
  readonly #unstarted: RowRun[] = [];
  /** Rows that have waited, or called, and may go on. */
  readonly #woken: RowRun[] = [];
  readonly #waits = new Map<number, { readonly run: RowRun; readonly onOver: () => void }>();
  #waitCount = 0;
  readonly #calls = new Map<number, RowRun>();
  #callCount = 0;
  #inFlight = 0;
  isAtWork = false;

  constructor(load: RunLoad, deps: SessionDeps) {
    this.load = load;
    this.#deps = deps;
    this.#onRowError = (JSON.parse(load.planText) as Plan).onRowError;
    this.#pauseGate = new PauseGate((pauseId) => deps.send({ type: 'paused', pauseId }));
  }

  receive(message: Exclude<ToWorker, LoadRun>): void {
    if (message.type === 'batch') this.#add(message.batch);
    else if (message.type === 'wait-ended') this.#wake(message.wait);
    else if (message.type === 'call-answered') this.#takeAnswer(message.call);
    else if (message.type === 'pause') this.#pauseGate.pause(message.pauseId);
    else this.#pauseGate.resume();
    this.#goOn();
  }

  #add(batch: WorkerBatch): void {
    const results = new BatchResultBuilder(batch, new NodeCounts([]), this.#onRowError === 'fail');
    const lines = Buffer.from(batch.bytes).toString().split('\n');
    for (let index = 0; index < batch.rows; index += 1) {
      const end = (rowEnd: RowEnd): void => {
        if (results.recordEnd(index, rowEnd)) this.#finish(results);
      };
      const row = JSON.parse(lines[index] ?? '') as ModelRow;
      const isNeeded = (): boolean => results.isNeeded(index);
      this.#unstarted.push({ row, number: rowNumberAt(batch, index), batch, isNeeded, end });
    }
  }

  /** Rows after a failed one get no answers any more. */
  #finish(results: BatchResultBuilder): void {
    const done = results.build();
    this.#deps.send(done);
    for (const [wait, { run }] of this.#waits)
      if (run.batch.id === done.batchId && this.#waits.delete(wait)) this.#inFlight -= 1;
    for (const [call, { batch }] of this.#calls) {
      if (batch.id !== done.batchId) continue;
      this.#calls.delete(call);
      this.#inFlight -= 1;
      this.#pauseGate.endCall();
    }
  }

  #wake(wait: number): void {
    const found = this.#waits.get(wait);
    if (found === undefined) return;
    this.#waits.delete(wait);
    found.onOver();
    this.#woken.push(found.run);
  }

  #goOn(): void {
    while (!this.#pauseGate.isBlocked) {
      const woken = this.#woken.shift();
      if (woken !== undefined) {
        this.#inFlight -= 1;
        if (!woken.isNeeded()) continue;
        this.#attempt(woken);
        woken.end(done(woken.row));
        continue;
      }
      if (this.#inFlight >= this.load.rowsInFlight) return;
      const next = this.#unstarted.shift();
      if (next === undefined) return;
      if (next.isNeeded()) this.#start(next);
    }
  }

  #start(run: RowRun): void {
    const { row, batch } = run;
    this.#attempt(run);
    const [presetFailure] = batch.presetFailures;
    if (presetFailure !== undefined) return run.end(failed(run, presetFailure.message));
    switch (row.does) {
      case 'done':
        return run.end(done(row));
      case 'fail':
        return run.end(failed(run, 'on purpose'));
      case 'crash':
        return this.#crash();
      case 'work':
        return this.#work(run);
      case 'wait':
        return this.#wait(run);
      case 'call':
      case 'call, then go on':
        return this.#call(run);
    }
  }

  #crash(): void {
    this.#pauseGate.lock();
    this.#deps.crash();
  }

  #work(run: RowRun): void {
    this.#pauseGate.lock();
    this.isAtWork = true;
    this.#deps.later(() => {
      this.isAtWork = false;
      run.end(done(run.row));
      this.#pauseGate.unlock();
      this.#goOn();
    });
  }

  #wait(run: RowRun): void {
    const wait = (this.#waitCount += 1);
    const ms = waitOf(run.row);
    this.#inFlight += 1;
    this.#waits.set(wait, { run, onOver: this.#deps.watch.onWait(this.load, ms) });
    const { number: row } = run;
    this.#deps.send({ type: 'wait', wait, batchId: run.batch.id, ms, row, nodeId: 'wait' });
  }

  #call(run: RowRun): void {
    const call = (this.#callCount += 1);
    this.#inFlight += 1;
    this.#calls.set(call, run);
    this.#pauseGate.startCall();
    this.#deps.send(callOf(call, run.batch.id, run.number));
  }

  /** The answer is handled within the attempt that made the call, even during a pause. */
  #takeAnswer(call: number): void {
    const run = this.#calls.get(call);
    if (run === undefined) return;
    this.#calls.delete(call);
    if (run.row.does === 'call, then go on') this.#woken.push(run);
    else {
      this.#inFlight -= 1;
      run.end(done(run.row));
    }
    this.#pauseGate.endCall();
  }

  #attempt({ number, batch }: RowRun): void {
    this.#deps.watch.onAttempt(this.load, number);
    if (!batch.isolated) return;
    const timeoutMessage = 'time limit exceeded';
    this.#deps.send({ type: 'node-started', nodeId: 'wait', attempt: 1, allowedMs: 5000, timeoutMessage });
  }
}

const measures = { retries: 0, durationMicros: 1 };
const done = (row: ModelRow): RowEnd => ({ output: outputOf(row), ...measures });
const failed = (run: RowRun, message: string): RowEnd => ({
  failure: { row: run.number, nodeId: 'wait', message, attempts: 1 },
  ...measures,
});
