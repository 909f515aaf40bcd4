// `rowbench.db` after a crash, after a newer version, and with bytes that changed on the disk.
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Condition } from '../../src-main/domain/query/row-selection.ts';
import { AppError } from '../../src-main/base/app-error.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import type { Run } from '../../src-main/domain/run/run.ts';
import { openStoredRuns } from '../../src-main/storage/runs/open-run-stores.ts';
import { databaseName } from '../../src-main/storage/runs/run-database.ts';
import { openForWriting, pragma } from '../../src-main/storage/sqlite/open-database.ts';
import { formatNumber } from '../../src-main/storage/sqlite/schema.ts';
import { damageResults } from '../builders/damaged-results.ts';
import { queryDatabase } from '../builders/query-database.ts';
import { openStores, storageThread, withRunStores, type OpenedStores } from '../builders/run-stores.ts';
import {
  failuresOf,
  linesOf,
  outputLine,
  resultOf,
  resultsOf,
  rowLine,
  runIdOf,
  runOf,
  textOf,
} from '../builders/stored-rows.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const workflow = 'rowbench: 1';
const workflowHash = createHash('sha256').update(workflow).digest('hex');
const rows = 60;
const recordOf = (n: number): Run => ({
  ...runOf(n, rows, { workflowHash }),
  status: 'completed',
  finishedAt: '2026-01-01T00:00:01.000Z',
  counts: { rowsDone: 48, rowsFailed: 12 },
});

/** Three runs with all their results, committed in three steps, and a row set. */
async function fill({ runs, snapshots, rowSets }: OpenedStores): Promise<void> {
  await snapshots.put(workflowHash, workflow, 'workflow');
  for (const n of [1, 2, 3]) {
    const writer = await runs.openRunWriter();
    await writer.append({ bytes: Buffer.from(linesOf(rowLine, 1, rows)) });
    await writer.commit(runOf(n, rows, { workflowHash }));
    const results = await runs.openResults(runIdOf(n), true);
    await results.commit(resultsOf(1, 20));
    await results.commit(resultsOf(21, 40));
    await results.commit(resultsOf(41, rows), recordOf(n));
  }
  const set = await rowSets.openWriter();
  await set.write(Buffer.from(linesOf(rowLine, 1, rows)));
  await set.commit({ workflowId: 'w', name: 'kept', rows, savedAt: '2026-01-01T00:00:00.000Z' });
}

/** Everything that is stored of run `n`; the code of the error for what cannot be read. */
async function readRun({ runs }: OpenedStores, n: number): Promise<Record<string, unknown>> {
  const id = runIdOf(n);
  const orCode = <T>(read: Promise<T>): Promise<unknown> =>
    read.catch((error: unknown) => (error instanceof AppError ? error.code : String(error)));
  return {
    record: await orCode(runs.find(id)),
    rows: await orCode(textOf(runs.readRows(id))),
    outputs: await orCode(textOf(runs.readOutputs(id, rows))),
    pieces: await orCode(textOf(runs.readOutputPieces(id, rows))),
    states: await orCode(
      runs.readStates(id, 1, rows).then((states) => states.map((state) => state.durationMicros)),
    ),
    failures: await orCode(runs.readFailures(id, 100)),
  };
}

const wholeRun = (n: number): Record<string, unknown> => ({
  record: { run: recordOf(n), counts: { rowsDone: 48, rowsFailed: 12 } },
  rows: linesOf(rowLine, 1, rows),
  outputs: linesOf(outputLine, 1, rows),
  pieces: linesOf(outputLine, 1, rows),
  states: Array.from({ length: rows }, (_, index) => index + 1),
  failures: failuresOf(rows),
});

let whole: Buffer | undefined;

/** A folder that holds a closed store with these bytes. */
async function folderWith(bytes: Uint8Array): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, databaseName), bytes);
  return folder;
}

/** The file of a closed store. */
async function wholeFile(): Promise<Buffer> {
  if (whole === undefined) {
    const folder = await temporaryFolder();
    await withRunStores(folder, fill);
    whole = await readFile(join(folder, databaseName));
  }
  return Buffer.from(whole);
}

it('a store is read as it was left', async () => {
  await withRunStores(await folderWith(await wholeFile()), async (stores) => {
    for (const n of [1, 2, 3]) expect(await readRun(stores, n)).toEqual(wholeRun(n));
  });
});

