// What a user does in a few minutes, told to the services of one life: keys, settings, runs that complete, fail rows,
// are paused, resumed and cancelled, and old ones that retention removes. Written down as it goes: what was promised.
import { createHash } from 'node:crypto';
import { AppError } from '../../../src-main/base/app-error.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import type { Run } from '../../../src-main/domain/run/run.ts';
import type { Scenario } from '../../../src-main/domain/scenarios/scenario.ts';
import type { RunFact } from '../../../src-main/services/run-service.ts';
import type { ProductLife } from './product-life.ts';

const nodes = (middle: string): string => `nodes:
  - { id: input, type: input }
  - ${middle}
  - { id: result, type: output, after: [middle], fields: { n: "=row.n", double: "=row.n * 2" } }
`;

/** `waits` commits row by row. */
export const storyWorkflows = {
  quick: `rowbench: 1\nid: quick\n${nodes('{ id: middle, type: set, values: { n: "=row.n" } }')}`,
  waits: `rowbench: 1\nid: waits\nconcurrency: 1\n${nodes('{ id: middle, type: delay, for: 1s }')}`,
  skips: `rowbench: 1\nid: skips\nonRowError: skip\n${nodes('{ id: middle, type: fail, message: "no", rows: [2] }')}`,
} as const;
type StoryWorkflow = keyof typeof storyWorkflows;

/** Finished runs that the story's settings keep. */
export const keptRuns = 2;

export type RunPromise = {
  readonly workflowId: StoryWorkflow;
  readonly rows: number;
  readonly cancelAt: number | undefined;
  /** The place in the order of acceptance. */
  readonly place: number;
  /** What was told of the run last. */
  told: Run | undefined;
  committed: number;
};

export type Promises = {
  readonly runs: Map<string, RunPromise>;
  /** Rows are being accepted, for which nobody has a word yet. */
  arriving: Omit<RunPromise, 'told' | 'committed'> | undefined;
  accepted: number;
  /** Hashes of keys that were handed out, and whether their end was promised. */
  readonly keys: Map<string, 'open' | 'closing' | 'closed'>;
  retention: 'default' | 'under way' | 'set';
  readonly removed: Set<string>;
};

export const noPromises = (): Promises => ({
  runs: new Map(),
  arriving: undefined,
  accepted: 0,
  keys: new Map(),
  retention: 'default',
  removed: new Set(),
});

/** An error that is none of the product's own words: nobody could be told what it means. */
export type Failed = { readonly at: string; readonly error: unknown };

/** Lives the story to its end, past whatever fails on the way; gives what failed. */
export async function live(life: ProductLife, promises: Promises): Promise<readonly Failed[]> {
  const failed: Failed[] = [];
  const teller = new Teller(life, promises);
  const attempt = async <T>(at: string, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      failed.push({ at, error });
      return undefined;
    }
  };
  await attempt('recovery', () => life.runs.recover());
  await attempt('settings', () => teller.setRetention());
  const key = await attempt('first key', () => teller.makeKey('first'));
  await attempt('quick run', () => teller.runToEnd('quick', 5));
  await attempt('paused run', () => teller.runPaused(4));
  if (key !== undefined) await attempt('revoke', () => teller.revoke(key));
  await attempt('skipping run', () => teller.runToEnd('skips', 3));
  await attempt('cancelled run', () => teller.runToEnd('waits', 4, 2));
  await attempt('second key', () => teller.makeKey('second'));
  await attempt('retention', () => teller.awaitRemovals());
  // Into a file that another run left, where it has one.
  await attempt('later run', () => teller.runToEnd('quick', 2));
  return failed;
}

class Teller {
  readonly #life: ProductLife;
  readonly #promises: Promises;

