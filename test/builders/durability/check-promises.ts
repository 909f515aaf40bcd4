// Holds a data folder, opened by a new process, to what an earlier one promised.
import { isDeepStrictEqual } from 'node:util';
import { isFinal, type RunStatus } from '../../../src-main/domain/run/run-status.ts';
import type { Run } from '../../../src-main/domain/run/run.ts';
import { beginLife, leaveStaleLock, type LifeParts, type ProductLife } from './product-life.ts';
import { keptRuns, type Promises, type RunPromise } from './product-story.ts';

/** Nothing is removed while it is being looked at. */
const keepAll = { retention: { runs: 1000, days: 30 } };
const longestWaitMs = 20_000;

/**
 * Starts on what is there, lets every run come to its end, and gives each promise that is broken, in words.
 * @param mayFail a run may have failed, and said so, since it could not be read
 */
export async function brokenPromises(
  parts: LifeParts,
  promises: Promises,
  { mayFail = false } = {},
): Promise<readonly string[]> {
  await leaveStaleLock(parts.disk, parts.path);
  let life: ProductLife;
  try {
    life = await beginLife(parts, keepAll);
  } catch (error) {
    return [`it does not start: ${String(error)}`];
  }
  const broken: string[] = [];
  try {
    await life.runs.recover();
    broken.push(...(await new Checker(life, promises, mayFail).check()));
  } catch (error) {
    broken.push(`it fails: ${String(error)}`);
  }
  const closed = await life.close().then(
    () => [],
    (error: unknown) => [`it does not close: ${String(error)}`],
  );
  return [...broken, ...closed, ...life.told.map((text) => `told without cause: ${text}`)];
}

class Checker {
  readonly #life: ProductLife;
  readonly #promises: Promises;
  readonly #mayFail: boolean;
  readonly #broken: string[] = [];

  constructor(life: ProductLife, promises: Promises, mayFail: boolean) {
    this.#mayFail = mayFail;
    this.#life = life;
    this.#promises = promises;
  }

  async check(): Promise<readonly string[]> {
    this.#checkDocuments();
    const { runs } = this.#promises;
    const there = new Map((await this.#life.runs.list({})).map(({ run }) => [run.runId, run]));
    for (const [runId, promise] of runs) {
      const run = there.get(runId);
      if (promise.told?.status === 'failed' && !this.#mayFail)
        this.#find(`run ${promise.place} was told as failed`);
      if (run !== undefined) await this.#checkRun(run, promise);
      else if (!this.#mayBeGone(runId, promise)) this.#find(`lost: run ${promise.place}`);
    }
    const unknown = [...there.values()].filter(({ runId }) => !runs.has(runId));
    const { arriving } = this.#promises;
    if (unknown.length > (arriving === undefined ? 0 : 1)) this.#find('a run that nobody accepted');
    for (const run of unknown)
      if (arriving !== undefined) await this.#checkRun(run, { ...arriving, told: undefined, committed: 0 });
    return this.#broken;
  }

  #checkDocuments(): void {
    const { keys, retention } = this.#promises;
    const runs = this.#life.folder.settings.value.retention.runs;
    if (retention === 'set' && runs !== keptRuns) this.#find('the settings are lost');
    if (retention === 'default' && runs === keptRuns) this.#find('settings that nobody made');
    const stored = this.#life.folder.keys.value.keys;
    for (const [hash, state] of keys) {
      const key = stored.find((candidate) => candidate.hash === hash);
      if (key === undefined) this.#find('a key is lost');
      else if (state !== 'closing' && (key.revokedAt === null) !== (state === 'open'))
        this.#find(`a key that was ${state} is not`);
    }
    // One more may have been made, of which nobody was told.
    if (stored.length > keys.size + 1) this.#find('keys that nobody made');
  }

  /** Retention takes finished runs that are beyond the newest ones. */
  #mayBeGone(runId: string, { told, place }: RunPromise): boolean {
    if (this.#promises.removed.has(runId)) return true;
    const isOver = told !== undefined && isFinal(told.status);
    return isOver && this.#promises.retention !== 'default' && place + keptRuns <= this.#promises.accepted;
  }

  async #checkRun(run: Run, promise: RunPromise): Promise<void> {
    const name = `run ${promise.place} (${promise.workflowId})`;
    const { told } = promise;
    if (this.#promises.removed.has(run.runId)) this.#find(`${name} was removed, and is back`);
    if (run.rows !== promise.rows) this.#find(`${name} has ${run.rows} rows`);
    if (told !== undefined && isFinal(told.status) && !isDeepStrictEqual(told, run))
      this.#find(`${name} was told as ${told.status}, and is ${run.status} or differs in its record`);
    const counts = await this.#life.folder.runs.readCounts(run.runId);
    if (counts.rowsDone + counts.rowsFailed < promise.committed)
      this.#find(`${name}: committed rows are gone`);
    const status = await this.#untilFinal(run.runId);
    if (this.#mayFail && status === 'failed' && told?.status === 'failed') return;
    const expected = expectedOf(promise);
    if (status !== expected.status) this.#find(`${name} ends ${status}`);
    const outputs = await this.#outputs(run.runId);
    if (JSON.stringify(outputs) !== JSON.stringify(expected.outputs))
      this.#find(`${name} has other outputs: ${JSON.stringify(outputs)}`);
  }

  async #untilFinal(runId: string): Promise<RunStatus> {
    const deadline = performance.now() + longestWaitMs;
    for (;;) {
      const { status } = (await this.#life.runs.get(runId)).run;
      if (isFinal(status)) return status;
      if (status === 'paused') await this.#life.runs.resume(runId);
      if (performance.now() > deadline) return status;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  async #outputs(runId: string): Promise<readonly string[]> {
    const chunks: Uint8Array[] = [];
    for await (const { bytes } of this.#life.runs.readOutputs(runId)) chunks.push(bytes);
    return Buffer.concat(chunks).toString().split('\n').slice(0, -1);
  }

  #find(broken: string): void {
    this.#broken.push(broken);
  }
}

function expectedOf({ workflowId, rows, cancelAt }: RunPromise): {
  status: RunStatus;
  outputs: readonly string[];
} {
  const line = (n: number): string =>
    workflowId === 'skips' && n === 1 ? '' : JSON.stringify({ n, double: n * 2 });
  const outputs = Array.from({ length: cancelAt ?? rows }, (_, n) => line(n));
  return { status: cancelAt === undefined ? 'completed' : 'cancelled', outputs };
}
