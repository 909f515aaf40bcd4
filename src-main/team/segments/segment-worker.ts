// Runs segments of runs on this machine, one in each slot. It sends heartbeats for its segments and acts on requests to
// their runs. When it cannot reach the database, it ends their rows before another worker may take them over. Who calls: a server or a worker of a team.
import type { CancelTimer } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';
import { Emitter } from '../../base/emitter.ts';
import { Throttled } from '../../base/throttled.ts';
import type { RunStatus } from '../../domain/run/run-status.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import { runsChannel } from './locked-run.ts';
import { answersChannel, SegmentAnswers } from './segment-answers.ts';
import { jobsChannel, leaseSeconds, type SegmentAttempt } from './segment-queue.ts';
import { SegmentRun, type Request, type SegmentDeps } from './segment-run.ts';

/**
 * Interval of the heartbeats, which also read the requests to runs, in ms; notices come sooner. As often, one idle slot asks
 * for a job.
 */
const touchEveryMs = 1_000;
/** Minimum time between two heartbeats, in ms: many notices may come at once. */
const minTouchMs = 50;
/** Time after the last answered heartbeat at which rows are ended, in ms: before another worker may get the segment. */
const endRowsAfterMs = (leaseSeconds - 2) * 1000;

/** `look`: jobs may have been added without a notice, so a slot that gets one lets the next idle slot look. */
type WakeCause = 'notice' | 'look';

export class SegmentWorker {
  readonly #deps: ConstructorParameters<typeof SegmentRun>[0];
  /** Keys of shared calls with a notice. */
  readonly #answered = new Emitter<string>(() => undefined);
  readonly #running = new Set<SegmentRun>();
  readonly #stop = new AbortController();
  #slots: Promise<void>[] = [];
  #listener: { close(): Promise<void> } | undefined;
  readonly #touches: Throttled;
  #cancelTimer: CancelTimer | undefined;
  /** Slots that wait for jobs. */
  readonly #idle = new Set<Deferred<WakeCause>>();
  /** True if jobs were added for which no slot was idle: a slot that finds the queue empty may have asked before. */
  #mayHaveJobs = false;

  constructor(deps: SegmentDeps) {
    const answersOf = (attempt: SegmentAttempt): SegmentAnswers =>
      new SegmentAnswers({ ...deps, attempt, answered: this.#answered });
    this.#deps = { ...deps, answersOf };
    const act = (): Promise<void> => this.#touch();
    this.#touches = new Throttled({ clock: deps.clock, everyMs: minTouchMs, act });
  }

  /** Segments that run now. */
  get running(): number {
    return this.#running.size;
  }

  async start(): Promise<void> {
    const { database, slots } = this.#deps;
    this.#listener = await database.listen(
      {
        [jobsChannel]: (count) => this.#wake(Number(count)),
        [runsChannel]: (runId) => this.#look(runId),
        [answersChannel]: (key) => this.#answered.emit(key),
      },
      () => {
        this.#wake(slots);
        this.#touches.request();
      },
    );
    this.#slots = Array.from({ length: slots }, () => this.#fillSlot());
    this.#watch();
  }

  /** Stops all rows; their segments go back to the queue. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake(this.#deps.slots);
    await Promise.all([...this.#running].map((segment) => segment.obey('drop')));
    await Promise.all(this.#slots);
    this.#cancelTimer?.();
    await this.#touches.close();
    await this.#listener?.close();
  }

  async #fillSlot(): Promise<void> {
    const { log } = this.#deps;
    let cause: WakeCause = 'notice';
    while (!this.#stop.signal.aborted) {
      let found = false;
      try {
        found = await this.#runNext(cause);
      } catch (error) {
        log.warn({ error }, 'no segment could be begun');
      }
      cause = found ? 'notice' : await this.#untilJobs();
    }
  }

  /** Waits until jobs may have been added since the queue was empty. */
  async #untilJobs(): Promise<WakeCause> {
    if (this.#mayHaveJobs || this.#stop.signal.aborted) {
      this.#mayHaveJobs = false;
      return 'notice';
    }
    const woken = deferred<WakeCause>();
    this.#idle.add(woken);
    return woken.promise;
  }