  constructor(life: ProductLife, promises: Promises) {
    this.#life = life;
    this.#promises = promises;
    life.runs.facts.listen((fact) => this.#hear(fact));
    life.runs.retention.removals.listen((runId) => void promises.removed.add(runId));
  }

  async setRetention(): Promise<void> {
    this.#promises.retention = 'under way';
    await this.#life.settings.change({ retention: { runs: keptRuns, days: 30 } });
    this.#promises.retention = 'set';
  }

  async makeKey(name: string): Promise<{ id: string; hash: string }> {
    const { key, secret } = await this.#life.keys.create({ name, workflows: null });
    const hash = createHash('sha256').update(secret).digest('hex');
    this.#promises.keys.set(hash, 'open');
    return { id: key.id, hash };
  }

  async revoke({ id, hash }: { id: string; hash: string }): Promise<void> {
    this.#promises.keys.set(hash, 'closing');
    await this.#life.keys.revoke(id);
    this.#promises.keys.set(hash, 'closed');
  }

  async runToEnd(workflowId: StoryWorkflow, rows: number, cancelAt?: number): Promise<void> {
    const scenario = cancelAt === undefined ? {} : { 'cancel-at': { row: cancelAt } };
    const run = await this.#accept(workflowId, rows, scenario);
    await this.#until(run.runId, ({ status }) => isFinal(status));
  }

  async runPaused(rows: number): Promise<void> {
    const run = await this.#accept('waits', rows, { 'pause-at': { row: 2 } });
    await this.#until(run.runId, ({ status }) => status === 'paused');
    await this.#life.runs.resume(run.runId);
    await this.#until(run.runId, ({ status }) => isFinal(status));
  }

  async awaitRemovals(): Promise<void> {
    this.#life.passDay();
    const { runs, removed, retention } = this.#promises;
    const finished = [...runs.values()].filter(({ told }) => told !== undefined && isFinal(told.status));
    const expected = retention === 'set' ? finished.length - keptRuns : 0;
    // It has had its say while the last runs ended.
    await this.#wait('old runs are removed', () => removed.size >= expected, 0);
  }

  async #accept(workflowId: StoryWorkflow, rows: number, scenario: Scenario): Promise<Run> {
    const workflow = await this.#life.workflows.find(workflowId);
    if (workflow === undefined) throw new Error(`no workflow ${workflowId}`);
    const place = (this.#promises.accepted += 1);
    const draft = await this.#life.runs.beginRun({ workflow, origin: { kind: 'cli' }, inputs: { scenario } });
    try {
      for (let n = 0; n < rows; n += 1) await draft.write(Buffer.from(`${JSON.stringify({ n })}\n`));
      this.#promises.arriving = { workflowId, rows, cancelAt: scenario['cancel-at'] && 2, place };
      const run = await draft.accept(rows);
      const told = this.#promises.runs.get(run.runId);
      if (told === undefined) throw new Error('accepted, and told to nobody');
      return run;
    } catch (error) {
      await draft.abandon();
      throw error;
    }
  }

  #hear({ run, counts }: RunFact): void {
    const { runs, arriving } = this.#promises;
    const promise = runs.get(run.runId);
    const committed = counts.rowsDone + counts.rowsFailed;
    if (promise !== undefined) {
      promise.told = run;
      promise.committed = Math.max(promise.committed, committed);
    } else if (arriving !== undefined) {
      runs.set(run.runId, { ...arriving, told: run, committed });
      this.#promises.arriving = undefined;
    }
  }

  async #until(runId: string, holds: (run: Run) => boolean): Promise<void> {
    await this.#wait(`run ${runId}`, () => {
      const told = this.#promises.runs.get(runId)?.told;
      return told !== undefined && holds(told);
    });
  }

  /** Ends early when something was told: then nobody waits in vain. */
  async #wait(what: string, isSo: () => boolean, toldBefore = this.#life.told.length): Promise<void> {
    const deadline = performance.now() + longestWaitMs;
    while (!isSo()) {
      if (this.#life.folder.health.degraded) throw new Told(`${what}: the store is degraded`);
      if (this.#life.told.length > toldBefore) throw new Told(`${what}: ${this.#life.told.at(-1)}`);
      if (performance.now() > deadline) throw new Error(`${what}: nothing happens, and nobody is told`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

const longestWaitMs = 10_000;

/** A person was told why something does not come about. */
class Told extends Error {}

/** Failures that nobody was told of in words. */
export const untold = (failed: readonly Failed[]): readonly Failed[] =>
  failed.filter(({ error }) => !(error instanceof AppError || error instanceof Told));
