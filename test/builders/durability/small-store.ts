// A small `rowbench.db` with runs of all kinds, and everything that can be read from it, for a comparison after damage.
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src-main/base/app-error.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { moveRun } from '../../../src-main/domain/run/run.ts';
import { nodeFileSystem } from '../../../src-main/files/node-file-system.ts';
import type { RunStores } from '../../../src-main/storage/runs/open-run-stores.ts';
import { databaseName } from '../../../src-main/storage/runs/run-database.ts';
import { openForReading } from '../../../src-main/storage/sqlite/open-database.ts';
import { StoreHealth } from '../../../src-main/storage/runs/store-health.ts';
import { withRunStores } from '../run-stores.ts';
import { openMemoryStores } from '../store-thread-double.ts';
import { linesOf, resultsOf, rowLine, runIdOf, runOf, textOf } from '../stored-rows.ts';

type SmallStore = {
  readonly bytes: Buffer;
  /** Ids of the stored runs. */
  readonly runIds: readonly string[];
};

const at = '2026-01-01T00:00:01.000Z';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Rows of each run; they are several pages long. */
const rowsOfRuns = [40, 30, 25, 40, 20];
/** The run whose rows have numbers of their own and reuse values. */
const rerun = 3;
const setName = 'kept';

/** Stores runs in the data folder, in several commits each, and a row set. */
export async function makeSmallStore(dataDir: string): Promise<SmallStore> {
  await withRunStores(dataDir, async ({ runs, snapshots, rowSets }) => {
    for (const [index, rows] of rowsOfRuns.entries()) {
      const n = index + 1;
      const text = `text of a workflow ${n} ${'y'.repeat(300)}`;
      await snapshots.put(hashOf(text), text, 'workflow');
      const run = runOf(n, rows, { workflowHash: hashOf(text) });
      const writer = await runs.openRunWriter();
      const bytes = Buffer.from(linesOf(rowLine, 1, rows));
      if (n === rerun) {
        const numbers = Array.from({ length: rows }, (_, row) => 2 * row + 1);
        const reused = Buffer.from(linesOf((row) => `{"reused":${row}}\n`, 1, rows));
        await writer.append({ bytes, numbers, reused });
      } else await writer.append({ bytes });
      await writer.commit(run);
      const results = await runs.openResults(run.runId, true);
      const half = Math.floor(rows / 2);
      await results.commit(resultsOf(1, half));
      const last = resultsOf(half + 1, rows);
      const counts = results.countsWith(last);
      const started = moveRun(run, 'start', { at, counts: results.counts });
      await results.commit(last, moveRun(started, 'complete', { at, counts }));
    }
    const draft = await rowSets.openWriter();
    await draft.write(Buffer.from(linesOf(rowLine, 1, 20)));
    await draft.commit({ workflowId: 'w', name: setName, rows: 20, savedAt: '2026-01-01T00:00:00.000Z' });
  });
  const bytes = await readFile(join(dataDir, databaseName));
  return { bytes, runIds: rowsOfRuns.map((_, index) => runIdOf(index + 1)) };
}

/** A value that is refused, with the reason. */
export class Refused {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Everything that the store answers for, by names that begin with the run's id. */
export type StoreContents = Readonly<Record<string, unknown>>;

/** The facts of a closed file, read by the product's own code in this thread. Throws what opening it throws. */
export async function contentsOf(path: string, runIds: readonly string[]): Promise<StoreContents> {
  const database = await openForReading(path);
  try {
    const stores = await openMemoryStores(database, {
      health: new StoreHealth(silentLog),
      fileSystem: nodeFileSystem,
      path,
      isReadOnly: true,
    });
    const contents: Record<string, unknown> = {
      list: await read(async () => (await stores.runs.list({})).map(({ run }) => run.runId)),
      ...(await rowSetContents(stores)),
    };
    for (const runId of runIds) Object.assign(contents, await runContents(stores, runId));
    return contents;
  } finally {
    database.close();
  }
}

async function rowSetContents({ rowSets }: RunStores): Promise<StoreContents> {
  const set = (await rowSets.list()).find(({ name }) => name === setName);
  if (set === undefined) return { 'row set': new Refused('it is not in the list') };
  return { 'row set': set.rows, 'row set: rows': await read(() => textOf(rowSets.readRows(set.id))) };
}

async function runContents({ runs, snapshots }: RunStores, runId: string): Promise<StoreContents> {
  const n = Number(runId.slice(-4));
  const rows = rowsOfRuns[n - 1] ?? 0;
  const reads: Record<string, () => Promise<unknown>> = {
    record: async () => (await runs.find(runId))?.run,
    counts: () => runs.readCounts(runId),
    statistics: () => runs.readStatistics(runId),
    text: async () => {
      const hash = (await runs.find(runId))?.run.workflowHash;
      return hash === undefined ? undefined : snapshots.get(hash);
    },
    rows: () => textOf(runs.readRows(runId)),
    outputs: () => textOf(runs.readOutputs(runId, rows)),
    states: () => runs.readStates(runId, 1, rows),
    failures: () => runs.readFailures(runId, rows),
    traces: async () => {
      const found: unknown[] = [];
      for await (const line of runs.readTraces(runId, 1, 2 * rows)) found.push(line);
      return found;
    },
    ...(n === rerun
      ? { numbers: () => runs.readRowNumbers(runId, 1, rows), reused: () => reusedBy(runs, runId, rows) }
      : {}),
  };
  const entries = await Promise.all(
    Object.entries(reads).map(async ([name, find]) => [`run ${n}: ${name}`, await read(find)] as const),
  );
  return Object.fromEntries(entries);
}

/** The values that the executor gets. */
async function reusedBy(runs: RunStores['runs'], runId: string, rows: number): Promise<string> {
  const reader = runs.openReader({ runId, rows }, 0);
  const found: Uint8Array[] = [];
  try {
    for (
      let part = await reader.next(100, 100_000);
      part !== undefined;
      part = await reader.next(100, 100_000)
    )
      found.push(part.reusedValues ?? new Uint8Array());
  } finally {
    await reader.close();
  }
  return Buffer.concat(found).toString();
}

async function read(find: () => Promise<unknown>): Promise<unknown> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof AppError && error.code === 'data_unreadable') return new Refused(error.message);
    throw error;
  }
}

/** Writes a database file that no process has, without a write-ahead log. */
export async function writeStore(path: string, bytes: Uint8Array): Promise<void> {
  for (const log of ['-wal', '-shm']) await rm(path + log, { force: true });
  await writeFile(path, bytes);
}
