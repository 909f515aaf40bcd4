// Parses files in a separate process: text that no user has trusted yet can block a server for seconds, fill its memory, or
// crash its process through a bug of the engine. The process starts with the first job and ends after a while without jobs.
// INVARIANT: one job runs at a time, and ends with its result, at its deadline, or with the process.
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import type { Log } from '../../base/log.ts';
import { forkProcesses, makeWorkingFolder } from '../process/fork-worker.ts';
import { OrphanGuard } from '../process/orphan-guard.ts';
import type { StartWorker, WorkerExit, WorkerProcess } from '../process/worker-process.ts';
import type { JobName, JobOutcome, JobResult, RunJob } from './parse-jobs.ts';
import { parserCodec, type FromParser, type ToParser } from './parser-protocol.ts';

export type StartParser = StartWorker<ToParser, FromParser>;

export type ParserProcessOptions = {
  /** The bundled parser. */
  readonly script: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Starts the process; default: forks this one. */
  readonly start?: StartParser | undefined;
  /** Time limit of one job, in ms. */
  readonly deadlineMs?: number;
  /** Time without jobs after which the process ends, in ms; default: 5 s. */
  readonly idleMs?: number;
};

/** Heap of the process, in MB. The largest files written by hand take a tenth of it. */
export const parserMemoryMb = 256;
/** Default time limit of a job, in ms. The hardest megabyte takes 6 s of a core. */
const usualDeadlineMs = 10_000;
/** Maximum time of a start, in ms. A start usually takes 100 ms. */
const startLimitMs = 30_000;
/** Default of `idleMs`: long enough for files that are saved one after the other. */
const usualIdleMs = 5_000;

/** Reason for the end of a process, as a message for the author of the file; undefined if unknown. */
type Loss = { readonly problem: string | undefined };

/** Thrown by jobs after `close`. */
export class ParserClosedError extends Error {}

export class ParserProcess {
  readonly #options: ParserProcessOptions;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #running: Promise<Running> | undefined;
  #cancelIdle: CancelTimer | undefined;
  #isClosed = false;

  constructor(options: ParserProcessOptions) {
    this.#options = options;
  }

  /** Runs jobs in the order of the calls. Rejects if the process cannot be started or is closed. */
  readonly run: RunJob = (job, ...args) => {
    this.#waiting += 1;
    this.#cancelIdle?.();
    const done = this.#last.then(() => this.#runTwice(job, { job, args }));
    this.#last = done
      .catch(() => undefined)
      .then(() => {
        this.#waiting -= 1;
        if (this.#waiting === 0) this.#endWhenIdle();
      });
    return done;
  };

  /** Ends the process; jobs that wait are rejected. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelIdle?.();
    await this.#end();
    await this.#last;
  }

  /** Runs a job, and once more if its process ended: the process may have been ended from outside. */
  async #runTwice<J extends JobName>(job: J, message: ToParser): Promise<JobOutcome<J>> {
    const first = await this.#runOnce<J>(message);
    const outcome = first.ok || first.problem !== crashed ? first : await this.#runOnce<J>(message);
    if (!outcome.ok) this.#options.log.warn({ job, problem: outcome.problem }, 'a file could not be parsed');
    return outcome;
  }