it('what was acknowledged is there after a crash', async () => {
  const folder = await temporaryFolder();
  const copy = await temporaryFolder();
  await withRunStores(folder, async (stores) => {
    await fill(stores);
    const arriving = await stores.runs.openRunWriter();
    await arriving.append({ bytes: Buffer.from(linesOf(rowLine, 1, 5000)) });
    // A killed process leaves its files as they are at that moment.
    for (const name of [databaseName, `${databaseName}-wal`])
      await copyFile(join(folder, name), join(copy, name));
    await arriving.abandon();
  });
  expect((await stat(join(copy, `${databaseName}-wal`))).size).toBeGreaterThan(0);
  await withRunStores(copy, async (stores) => {
    expect(await stores.runs.list({})).toHaveLength(3);
    for (const n of [1, 2, 3]) expect(await readRun(stores, n)).toEqual(wholeRun(n));
    expect(await stores.rowSets.list()).toMatchObject([{ name: 'kept', rows }]);
  });
});

describe('a changed byte', () => {
  it.each([
    ['rows', ['rows']],
    ['outputs', ['outputs', 'pieces']],
    ['states', ['states']],
    ['traces', ['failures']],
    ['record', ['record']],
  ] as const)('changed %s are refused, what else is stored is read', async (part, refused) => {
    const folder = await folderWith(await wholeFile());
    await damageResults(folder, runIdOf(2), part);
    await withRunStores(folder, async (stores) => {
      for (const n of [1, 3]) expect(await readRun(stores, n)).toEqual(wholeRun(n));
      const unreadable = Object.fromEntries(refused.map((name) => [name, 'data_unreadable']));
      expect(await readRun(stores, 2)).toEqual({ ...wholeRun(2), ...unreadable });
      expect(stores.folder.health.degraded).toBe(false);
    });
  });

  it.each(['rows', 'outputs', 'states'] as const)('changed %s cannot be selected', async (part) => {
    const folder = await folderWith(await wholeFile());
    await damageResults(folder, runIdOf(2), part);
    await withRunStores(folder, async ({ queries }) => {
      const name = { rows: 'row', outputs: 'output', states: '' }[part];
      const column = { of: part === 'rows' ? 'input' : 'output', name } as const;
      const condition: Condition =
        part === 'states'
          ? { of: 'state', states: ['failed'] }
          : { of: 'column', column, test: { is: 'notEmpty' } };
      const select = (n: number) =>
        queries.select([runIdOf(n)], { selection: { conditions: [condition] }, from: 1, count: 1 });
      await expect(select(2)).rejects.toMatchObject({ code: 'data_unreadable' });
      expect(await select(1)).toMatchObject({ isReady: true, rows: [{}] });
    });
  });

  it.each(['rows', 'outputs'] as const)('a run with changed %s hides no hits of other runs', async (part) => {
    const folder = await folderWith(await wholeFile());
    await damageResults(folder, runIdOf(2), part);
    await withRunStores(folder, async ({ queries }) => {
      const of = part === 'rows' ? 'input' : 'output';
      const page = await queries.find({ text: '60', limit: 100, of: 'input' });
      expect(page.hits.map(({ runId }) => runId)).toEqual(
        part === 'rows' ? [runIdOf(3), runIdOf(1)] : [runIdOf(3), runIdOf(2), runIdOf(1)],
      );
      const { unreadableRuns, runs, runsSearched } = await queries.find({ text: 'none', limit: 1, of });
      expect({ unreadableRuns, runs, runsSearched }).toEqual({
        unreadableRuns: [runIdOf(2)],
        runs: 3,
        runsSearched: 3,
      });
    });
  });

  it('a run whose record changed is left out of lists', async () => {
    const folder = await folderWith(await wholeFile());
    await damageResults(folder, runIdOf(2), 'record');
    await withRunStores(folder, async ({ runs }) => {
      expect((await runs.list({})).map(({ run }) => run.runId)).toEqual([runIdOf(3), runIdOf(1)]);
    });
  });

  it('an unfinished run whose record changed is named at the start', async () => {
    const folder = await temporaryFolder();
    await withRunStores(folder, async ({ runs, snapshots }) => {
      await snapshots.put(workflowHash, workflow, 'workflow');
      for (const n of [1, 2]) await (await runs.openRunWriter()).commit(runOf(n, 0, { workflowHash }));
    });
    await damageResults(folder, runIdOf(1), 'record');
    await withRunStores(folder, async ({ runs }) => {
      expect(await runs.listUnfinished()).toMatchObject([
        { runId: runIdOf(1), problem: expect.stringContaining(runIdOf(1)) as string },
        { run: { runId: runIdOf(2) } },
      ]);
    });
  });

  it('a changed text of a workflow is refused', async () => {
    const folder = await folderWith(await wholeFile());
    const database = await openForWriting(join(folder, databaseName));
    database.exec(`update snapshots set text = 'rowbench: 2'`);
    database.close();
    await withRunStores(folder, async ({ snapshots }) => {
      await expect(snapshots.get(workflowHash)).rejects.toMatchObject({ code: 'data_unreadable' });
    });
  });

  it('changed rows of a set are refused', async () => {
    const folder = await folderWith(await wholeFile());
    const database = await openForWriting(join(folder, databaseName));
    database.exec(
      `update row_batches set lines = cast(replace(cast(lines as text), '"row":40', '"row":41') as blob)`,
    );
    database.close();
    await withRunStores(folder, async ({ rowSets }) => {
      const [set] = await rowSets.list();
      await expect(textOf(rowSets.readRows(set?.id ?? ''))).rejects.toMatchObject({
        code: 'data_unreadable',
      });
    });
  });
});

