// Runs jobs on files that no user has trusted yet in a separate process: they can block a program for seconds, fill its memory,
// or crash it through a bug of the engine. The process starts with the first job and ends after a while without jobs.
// INVARIANT: one job runs at a time, and ends with its result, at its deadline, for a job that waits, or with the process.
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { forkProcesses, makeWorkingFolder } from '../process/fork-worker.ts';
import { OrphanGuard } from '../process/orphan-guard.ts';
import type { ProcessCodec, StartWorker, WorkerExit, WorkerProcess } from '../process/worker-process.ts';

/** The message of a process that takes jobs. */
type Ready = { readonly type: 'ready' };

export type JobProcessOptions<Job, Answer extends { readonly type: string }> = {
  /** The bundled program. */
  readonly script: string;
  readonly clock: Clock;
  /** Heap of the process, in MB. */
  readonly memoryMb: number;
  /** Time limit of one job, in ms. */
  readonly deadlineMs: number;
  /** Ends a job before its deadline for one that waits. Without such a job, a late result is still a result. */
  readonly yielding?: Yielding<Job> | undefined;
  /** Time without jobs after which the process ends, in ms. */
  readonly idleMs?: number;
  readonly codec: ProcessCodec<Job, Answer | Ready>;
  /** Starts the process; default: forks this one. */
  readonly start?: StartWorker<Job, Answer | Ready> | undefined;
  /** Messages for the user about a file whose job has no result. */
  readonly problems: { readonly tooSlow: string; readonly tooMuchMemory: string; readonly crashed: string };
};

export type Yielding<Job> = {
  /** Time that each job has in any case, from the moment that the process gets it, in ms. */
  readonly afterMs: number;
  /** True if the job ends for the one that waits. */
  readonly to: (job: Job, waiting: Job) => boolean;
  /** Message for the user about the file whose job has ended. */
  readonly problem: string;
};

/** Why there is no result, as a message for the user; undefined if the process has crashed. */
type Loss = { readonly problem: string | undefined };

/** Why a job has no result. */
export type JobProblem = { readonly type: 'problem'; readonly problem: string };

/** Maximum time of a start, in ms. A start usually takes 100 ms. */
const startLimitMs = 30_000;
/** Default of `idleMs`: long enough for files that are saved one after the other. */
const usualIdleMs = 5_000;

/** A signal ended the process while it started, such as Ctrl-C, which a terminal sends to all processes of a program. */
class InterruptedStart extends Error {}

/** Thrown by jobs after `close`. */
export class ParserClosedError extends Error {}

export class JobProcess<Job, Answer extends { readonly type: string }> {
  readonly #options: JobProcessOptions<Job, Answer>;
  #last: Promise<unknown> = Promise.resolve();
  /** Jobs without a result, in the order of the calls. */
  readonly #jobs: Job[] = [];
  /** Ends the job that runs, once it has had its time. */
  #yield: ((waiting: Job) => void) | undefined;
  #running: Promise<Running<Job, Answer>> | undefined;
  #cancelIdle: CancelTimer | undefined;
  #isClosed = false;

  constructor(options: JobProcessOptions<Job, Answer>) {
    this.#options = options;
  }

  /** Runs jobs in the order of the calls. Rejects if the process cannot be started or is closed. */
  run(job: Job): Promise<Answer | JobProblem> {
    this.#jobs.push(job);
    this.#cancelIdle?.();
    this.#yield?.(job);
    const done = this.#last.then(() => this.#runTwice(job));
    this.#last = done
      .catch(() => undefined)
      .then(() => {
        this.#jobs.shift();
        if (this.#jobs.length === 0) this.#endWhenIdle();
      });
    return done;
  }

  /** Starts the process before its first job. It ends as after a job if none comes. */
  warmUp(): void {
    const started = this.#last.then(() => this.#process());
    // The first job tries once more, and reports what fails.
    this.#last = started
      .catch(() => undefined)
      .then(() => {
        if (this.#jobs.length === 0) this.#endWhenIdle();
      });
  }

  /** Ends the process; jobs that wait are rejected. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelIdle?.();
    await this.#end();
    await this.#last;
  }

  /** Runs a job, and once more if its process ended: the process may have been ended from outside. */
  async #runTwice(job: Job): Promise<Answer | JobProblem> {
    const first = await this.#runOnce(job);
    const answer = isLoss(first) && first.problem === undefined ? await this.#runOnce(job) : first;
    // `close` has ended the process: that says nothing of the job.
    if (isLoss(answer) && answer.problem === undefined && this.#isClosed)
      throw new ParserClosedError('The parser is closed');
    return isLoss(answer)
      ? { type: 'problem', problem: answer.problem ?? this.#options.problems.crashed }
      : answer;
  }

  async #runOnce(job: Job): Promise<Answer | Loss> {
    const running = await this.#process().catch((error: unknown) => {
      if (error instanceof InterruptedStart) return undefined;
      throw error;
    });
    if (running === undefined) return { problem: undefined };
    const { clock, deadlineMs, problems } = this.#options;
    const cancel = clock.setTimer(deadlineMs, () => running.kill(problems.tooSlow));
    const cancelYielding = this.#yieldLater(job, running);
    try {
      return await running.ask(job);
    } finally {
      cancel();
      cancelYielding();
    }
  }