  async #runOnce<J extends JobName>(message: ToParser): Promise<JobOutcome<J>> {
    const running = await this.#process();
    const { clock, deadlineMs = usualDeadlineMs } = this.#options;
    const cancel = clock.setTimer(deadlineMs, () => running.kill(tooSlow(deadlineMs)));
    try {
      const answer = await running.ask(message);
      if ('problem' in answer) return { ok: false, problem: answer.problem ?? crashed };
      if (answer.type === 'too-large') return { ok: false, problem: tooLarge };
      const value = JSON.parse(Buffer.from(answer.result).toString('utf8')) as JobResult<J>;
      return { ok: true, value, size: answer.result.length };
    } finally {
      cancel();
    }
  }

  async #process(): Promise<Running> {
    const current = await this.#running;
    if (current?.isLost === false) return current;
    await current?.ended;
    if (this.#isClosed) return Promise.reject(new ParserClosedError('The parser is closed'));
    const running = this.#start();
    this.#running = running;
    const forget = (): void => {
      if (this.#running === running) this.#running = undefined;
    };
    running.then(({ ended }) => ended.then(forget), forget);
    return running;
  }

  async #start(): Promise<Running> {
    const { script, clock, start } = this.#options;
    if (start !== undefined) return Running.start(start, clock);
    const folder = await makeWorkingFolder();
    const guard = new OrphanGuard();
    const clear = (): Promise<void> => {
      guard.close();
      return folder.remove().catch(() => undefined);
    };
    // No author code runs in this process, so the heap limit is enough and no thread watches its whole memory.
    const memory = { memoryMb: parserMemoryMb, memoryWatcher: 'main-process' } as const;
    const options = { script, ...memory, workingFolder: folder.path, guard };
    try {
      return await Running.start(forkProcesses(options, parserCodec), clock, clear);
    } catch (error) {
      await clear();
      throw error;
    }
  }

  #endWhenIdle(): void {
    this.#cancelIdle?.();
    const { clock, idleMs = usualIdleMs } = this.#options;
    if (!this.#isClosed) this.#cancelIdle = clock.setTimer(idleMs, () => void this.#end());
  }

  async #end(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    running?.kill(undefined);
    await running?.ended;
  }
}

const tooSlow = (ms: number): string => `This file could not be checked within ${ms / 1000} seconds`;
const tooMuchMemory = `This file takes more than ${parserMemoryMb} MB of memory to check`;
const tooLarge = 'This file holds too many values and expressions';
const crashed = 'This file could not be checked: it ends the program that checks it';

type Answer = Exclude<FromParser, { type: 'ready' }> | Loss;

/** One process from its start to its end. */
class Running {
  readonly #process: WorkerProcess<ToParser>;
  readonly #ready = deferred();
  readonly #ended = deferred();
  #answer: ((answer: Answer) => void) | undefined;
  #loss: Loss | undefined;

  private constructor(start: StartParser, onEnd: () => Promise<void>) {
    this.#process = start({
      onMessage: (message) => {
        if (message.type === 'ready') this.#ready.resolve();
        else this.#answer?.(message);
      },
      onExit: (exit) => {
        this.#loss ??= lossOf(exit);
        this.#ready.reject(
          new Error(`The parser could not be started: ${exit.errorText.slice(0, 1000).trim()}`),
        );
        this.#answer?.(this.#loss);
        void onEnd().then(this.#ended.resolve, this.#ended.resolve);
      },
    });
  }

  /** Resolves when the process takes jobs; rejects when it could not be started. */
  static async start(
    start: StartParser,
    clock: Clock,
    onEnd = async (): Promise<void> => {},
  ): Promise<Running> {
    const running = new Running(start, onEnd);
    const cancel = clock.setTimer(startLimitMs, () => running.kill(undefined));
    try {
      await running.#ready.promise;
      return running;
    } finally {
      cancel();
    }
  }

  /** True if the process has ended or is ending. */
  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  /** Resolves when the process is gone and cleaned up. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Sends a job. Resolves to its answer, or to the reason why there is none. */
  ask(message: ToParser): Promise<Answer> {
    if (this.#loss !== undefined) return Promise.resolve(this.#loss);
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#process.send(message);
    });
  }

  /** Ends the process at once. */
  kill(problem: string | undefined): void {
    this.#loss ??= { problem };
    this.#process.kill();
  }
}

/** Recognizes a lack of memory by the engine's last message. */
const lossOf = ({ errorText }: WorkerExit): Loss => ({
  problem: /heap out of memory|invalid (array|table) size|invalid string length/i.test(errorText)
    ? tooMuchMemory
    : undefined,
});
