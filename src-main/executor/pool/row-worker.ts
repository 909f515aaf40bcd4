// One row worker as the main process sees it: the messages to it, its answers, and the cause of its loss.
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import type { Log } from '../../base/log.ts';
import { isShortage } from '../../domain/store-errors.ts';
import { describeDuration } from '../../domain/duration.ts';
import { maxResidentBytes, residentLimitExceeded, MemoryWatch } from '../process/memory-limit.ts';
import type { StartWorker, WorkerExit, WorkerProcess } from '../process/worker-process.ts';
import type { FromWorker, LoadRun, ToWorker } from '../protocol.ts';
import { Watchdog } from './watchdog.ts';

/** Reason for the loss of a worker; `message` becomes the error of its row. */
export type WorkerLoss = {
  readonly cause: 'time' | 'memory' | 'crash' | 'killed';
  readonly message: string;
};

/** A run for a worker, with its whole plan. */
export type RunLoad = LoadRun & { readonly planText: string };

/** Callbacks of the run that has the worker at the moment. */
export type WorkerOwner = {
  readonly onMessage: (message: FromWorker) => void;
  readonly onLost: (loss: WorkerLoss) => void;
};

type RowWorkerOptions = {
  readonly start: StartWorker;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeLimitMs: number;
  /** Time between the time limit and the kill, in ms; undefined: 500. */
  readonly graceMs: number | undefined;
  readonly memoryMb: number;
};

/** A busy worker may need this time to report the limit itself. */
const usualGraceMs = 500;
/** Maximum time of a start, in ms. A start usually takes 100 ms. */
const startLimitMs = 30_000;

export class RowWorker {
  readonly #options: RowWorkerOptions;
  readonly #process: WorkerProcess;
  readonly #watchdog: Watchdog;
  readonly #memoryWatch: MemoryWatch;
  readonly #ready = deferred();
  readonly #ended = deferred();
  #owner: WorkerOwner | undefined;
  #loss: WorkerLoss | undefined;
  /** Plan text of the last run that the worker was given. */
  #planText: string | undefined;
  #isReady = false;
  #isBusy = false;
  #hasEnded = false;
  /** Number of runs that the worker has served. */
  runs = 0;

  constructor(options: RowWorkerOptions) {
    this.#options = options;
    this.#watchdog = new Watchdog({
      clock: options.clock,
      nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
      cpuMs: () => this.#process.cpuMs(),
      onSilent: () => this.#onSilent(),
    });
    this.#memoryWatch = new MemoryWatch({
      clock: options.clock,
      maxBytes: maxResidentBytes(options.memoryMb),
      residentBytes: () => this.#process.residentBytes(),
      onExceeded: () => this.#onMemoryExceeded(),
    });
    this.#ready.promise.catch(() => undefined);
    this.#process = options.start({
      onMessage: (message) => this.#receive(message),
      onExit: (exit) => this.#exit(exit),
    });
    this.#watchdog.start(startLimitMs);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when the worker can take a run; rejects when it could not be started. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when the process is gone. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Computing time of the process so far, in ms; undefined if the system does not report it. */
  cpuMs(): number | undefined {
    return this.#process.cpuMs();
  }

  setOwner(owner: WorkerOwner | undefined): void {
    this.#owner = owner;
  }

  /** Sends a run to the worker. A plan that the worker has is not sent again: it would be most of a small run's traffic. */
  loadRun(load: RunLoad): void {
    const { planText } = load;
    this.send({ ...load, planText: planText === this.#planText ? null : planText });
    this.#planText = planText;
  }

  send(message: ToWorker, onSent?: () => void): void {
    this.#process.send(message, onSent);
  }

  /** Watches for silence while the worker has rows. @param computeMs maximum computing time of one node attempt */
  markBusy(computeMs: number = this.#options.timeLimitMs): void {
    this.#isBusy = true;
    this.#memoryWatch.start();
    const { graceMs = usualGraceMs } = this.#options;
    if (this.#isReady) this.#watchdog.start(computeMs + graceMs);
  }

  markIdle(): void {
    this.#isBusy = false;
    this.#memoryWatch.stop();
    if (this.#isReady) this.#watchdog.stop();
  }

  /** Ends the process without a message to the owner; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#owner = undefined;
    this.#loss ??= { cause: 'killed', message: 'interrupted' };
    this.#process.kill();
    await this.#ended.promise;
  }

  #receive(message: FromWorker): void {
    this.#watchdog.recordLife();
    // The worker may have only a part of the plan.
    if (message.type === 'load-failed') this.#planText = undefined;
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#watchdog.stop();
      if (this.#isBusy) this.markBusy();
      this.#ready.resolve();
    } else if (message.type !== 'alive' && this.#loss === undefined) this.#owner?.onMessage(message);
  }

  #onSilent(): void {
    const message = `time limit of ${describeDuration(this.#options.timeLimitMs)} exceeded`;
    this.#loss ??= { cause: 'time', message };
    this.#options.log.warn({}, 'a row worker was silent for too long and is ended');
    this.#process.kill();
  }

  #onMemoryExceeded(): void {
    this.#loss ??= this.#memoryLoss();
    this.#process.kill();
  }

  #exit(exit: WorkerExit): void {
    const loss = (this.#loss ??= this.#lossOf(exit));
    this.#hasEnded = true;
    this.#watchdog.stop();
    this.#memoryWatch.close();
    if (loss.cause !== 'killed' && loss.cause !== 'time')
      this.#options.log.warn(
        { code: exit.code, signal: exit.signal, cause: loss.cause },
        'a row worker ended',
      );
    this.#ready.reject(
      isShortage(exit.error)
        ? exit.error
        : new Error(`A row worker could not be started: ${exit.errorText.slice(0, 1000).trim()}`),
    );
    this.#ended.resolve();
    this.#owner?.onLost(loss);
  }

  #lossOf({ errorText }: WorkerExit): WorkerLoss {
    // The engine's last message is checked, since the signal after it differs between systems.
    if (/heap out of memory|invalid (array|table) size/i.test(errorText)) return this.#memoryLoss();
    if (errorText.includes(residentLimitExceeded)) return this.#memoryLoss();
    return { cause: 'crash', message: 'the row worker crashed' };
  }

  #memoryLoss(): WorkerLoss {
    return { cause: 'memory', message: `memory limit of ${this.#options.memoryMb} MB exceeded` };
  }
}
