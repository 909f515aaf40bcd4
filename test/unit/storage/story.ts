// A life of a data folder, written down as it goes: what it has promised so far, so that any later reader can be held
// to it. Shared by the specs that let disks fail and power go.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Run } from '../../../src-main/domain/run/run.ts';
import type { DataFolder } from '../../../src-main/storage/data-folder.ts';
import {
  linesOf,
  outputLine,
  runOf,
  failuresOf,
  resultsOf,
  rowLine,
  runIdOf,
  textOf,
} from './storage-fixture.ts';

type RunPromise = {
  rows: number;
  /** The record whose save resolved, and the one whose save is under way; without what the intake adds to it. */
  saved: Run;
  saving?: Run;
  /** Rows whose commit resolved. */
  committed: number;
};

export type Promises = {
  readonly runs: Map<string, RunPromise>;
  /** Runs that may be there or not: being accepted or removed. */
  readonly maybe: Map<string, RunPromise>;
  readonly keys: string[];
  readonly snapshots: string[];
};

export const noPromises = (): Promises => ({ runs: new Map(), maybe: new Map(), keys: [], snapshots: [] });

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Lives the story to its end, or to the first call that throws. */
export async function live(folder: DataFolder, promises: Promises): Promise<void> {
  await addKey(folder, promises, 'first');
  await keepSnapshot(folder, promises, 'rowbench: 1');
  await accept(folder, promises, 1, 12);
  await execute(folder, promises, { n: 1, commits: [4, 9, 12] });
  await addKey(folder, promises, 'second');
  await accept(folder, promises, 2, 3);
  await save(folder, promises, { ...runOf(2, 3), fruitlessRecoveries: 1 });
  await save(folder, promises, { ...runOf(2, 3), fruitlessRecoveries: 2 });
  await abandon(folder, 3);
  await accept(folder, promises, 4, 10);
  await execute(folder, promises, { n: 4, commits: [10] });
  await remove(folder, promises, 1);
}

async function addKey(folder: DataFolder, promises: Promises, name: string): Promise<void> {
  const key = {
    id: name,
    name,
    hash: hashOf(name),
    last4: 'abcd',
    workflows: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastUsedAt: null,
    calls: 0,
    revokedAt: null,
  };
  await folder.keys.update((file) => ({ ...file, keys: [...file.keys, key] }));
  promises.keys.push(name);
}

async function keepSnapshot(folder: DataFolder, promises: Promises, text: string): Promise<void> {
  await folder.snapshots.put(hashOf(text), text, 'workflow');
  promises.snapshots.push(text);
}

async function accept(folder: DataFolder, { runs, maybe }: Promises, n: number, rows: number): Promise<void> {
  const run = runOf(n, rows);
  const promise = { rows, saved: run, committed: 0 };
  const intake = await folder.runs.beginIntake(run.runId);
  try {
    await intake.write(Buffer.from(linesOf(rowLine, 1, 2)));
    await intake.write(Buffer.from(linesOf(rowLine, 3, rows)));
    maybe.set(run.runId, promise);
    await intake.commit(run);
    runs.set(run.runId, promise);
    maybe.delete(run.runId);
  } catch (error) {
    await intake.abandon();
    throw error;
  }
}

async function save(folder: DataFolder, { runs }: Promises, run: Run): Promise<void> {
  const promise = runs.get(run.runId);
  if (promise === undefined) throw new Error('the story saves only what it accepted');
  promise.saving = run;
  await folder.runs.save(run);
  promise.saved = run;
}

/** @param commits the last rows of each; the last of all is the run's */
async function execute(
  folder: DataFolder,
  promises: Promises,
  { n, commits }: { readonly n: number; readonly commits: readonly number[] },
): Promise<void> {
  const rows = commits.at(-1) ?? 0;
  const run = runOf(n, rows);
  await save(folder, promises, { ...run, status: 'running', finishedAt: null });
  const promise = promises.runs.get(run.runId);
  const outputs = await folder.runs.openOutputs(run.runId, rows);
  try {
    for (const last of commits) {
      await outputs.commit(resultsOf(outputs.committedRows + 1, last));
      // What has all rows of a compact run lasts once the record is saved.
      if (promise !== undefined && commits.length > 1) promise.committed = last;
    }
  } finally {
    await outputs.close();
  }
  await save(folder, promises, {
    ...run,
    status: 'completed',
    finishedAt: '2026-01-01T00:00:01.000Z',
    counts: { rowsDone: rows - 2, rowsFailed: 2 },
  });
  if (promise !== undefined) promise.committed = rows;
}

async function abandon(folder: DataFolder, n: number): Promise<void> {
  const intake = await folder.runs.beginIntake(runIdOf(n));
  await intake.write(Buffer.from(linesOf(rowLine, 1, 2)));
  await intake.abandon();
}

async function remove(folder: DataFolder, { runs, maybe }: Promises, n: number): Promise<void> {
  const runId = runIdOf(n);
  const promise = runs.get(runId);
  if (promise !== undefined) maybe.set(runId, promise);
  runs.delete(runId);
  const failure = (await folder.runs.removeAll([runId])).get(runId);
  if (failure !== undefined) throw failure;
  maybe.delete(runId);
}

/** Holds a folder, opened again, to what was promised before. */
export async function expectKept(folder: DataFolder, promises: Promises): Promise<void> {
  expect(folder.notices).toEqual([]);
  const keys = folder.keys.value.keys.map((key) => key.name);
  expect(keys.slice(0, promises.keys.length)).toEqual(promises.keys);
  expect(keys.length).toBeLessThanOrEqual(promises.keys.length + 1);
  for (const text of promises.snapshots) expect(await folder.snapshots.get(hashOf(text))).toBe(text);

  const ids = await folder.runs.listIds();
  expect(ids).toEqual(expect.arrayContaining([...promises.runs.keys()]));
  for (const runId of ids) {
    const promise = promises.runs.get(runId) ?? promises.maybe.get(runId);
    if (promise === undefined) throw new Error(`${runId} was never accepted, or is removed`);
    await expectRunKept(folder, runId, promise);
  }
}

async function expectRunKept(folder: DataFolder, runId: string, promise: RunPromise): Promise<void> {
  const record: Partial<Run> = { ...(await folder.runs.read(runId)) };
  delete record.rowsCrc;
  expect([promise.saved, promise.saving]).toContainEqual(record);
  expect(await textOf(folder.runs.readRows(runId))).toBe(linesOf(rowLine, 1, promise.rows));
  const outputs = await folder.runs.openOutputs(runId, promise.rows);
  const { committedRows } = outputs;
  expect(committedRows).toBeGreaterThanOrEqual(promise.committed);
  expect(await textOf(folder.runs.readOutputs(runId))).toBe(linesOf(outputLine, 1, committedRows));
  if (committedRows < promise.rows) await outputs.commit(resultsOf(committedRows + 1, promise.rows));
  await outputs.close();
  expect(await textOf(folder.runs.readOutputs(runId))).toBe(linesOf(outputLine, 1, promise.rows));
  expect(await folder.runs.readStates(runId, 1, promise.rows)).toHaveLength(promise.rows);
  expect(await folder.runs.readFailures(runId, 100)).toEqual(failuresOf(promise.rows));
  expect(folder.notices).toEqual([]);
}
