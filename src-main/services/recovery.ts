// Takes up what an earlier process left. Who calls: RunService, at start and for runs that come while it is under way.
// INVARIANT: runs of the earlier process go first, in their old order; newcomers are queued after them.
import { AppError } from '../base/app-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { canMove } from '../domain/run/run-status.ts';
import { rowsIn, type RowCounts, type Run } from '../domain/run/run.ts';
import type { DataFolder } from '../storage/data-folder.ts';
import { retryWhileRefused } from '../storage/report-shortages.ts';
import { mapInGroups } from './in-groups.ts';
import type { RunCatalog } from './run-catalog.ts';
import type { RunLife } from './run-life.ts';
import type { RunQueue } from './run-queue.ts';

export type RecoveryParts = {
  readonly folder: DataFolder;
  readonly catalog: RunCatalog;
  readonly queue: RunQueue<RunLife>;
  /** Gives an unfinished run its life, in the catalog too. */
  readonly addLife: (run: Run, counts: RowCounts) => RunLife;
  /** Whether the run is being accepted by this process. */
  readonly isArriving: (runId: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
};

export const noRows: RowCounts = { rowsDone: 0, rowsFailed: 0 };

export class Recovery {
  readonly #parts: RecoveryParts;
  #done: Promise<void> = Promise.resolve();
  #isUnderWay = false;
  #isClosed = false;
  /** Stored runs that could not be read, or were not read before the close. */
  readonly #unreadable = new Set<string>();
  /** Runs accepted meanwhile: those that are taken up go first. */
  readonly #newcomers: RunLife[] = [];

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /** Every stored run is in the catalog when it resolves. */
  get done(): Promise<void> {
    return this.#done;
  }

  /**
   * Reads every stored run, newest first so that recent ones are known soonest, then queues the unfinished ones in
   * their old order.
   */
  begin(): Promise<void> {
    this.#isUnderWay = true;
    this.#done = this.#recoverAll().finally(() => {
      this.#isUnderWay = false;
      if (this.#isClosed) return;
      for (const life of this.#newcomers.splice(0)) this.#parts.queue.push(life);
      this.#parts.queue.open();
    });
    return this.#done;
  }

  /** Queues a run of this process. */
  enqueue(life: RunLife): void {
    if (this.#isUnderWay) this.#newcomers.push(life);
    else if (!this.#isClosed) this.#parts.queue.push(life);
  }

  /** Whether every stored run could be read: of one that could not, nobody knows what it needs. */
  get isComplete(): boolean {
    return this.#unreadable.size === 0;
  }

  /** A stored run that is not in the catalog: not reached yet, or not readable. Throws `data_unreadable`. */
  async readAhead(runId: string): Promise<Run | undefined> {
    if (this.#unreadable.has(runId)) return this.#tryAgain(runId);
    return this.#isUnderWay ? this.#parts.folder.runs.read(runId) : undefined;
  }

  /** What kept it from being read may have passed. To say that it never was would be a lie: it was accepted. */
  async #tryAgain(runId: string): Promise<Run | undefined> {
    const life = await this.#takeStock(runId);
    this.#unreadable.delete(runId);
    if (life !== undefined && !this.#isClosed) await this.#takeUp(life);
    return this.#parts.catalog.get(runId)?.run;
  }

  /** Queues nothing and reads no further run; resolves when no stored run is read any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#done.catch(() => undefined);
  }

  async #recoverAll(): Promise<void> {
    const { folder, log } = this.#parts;
    const unfinished: RunLife[] = [];
    const ids = [...(await folder.runs.listIds())].reverse();
    await mapInGroups(ids, groupSize, async (runId) => {
      // Still read when a verb that is under way asks for it.
      if (this.#isClosed) return void this.#unreadable.add(runId);
      try {
        const life = await retryWhileRefused(this.#parts.clock, () => this.#takeStock(runId));
        if (life !== undefined) unfinished.push(life);
      } catch (error) {
        log.error({ runId, error }, `the stored run ${runId} cannot be read`);
        this.#unreadable.add(runId);
      }
    });
    unfinished.sort(oldestRunningFirst);
    for (const life of unfinished) {
      await this.#takeUp(life).catch((error: unknown) =>
        log.error({ runId: life.run.runId, error }, 'a run could not be taken up again'),
      );
    }
  }

  /** Puts a stored run into the catalog; gives its life if it has not ended. */
  async #takeStock(runId: string): Promise<RunLife | undefined> {
    const { folder, catalog, isArriving, addLife } = this.#parts;
    const run = await folder.runs.read(runId);
    if (run === undefined) return undefined;
    // Accepted by this process while it was being read, or about to be: then it has its life from there.
    if (catalog.get(runId) !== undefined || isArriving(runId)) return undefined;
    if (run.finishedAt === null) return addLife(run, await this.#repairedCounts(run));
    catalog.addFinished(run, run.counts);
    return undefined;
  }

  /** Of the last commit that counts: the run may be cancelled, or shown, before anything else opens its outputs. */
  async #repairedCounts({ runId, rows }: Run): Promise<RowCounts> {
    const { runs } = this.#parts.folder;
    try {
      if ((await this.#committed(runId)) === 0) return noRows;
      const outputs = await runs.openOutputs(runId, rows);
      await outputs.close();
      return outputs.counts;
    } catch {
      // Whoever goes on with the run meets it again, and says so.
      return noRows;
    }
  }

  /** Undefined where a power cut left what must be repaired first. Throws what a disk does that cannot be read. */
  #committed(runId: string): Promise<number | undefined> {
    return this.#parts.folder.runs.readCounts(runId).then(rowsIn, (error: unknown) => {
      if (!(error instanceof AppError) || error.cause !== undefined) throw error;
      return undefined;
    });
  }

  async #takeUp(life: RunLife): Promise<void> {
    const { folder, queue, log } = this.#parts;
    const { runId } = life.run;
    await folder.runs.clearTemporaries(runId).catch((error: unknown) => {
      // Nobody reads it; the run goes on beside it.
      log.warn({ runId, error }, 'litter beside a record could not be removed');
    });
    await life.settleAfterRestart();
    if (life.run.status === 'running' && folder.wasCrashed) life.noteCrash();
    if (canMove(life.run.status, 'start') || life.run.status === 'running') queue.push(life);
  }
}

/** Run ids begin with their time of acceptance. Runs that say that they run have their slots before any other. */
const oldestRunningFirst = (a: RunLife, b: RunLife): number =>
  Number(b.run.status === 'running') - Number(a.run.status === 'running') ||
  (a.run.runId < b.run.runId ? -1 : 1);

/** Enough reads at once to keep a disk busy, few enough to leave the process free for requests. */
const groupSize = 32;
