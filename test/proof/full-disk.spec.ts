// The real server on a disk that fills up, on one that takes no more writes, and on one that is read-only. The server
// reports the problem, accepts nothing that it cannot store, and still returns its data. Once a full disk has room,
// accepted runs continue and new ones are accepted, without a restart.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { createControlClient } from '../../src-main/app/control-client.ts';
import { AppError } from '../../src-main/base/app-error.ts';
import { databaseName } from '../../src-main/storage/runs/run-database.ts';
import { readServerInfo } from '../../src-main/storage/documents/server-info-file.ts';
import { nodeFileSystem } from '../../src-main/files/node-file-system.ts';
import { callApi, finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import { filesOf } from '../builders/durability/all-files.ts';
import { limitFileSize } from '../builders/durability/limit-file-size.ts';
import { mountSmallDisk, type SmallDisk } from '../builders/durability/small-disk.ts';
import { changeDatabase, problemsIn, readDatabase } from '../builders/durability/stored-database.ts';
import { having, openDoor, type Plant } from '../builders/open-door.ts';
import { runCliProcess } from '../builders/run-cli.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { isLong, timeoutMs, report } from './length.ts';

/** Room for a run to begin (200 MB), and not much more. */
const megabytes = 230;
/** Time for which the disk stays full during a run. A call waits for room for 30 s at most. */
const fullMs = isLong ? 40_000 : 3000;
const noMount = 'this user may not mount a file system';

/** `slow` takes its time, and each row's output is more than a page of the disk. */
const workflowText = (id: string, wait: string): string => `rowbench: 1
id: ${id}
concurrency: 1
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: ${wait} }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n", text: "=row.text" } }
`;
const rowsOf = (count: number): unknown[] =>
  Array.from({ length: count }, (_, n) => ({ n, text: 'x'.repeat(6000) }));

async function prepare(disk: SmallDisk): Promise<() => Promise<ServerProcess>> {
  const workflows = join(await temporaryFolder(), 'workflows');
  await mkdir(workflows);
  for (const [id, wait] of [
    ['quick', '1ms'],
    ['other', '1ms'],
    ['slow', '600ms'],
  ] as const)
    await writeFile(join(workflows, `${id}.workflow.yaml`), workflowText(id, wait));
  return () => startServerProcess({ dataDir: join(disk.path, 'data'), workflows });
}

type SkipTest = (note: string) => never;

/** A disk with a server on it. Skips the test where a disk cannot be mounted. @param start starts a server on the same disk */
async function startOnDisk(skip: SkipTest, size = megabytes) {
  const disk = (await mountSmallDisk(size)) ?? skip(noMount);
  const start = await prepare(disk);
  return { disk, start, server: await start() };
}

async function finishedRun(url: string): Promise<string> {
  const runId = await trigger(url, 'quick', rowsOf(2));
  expect((await finalStatus(url, { workflowId: 'quick', runId })).status).toBe('completed');
  return runId;
}

const answerOf = async (url: string, workflowId = 'quick') => {
  const { status, headers, body } = await callApi(url, `/api/v1/workflows/${workflowId}/runs/async`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"rows":[{"n":1}]}',
  });
  return { status, retryAfter: headers.get('retry-after'), error: body['error'] };
};

async function controlOf(disk: SmallDisk, url: string) {
  const info = await readServerInfo(join(disk.path, 'data'));
  return createControlClient({ url, token: info?.controlToken ?? '' });
}