  /** Lets the job end for others once it has had its time. Returns the end of that. */
  #yieldLater(job: Job, running: Running<Job, Answer>): () => void {
    const { clock, yielding } = this.#options;
    if (yielding === undefined) return () => {};
    const cancel = clock.setTimer(yielding.afterMs, () => {
      this.#yield = (waiting) => {
        if (yielding.to(job, waiting)) running.kill(yielding.problem);
      };
      for (const waiting of this.#jobs.slice(1)) this.#yield(waiting);
    });
    return () => {
      cancel();
      this.#yield = undefined;
    };
  }

  async #process(): Promise<Running<Job, Answer>> {
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

  async #start(): Promise<Running<Job, Answer>> {
    const { script, clock, start, memoryMb, codec, problems } = this.#options;
    const { tooMuchMemory } = problems;
    if (start !== undefined) return Running.start({ start, clock, tooMuchMemory });
    const folder = await makeWorkingFolder();
    const guard = new OrphanGuard();
    const onEnd = (): Promise<void> => {
      guard.close();
      return folder.remove().catch(() => undefined);
    };
    // No author code runs in this process, so the heap limit is enough and no thread watches its whole memory.
    const memory = { memoryMb, memoryWatcher: 'main-process' } as const;
    const options = { script, ...memory, workingFolder: folder.path, guard };
    try {
      return await Running.start({ start: forkProcesses(options, codec), clock, tooMuchMemory, onEnd });
    } catch (error) {
      await onEnd();
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

const isLoss = (answer: { readonly type: string } | Loss): answer is Loss => !('type' in answer);

type StartDeps<Job, Answer> = {
  readonly start: StartWorker<Job, Answer | Ready>;
  readonly clock: Clock;
  readonly tooMuchMemory: string;
  readonly onEnd?: () => Promise<void>;
};

/** One process from its start to its end. */
class Running<Job, Answer extends { readonly type: string }> {
  readonly #process: WorkerProcess<Job>;
  readonly #ready = deferred();
  readonly #ended = deferred();
  #answer: ((answer: Answer | Loss) => void) | undefined;
  #loss: Loss | undefined;

  private constructor({ start, tooMuchMemory, onEnd = async () => {} }: StartDeps<Job, Answer>) {
    this.#process = start({
      onMessage: (message) => {
        if (isReady(message)) this.#ready.resolve();
        else this.#answer?.(message);
      },
      onExit: (exit) => {
        this.#loss ??= { problem: isOutOfMemory(exit) ? tooMuchMemory : undefined };
        const message = `The parser could not be started: ${exit.errorText.slice(0, 1000).trim()}`;
        this.#ready.reject(exit.signal === null ? new Error(message) : new InterruptedStart(message));
        this.#answer?.(this.#loss);
        void onEnd().then(this.#ended.resolve, this.#ended.resolve);
      },
    });
  }

  /** Resolves when the process takes jobs; rejects when it could not be started. */
  static async start<Job, Answer extends { readonly type: string }>(
    deps: StartDeps<Job, Answer>,
  ): Promise<Running<Job, Answer>> {
    const running = new Running(deps);
    const cancel = deps.clock.setTimer(startLimitMs, () => running.kill(undefined));
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
  ask(job: Job): Promise<Answer | Loss> {
    if (this.#loss !== undefined) return Promise.resolve(this.#loss);
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#process.send(job);
    });
  }

  /** Ends the process at once. */
  kill(problem: string | undefined): void {
    this.#loss ??= { problem };
    this.#process.kill();
  }
}

const isReady = (message: { readonly type: string }): message is Ready => message.type === 'ready';

/** Recognizes a lack of memory by the engine's last message. */
const isOutOfMemory = ({ errorText }: WorkerExit): boolean =>
  /heap out of memory|invalid (array|table) size|invalid string length/i.test(errorText);
