// Parses workflow and tests files in a separate process (job-process.ts). Who calls: the server, through FileParser.
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { StartWorker } from '../process/worker-process.ts';
import { JobProcess, type Yielding } from './job-process.ts';
import type { JobName, JobOutcome, JobResult, RunJob } from './parse-jobs.ts';
import { parserCodec, type FromParser, type ParserAnswer, type ToParser } from './parser-protocol.ts';

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
  /** Time of a job after which it ends if a job on another text waits, in ms; absent: none ends for another. */
  readonly yieldAfterMs?: number;
  /** Time without jobs after which the process ends, in ms. */
  readonly idleMs?: number;
};

/** Heap of the process, in MB. The largest files written by hand take a tenth of it. */
export const parserMemoryMb = 256;
/** Default time limit of a job, in ms. The hardest megabyte takes 6 s of a core. */
const usualDeadlineMs = 10_000;

export class ParserProcess {
  readonly #log: Log;
  readonly #process: JobProcess<ToParser, ParserAnswer>;

  constructor({ log, deadlineMs = usualDeadlineMs, yieldAfterMs, ...options }: ParserProcessOptions) {
    this.#log = log;
    this.#process = new JobProcess({
      ...options,
      deadlineMs,
      yielding: yieldAfterMs === undefined ? undefined : yieldingToOtherTexts(yieldAfterMs),
      memoryMb: parserMemoryMb,
      codec: parserCodec,
      problems: {
        tooSlow: `This file could not be checked within ${deadlineMs / 1000} seconds`,
        tooMuchMemory: `This file takes more than ${parserMemoryMb} MB of memory to check`,
        crashed: 'This file could not be checked: it ends the program that checks it',
      },
    });
  }

  /** Runs jobs in the order of the calls. Rejects if the process cannot be started or is closed. */
  readonly run: RunJob = async (job, ...args) => {
    const outcome = outcomeOf<typeof job>(await this.#process.run({ job, args }));
    if (!outcome.ok) this.#log.warn({ job, problem: outcome.problem }, 'a file could not be parsed');
    return outcome;
  };

  /** Starts the process before its first job. */
  warmUp(): void {
    this.#process.warmUp();
  }

  /** Ends the process; jobs that wait are rejected. Resolves when it is gone. */
  close(): Promise<void> {
    return this.#process.close();
  }
}

/** The user has typed on, or edits another file; jobs on the same text are for the same user. */
const yieldingToOtherTexts = (afterMs: number): Yielding<ToParser> => ({
  afterMs,
  to: ({ args: [text] }, { args: [other] }) => text !== other,
  problem: `This file takes more than ${afterMs / 1000} seconds to check, and another text waits`,
});

function outcomeOf<J extends JobName>(
  answer: Awaited<ReturnType<JobProcess<ToParser, ParserAnswer>['run']>>,
): JobOutcome<J> {
  if (answer.type === 'problem') return { ok: false, problem: answer.problem };
  if (answer.type === 'too-large')
    return { ok: false, problem: 'This file holds too many values and expressions' };
  const value = JSON.parse(Buffer.from(answer.result).toString('utf8')) as JobResult<J>;
  return { ok: true, value, size: answer.result.length };
}