  /** Wakes as many idle slots as there are new jobs. */
  #wake(jobs: number): void {
    this.#mayHaveJobs ||= this.#idle.size < jobs;
    this.#wakeIdle(jobs, 'notice');
  }

  #wakeIdle(slots: number, cause: WakeCause): void {
    for (const woken of [...this.#idle].slice(0, slots)) {
      this.#idle.delete(woken);
      woken.resolve(cause);
    }
  }

  /** False if the queue was empty. */
  async #runNext(cause: WakeCause): Promise<boolean> {
    const { queue, attempts, clock } = this.#deps;
    const sentAt = clock.monotonic();
    const attempt = await queue.fetch();
    if (attempt === undefined) return false;
    if (cause === 'look') this.#wakeIdle(1, 'look');
    const begun = await attempts.begin(attempt);
    if (begun !== undefined) await this.#run(new SegmentRun(this.#deps, begun, sentAt));
    return true;
  }

  async #run(segment: SegmentRun): Promise<void> {
    this.#running.add(segment);
    try {
      if (this.#stop.signal.aborted) await segment.obey('drop');
      await segment.run();
    } finally {
      this.#running.delete(segment);
    }
  }

  /** Reads the requests to a run that has changed, if its rows run here. */
  #look(runId: string): void {
    if ([...this.#running].some(({ begun }) => begun.run.runId === runId)) this.#touches.request();
  }

  /** Sends heartbeats for the segments, and ends those whose heartbeats have not been answered for too long. */
  #watch(): void {
    this.#cancelTimer = this.#deps.clock.setTimer(touchEveryMs, () => this.#watch());
    this.#touches.request();
    this.#wakeIdle(1, 'look');
    const { clock, log } = this.#deps;
    for (const segment of this.#running) {
      if (clock.monotonic() - segment.aliveAt < endRowsAfterMs) continue;
      const { run, firstRow } = segment.begun;
      log.error({ runId: run.runId, firstRow }, 'rows are ended, since the database cannot be reached');
      this.#act(segment.lose());
    }
  }

  async #touch(): Promise<void> {
    const { clock, log, queue } = this.#deps;
    const segments = [...this.#running];
    if (segments.length === 0) return;
    const sentAt = clock.monotonic();
    try {
      const alive = await queue.touch(segments.map(({ begun }) => begun.attempt));
      const requestOf = await this.#requests(segments);
      for (const segment of segments.filter((each) => this.#running.has(each))) {
        const isAlive = alive.has(segment.begun.attempt.id);
        if (isAlive) segment.aliveAt = sentAt;
        this.#act(isAlive ? segment.obey(requestOf(segment)) : segment.lose());
      }
    } catch (error) {
      log.warn({ error }, 'heartbeats of segments could not be sent to the database');
    }
  }

  #act(work: Promise<void>): void {
    work.catch((error: unknown) => this.#deps.log.error({ error }, 'a segment could not be stopped'));
  }

  async #requests(segments: readonly SegmentRun[]): Promise<(segment: SegmentRun) => Request> {
    const owners = [...new Set(segments.map(({ begun }) => begun.attempt.data.owner))];
    const found = await this.#deps.database.query<RequestColumns>(
      'select owner, status, requested_action, failed_segment from rowbench.runs where owner = any($1)',
      [owners],
    );
    const byOwner = new Map(found.map((columns) => [columns.owner, columns]));
    return ({ begun }) => requestOf(byOwner.get(begun.attempt.data.owner), begun.firstRow);
  }
}

type RequestColumns = {
  readonly owner: number;
  readonly status: RunStatus;
  readonly requested_action: string | null;
  readonly failed_segment: number | null;
};

function requestOf(columns: RequestColumns | undefined, firstRow: number): Request {
  if (columns === undefined || isFinal(columns.status)) return 'drop';
  if (columns.requested_action === 'cancel') return 'cancel';
  if (columns.failed_segment !== null && firstRow > columns.failed_segment) return 'drop';
  return columns.status === 'pausing' || columns.status === 'paused' ? 'pause' : 'go on';
}