/** Why a key cannot be made. */
async function keyRefusal(disk: SmallDisk, url: string): Promise<unknown> {
  const call = await controlOf(disk, url);
  return call('key.create', { name: 'one more', workflows: null }).then(
    () => 'none',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
}

const outputsOf = async (url: string, workflowId: string, runId: string): Promise<unknown[]> =>
  Object.values(await outputOf(url, workflowId, runId));

/** Why new rows and keys are refused. */
type Refusal = { readonly error: RegExp; readonly code: string };
const full: Refusal = { error: /disk/, code: 'disk_full' };
const degraded: Refusal = { error: /could not be written/, code: 'store_degraded' };

/** Faults in words of a server whose disk takes no more writes. @param kept id of a run that has ended */
async function faultsOf(
  disk: SmallDisk,
  url: string,
  { finishedRunId, error, code }: Refusal & { readonly finishedRunId: string },
): Promise<readonly string[]> {
  const answer = await answerOf(url);
  const isRefused = answer.status === 503 && answer.retryAfter === '30' && error.test(String(answer.error));
  const refusal = await keyRefusal(disk, url);
  return [
    ...(isRefused ? [] : [`new rows are answered with ${JSON.stringify(answer)}`]),
    ...(refusal === code ? [] : [`a key is refused with ${String(refusal)}`]),
    ...(await lossesOfFinished(url, finishedRunId)),
  ];
}

type Ended = { readonly workflowId: string; readonly runId: string; readonly rows: readonly unknown[] };

/** Each output is its row. */
async function lossesOf(url: string, { workflowId, runId, rows }: Ended): Promise<readonly string[]> {
  const outputs = await outputsOf(url, workflowId, runId).catch(String);
  return isDeepStrictEqual(outputs, rows) ? [] : [`the outputs of ${workflowId} are not handed out`];
}

/** The same of a run of `finishedRun`. */
const lossesOfFinished = (url: string, runId: string): Promise<readonly string[]> =>
  lossesOf(url, { workflowId: 'quick', runId, rows: rowsOf(2) });

const databaseOf = (disk: SmallDisk): string => join(disk.path, 'data', databaseName);

/** Committed rows of a run. */
const rowsDone = (disk: SmallDisk, runId: string): Promise<number> =>
  readDatabase(databaseOf(disk), (database) => {
    const sql = 'select rows_done as rows from runs where run_id = ?';
    return (database.prepare(sql).get(runId) as { rows: number }).rows;
  });

it(
  'an accepted run waits on a full disk and goes on by itself once there is room',
  { timeout: timeoutMs(120_000) },
  async ({ skip }) => {
    const { disk, server } = await startOnDisk(skip);
    const { url } = server;
    const finishedRunId = await finishedRun(url);
    const waiting = await trigger(url, 'slow', rowsOf(6));
    await disk.fill();
    const committed = await rowsDone(disk, waiting);

    expect(await answerOf(url)).toMatchObject({
      status: 503,
      error: expect.stringMatching(/0 MB free/) as string,
    });
    // The text of a workflow that has never run is stored first: SQLite itself meets the full disk.
    expect(await answerOf(url, 'other')).toMatchObject({
      status: 503,
      retryAfter: '30',
      error: expect.stringMatching(/^The disk is full\. Nothing was changed/) as string,
    });
    await setTimeout(fullMs);
    expect(await faultsOf(disk, url, { finishedRunId, ...full })).toEqual([]);
    expect((await statusOf(url, 'slow', waiting)).status).toMatch(/queued|running/);
    expect(await rowsDone(disk, waiting)).toBe(committed);
    expect(server.stderr()).not.toContain('nothing new is accepted');

    await disk.free();
    expect((await finalStatus(url, { workflowId: 'slow', runId: waiting }, 60_000)).status).toBe('completed');
    expect(await lossesOf(url, { workflowId: 'slow', runId: waiting, rows: rowsOf(6) })).toEqual([]);
    await finishedRun(url);
    expect((await answerOf(url, 'other')).status).toBe(201);
    expect(await keyRefusal(disk, url)).toBe('none');
    await server.stop();
    expect(server.process.exitCode).toBe(0);
    expect(await problemsIn(databaseOf(disk))).toEqual([]);
    report(
      `full disk: runs refused with 503 for ${fullMs / 1000} s at a full ${megabytes} MB; an accepted run waited and went on by itself`,
    );
  },
);

it('a server that stops on a full disk loses nothing', { timeout: 120_000 }, async ({ skip }) => {
  const { disk, start, server } = await startOnDisk(skip);
  const finishedRunId = await finishedRun(server.url);
  const cut = await trigger(server.url, 'slow', rowsOf(8));
  await disk.fill();
  await setTimeout(1500);
  await server.stop();
  expect(server.process.exitCode).toBe(0);

  // Its own files have made a little room as it ended.
  await disk.fill();
  await expect(start()).rejects.toThrow('cannot be used (ENOSPC');
  await disk.free();
  const again = await start();
  expect((await finalStatus(again.url, { workflowId: 'slow', runId: cut }, 60_000)).status).toBe('completed');
  expect(await lossesOf(again.url, { workflowId: 'slow', runId: cut, rows: rowsOf(8) })).toEqual([]);
  expect(await lossesOfFinished(again.url, finishedRunId)).toEqual([]);
  await again.stop();
  expect(await problemsIn(databaseOf(disk))).toEqual([]);
});

/** Sends the pieces of a body one after the other, each when the one before was taken. */
async function sendSlowly(
  url: string,
  pieces: AsyncIterable<string>,
): Promise<{ status: number; text: string }> {
  const headers = { 'x-service-key': testKey, 'content-type': 'application/json' };
  const post = request(`${url}/api/v1/workflows/quick/runs/async`, { method: 'POST', headers });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    post.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  for await (const piece of pieces) await new Promise((resolve) => post.write(piece, resolve));
  post.end(']}');
  return answer;
}

it(
  'a disk that fills up while rows arrive refuses them and keeps none',
  { timeout: 120_000 },
  async ({ skip }) => {
    const { disk, start, server } = await startOnDisk(skip);
    const finishedRunId = await finishedRun(server.url);
    const arrived = (): Promise<number> =>
      readDatabase(databaseOf(disk), (database) => {
        const { rows } = database.prepare('select total(rows) as rows from row_batches').get() as {
          rows: number;
        };
        return rows;
      });
    const before = await arrived();
    // Some 3 MB each: several batches.
    const row = JSON.stringify(rowsOf(1)[0]);
    const piece = Array.from({ length: 500 }, () => row).join(',');
    async function* pieces() {
      yield `{"rows":[${piece}`;
      await expect.poll(arrived, { timeout: 10_000 }).toBeGreaterThan(before);
      await disk.fill();
      yield `,${piece}`;
    }
    expect(await sendSlowly(server.url, pieces())).toEqual({
      status: 503,
      text: expect.stringContaining('The disk is full. Nothing was changed') as string,
    });
    expect(server.stderr()).not.toContain('nothing new is accepted');
    await disk.free();
    await finishedRun(server.url);
    // What had arrived goes with the next removal, and with the next start at the latest.
    await server.stop();
    const again = await start();
    expect(await lossesOfFinished(again.url, finishedRunId)).toEqual([]);
    await expect.poll(arrived, { timeout: 10_000 }).toBe(before + 2);
    await again.stop();
    expect(await problemsIn(databaseOf(disk))).toEqual([]);
  },
);

it.skipIf(process.platform !== 'linux')(
  'a disk that takes no more writes stops acceptance, and a restart finds everything',
  { timeout: 120_000 },
  async ({ skip }) => {
    const { disk, start, server } = await startOnDisk(skip);
    const finishedRunId = await finishedRun(server.url);
    const cut = await trigger(server.url, 'slow', rowsOf(4));
    await limitFileSize(server.pid, 0);
    await expect.poll(server.stderr, { timeout: 20_000 }).toContain('could not be written');
    expect(await faultsOf(disk, server.url, { finishedRunId, ...degraded })).toEqual([]);
    expect((await statusOf(server.url, 'slow', cut)).status).toMatch(/queued|running/);
    await server.stop();

    const again = await start();
    expect((await finalStatus(again.url, { workflowId: 'slow', runId: cut }, 60_000)).status).toBe(
      'completed',
    );
    expect(await lossesOf(again.url, { workflowId: 'slow', runId: cut, rows: rowsOf(4) })).toEqual([]);
    expect(await lossesOfFinished(again.url, finishedRunId)).toEqual([]);
    await again.stop();
    expect(await problemsIn(databaseOf(disk))).toEqual([]);
    report('failing disk: told, answered 503, and everything accepted was there after a restart');
  },
);

it(
  'a read-only data folder is refused by name, and stays as it is',
  { timeout: 120_000 },
  async ({ skip }) => {
    const { disk, start, server } = await startOnDisk(skip);
    const finishedRunId = await finishedRun(server.url);
    await server.stop();
    const contents = async (): Promise<readonly string[]> =>
      (await filesOf(nodeFileSystem, disk.path)).map(
        ({ path, bytes }) => `${path} ${createHash('sha256').update(bytes).digest('hex')}`,
      );
    const before = await contents();
    await disk.allow('reading');
    const folder = join(disk.path, 'data');
    await expect(start()).rejects.toThrow(`the data folder ${folder} cannot be used (EROFS`);
    const exported = await runCliProcess(['export', finishedRunId, '--format', 'ndjson', '--data', folder]);
    expect(exported.code === 0 ? exported.stdout.split('\n').length : exported.stderr).toBeOneOf([
      3,
      expect.stringContaining(databaseName) as string,
    ]);
    expect(await contents()).toEqual(before);

    await disk.allow('writing');
    const again = await start();
    expect(await lossesOfFinished(again.url, finishedRunId)).toEqual([]);
    await finishedRun(again.url);
    await again.stop();
    report('read-only folder: refused by name, nothing changed, used again once it could be written');
  },
);

it('a setting and a key that there is no room for are refused', { timeout: 120_000 }, async ({ skip }) => {
  const { disk, start, server } = await startOnDisk(skip, 20);
  const call = await controlOf(disk, server.url);
  const documents = async (ask = call) => {
    // The key that the process was started with is in no document.
    const keys = (await ask('key.list', {})).filter(({ id }) => id !== 'environment');
    return { settings: (await ask('settings.show', {})).stored, keys };
  };
  await call('settings.change', { maxRows: 123 });
  await call('key.create', { name: 'first', workflows: null });
  const before = await documents();
  await disk.fill();
  const refused = { code: 'disk_full' };
  await expect(call('settings.change', { maxRows: 456 })).rejects.toMatchObject(refused);
  await expect(call('key.create', { name: 'second', workflows: null })).rejects.toMatchObject(refused);
  expect(await documents()).toEqual(before);

  await disk.free();
  expect(await call('settings.change', { maxRows: 789 })).toMatchObject({ stored: { maxRows: 789 } });
  await call('key.create', { name: 'third', workflows: null });
  const after = await documents();
  expect(after.keys.map(({ name }) => name)).toEqual(['first', 'third']);
  await server.stop();
  const again = await start();
  expect(await documents(await controlOf(disk, again.url))).toEqual(after);
  await again.stop();
  report('full disk: a setting and a key refused, nothing changed, both taken once there was room');
});

const planted: readonly (readonly [fault: string, plant: Plant, found: string])[] = [
  [
    'rows are accepted',
    (passed) => (passed.method === 'POST' && passed.path.endsWith('/runs/async') ? 201 : passed),
    'new rows are answered with {"status":201',
  ],
  [
    'a key is said to be made',
    (passed) => (passed.path.endsWith('/key.create') ? 200 : passed),
    'a key is refused with',
  ],
  [
    'what is there is not handed out',
    (passed) => (passed.path.endsWith('/response') ? 404 : passed),
    'the outputs of quick are not handed out',
  ],
];

it(
  'the rig finds a server that goes on as if nothing were, and a lost run',
  { timeout: 120_000 },
  async ({ skip }) => {
    const { disk, start, server } = await startOnDisk(skip);
    const finishedRunId = await finishedRun(server.url);
    await disk.fill();
    const port = Number(new URL(server.url).port);
    for (const [fault, plant, found] of planted) {
      const door = await openDoor(port, (passed) => {
        const changed = plant(passed);
        return typeof changed === 'number' ? changed : having('Host', `127.0.0.1:${port}`)(changed);
      });
      expect(await faultsOf(disk, `http://127.0.0.1:${door}`, { finishedRunId, ...full }), fault).toEqual([
        expect.stringContaining(found),
      ]);
    }
    await disk.free();
    await server.stop();
    await changeDatabase(databaseOf(disk), (database) => {
      database.prepare('delete from run_snapshots').run();
      database.prepare('delete from runs where run_id = ?').run(finishedRunId);
    });
    const again = await start();
    expect(await lossesOfFinished(again.url, finishedRunId)).toHaveLength(1);
    await again.stop();
  },
);