describe('a batch that is missing', () => {
  it('an output that lost a piece is refused', async () => {
    const folder = await temporaryFolder();
    const large = Buffer.from(`{"text":"${'x'.repeat(3_000_000)}"}\n`);
    await withRunStores(folder, async ({ runs, snapshots }) => {
      await snapshots.put(workflowHash, workflow, 'workflow');
      const writer = await runs.openRunWriter();
      for (let at = 0; at < large.length; at += 100_000)
        await writer.append({ bytes: large.subarray(at, at + 100_000) });
      await writer.commit(runOf(1, 1, { workflowHash }));
      const results = await runs.openResults(runIdOf(1), true);
      await results.commit(resultOf(large.toString()));
    });
    await queryDatabase(folder, ['delete from pieces where piece = (select max(piece) from pieces)']);
    await withRunStores(folder, async (stores) => {
      expect(await readRun(stores, 1)).toMatchObject({
        rows: 'data_unreadable',
        outputs: 'data_unreadable',
        pieces: 'data_unreadable',
      });
    });
  });

  it('a set that lost rows is refused, and makes no shorter run', async () => {
    const folder = await temporaryFolder();
    const id = await withRunStores(folder, async ({ rowSets }) => {
      const writer = await rowSets.openWriter();
      await writer.write(Buffer.from(linesOf(rowLine, 1, 3000)));
      return (
        await writer.commit({
          workflowId: 'w',
          name: 'kept',
          rows: 3000,
          savedAt: '2026-01-01T00:00:00.000Z',
        })
      ).id;
    });
    await queryDatabase(folder, ['delete from row_batches where id = (select max(id) from row_batches)']);
    await withRunStores(folder, async ({ rowSets }) => {
      await expect(textOf(rowSets.readRows(id))).rejects.toMatchObject({ code: 'data_unreadable' });
    });
  });
});

it('a text is not said to be stored while its storing may still fail', async () => {
  await withRunStores(await temporaryFolder(), async ({ snapshots, folder }) => {
    folder.health.degrade(new Error('the disk is gone'));
    const put = () => snapshots.put(workflowHash, workflow, 'workflow');
    const outcomes = await Promise.allSettled([put(), put()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('a file that cannot be used', () => {
  it('a file of a newer version is refused with the number of its format, and keeps its runs', async () => {
    const folder = await folderWith(await wholeFile());
    const database = await openForWriting(join(folder, databaseName));
    database.exec(`pragma user_version = ${formatNumber + 1}`);
    database.close();
    await expect(openStores(folder)).rejects.toMatchObject({
      code: 'data_unreadable',
      message: expect.stringContaining(`rowbench.db has format ${formatNumber + 1}`) as string,
    });
    const reading = openStoredRuns(folder, { script: storageThread, clock: systemClock, log: silentLog });
    await expect(reading).rejects.toMatchObject({
      message: expect.stringContaining(`rowbench.db has format ${formatNumber + 1}`) as string,
    });
    const again = await openForWriting(join(folder, databaseName));
    expect([pragma(again, 'user_version'), again.prepare('select run_id from runs').all()]).toMatchObject([
      formatNumber + 1,
      { length: 3 },
    ]);
    again.close();
  });

  it('a file that is no database is refused, and stays as it is', async () => {
    const folder = await folderWith(Buffer.from('shopping list\n'.repeat(500)));
    await expect(openStores(folder)).rejects.toMatchObject({ code: 'data_unreadable' });
    expect((await readFile(join(folder, databaseName), 'latin1')).startsWith('shopping list')).toBe(true);
  });

  it('a folder in the place of the file is refused', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, databaseName));
    await expect(openStores(folder)).rejects.toMatchObject({ code: 'data_unreadable' });
  });

  it('a folder whose store was refused can be opened once the file is there again', async () => {
    const folder = await folderWith(Buffer.from('shopping list\n'.repeat(500)));
    await expect(openStores(folder)).rejects.toMatchObject({ code: 'data_unreadable' });
    await writeFile(join(folder, databaseName), await wholeFile());
    await withRunStores(folder, async ({ runs }) => expect(await runs.list({})).toHaveLength(3));
  });
});

it('the file is the user’s own alone', async () => {
  const folder = await temporaryFolder();
  const before = process.umask(0);
  try {
    await withRunStores(folder, async (stores) => {
      await fill(stores);
      for (const name of [databaseName, `${databaseName}-wal`, `${databaseName}-shm`])
        expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600);
    });
  } finally {
    process.umask(before);
  }
});
