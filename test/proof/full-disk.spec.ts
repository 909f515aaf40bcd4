// The real server on a disk that fills up under it, and on one that becomes read-only: it says so, accepts nothing that
// it cannot keep, still hands out what it has, and goes on when the disk is well again.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { createControlClient } from '../../src-main/app/control-client.ts';
import { AppError } from '../../src-main/base/app-error.ts';
import { readServerInfo } from '../../src-main/storage/server-info-file.ts';
import { callApi, finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import { mountSmallDisk, type SmallDisk } from '../builders/durability/small-disk.ts';
import { having, openDoor, type Plant } from '../builders/open-door.ts';
import { startServerProcess, type ServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { report } from './length.ts';

/** Room for a run to begin, and not much more. */
const megabytes = 230;
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
    ['slow', '600ms'],
  ] as const)
    await writeFile(join(workflows, `${id}.workflow.yaml`), workflowText(id, wait));
  return () => startServerProcess({ dataDir: join(disk.path, 'data'), workflows });
}

async function finishedRun(url: string): Promise<string> {
  const runId = await trigger(url, 'quick', rowsOf(2));
  expect((await finalStatus(url, { workflowId: 'quick', runId })).status).toBe('completed');
  return runId;
}

const answerOf = async (url: string) => {
  const { status, headers } = await callApi(url, '/api/v1/workflows/quick/runs/async', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"rows":[{"n":1}]}',
  });
  return { status, retryAfter: headers.get('retry-after') };
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

/** What a server does wrong whose disk takes nothing more. @param kept a run that has ended */
async function faultsOf(disk: SmallDisk, url: string, kept: string): Promise<readonly string[]> {
  const answer = await answerOf(url);
  const refusal = await keyRefusal(disk, url);
  return [
    ...(isDeepStrictEqual(answer, { status: 503, retryAfter: '30' })
      ? []
      : [`new rows are answered with ${JSON.stringify(answer)}`]),
    ...(refusal === 'store_degraded' ? [] : [`a key is refused with ${String(refusal)}`]),
    ...(await lossesOf(url, { workflowId: 'quick', runId: kept, rows: rowsOf(2) })),
  ];
}

type Ended = { readonly workflowId: string; readonly runId: string; readonly rows: readonly unknown[] };

/** Each output is its row. */
async function lossesOf(url: string, { workflowId, runId, rows }: Ended): Promise<readonly string[]> {
  const outputs = await outputsOf(url, workflowId, runId).catch(String);
  return isDeepStrictEqual(outputs, rows) ? [] : [`the outputs of ${workflowId} are not handed out`];
}

it('tells of a disk that fills up under it, and loses nothing', { timeout: 120_000 }, async ({ skip }) => {
  const disk = await mountSmallDisk(megabytes);
  if (disk === undefined) return skip(noMount);
  const start = await prepare(disk);
  const server = await start();
  const kept = await finishedRun(server.url);
  const cut = await trigger(server.url, 'slow', rowsOf(8));
  await disk.fill();

  expect(await answerOf(server.url)).toEqual({ status: 503, retryAfter: '30' });
  await expect.poll(server.stderr, { timeout: 20_000 }).toContain('could not be written');
  expect(await faultsOf(disk, server.url, kept)).toEqual([]);
  expect((await statusOf(server.url, 'slow', cut)).status).toBe('running');
  await server.stop();
  expect(server.process.exitCode).toBe(0);

  // Its own files have made a little room as it ended.
  await disk.fill();
  await expect(start()).rejects.toThrow('cannot be used (ENOSPC');
  await disk.free();
  const again = await start();
  expect((await finalStatus(again.url, { workflowId: 'slow', runId: cut }, 60_000)).status).toBe('completed');
  expect(await lossesOf(again.url, { workflowId: 'slow', runId: cut, rows: rowsOf(8) })).toEqual([]);
  expect(await lossesOf(again.url, { workflowId: 'quick', runId: kept, rows: rowsOf(2) })).toEqual([]);
  await again.stop();
  report(`full disk: told, answered 503, and a run cut short at a full ${megabytes} MB went on to its end`);
});

it('tells of a disk that becomes read-only', { timeout: 120_000 }, async ({ skip }) => {
  const disk = await mountSmallDisk(megabytes);
  if (disk === undefined) return skip(noMount);
  const start = await prepare(disk);
  const server = await start();
  const kept = await finishedRun(server.url);
  expect(await keyRefusal(disk, server.url)).toBe('none');
  await disk.allow('reading');
  expect(await faultsOf(disk, server.url, kept)).toEqual([]);
  await server.stop();

  await expect(start()).rejects.toThrow('cannot be used (EROFS');
  await disk.allow('writing');
  const again = await start();
  expect(await lossesOf(again.url, { workflowId: 'quick', runId: kept, rows: rowsOf(2) })).toEqual([]);
  await finishedRun(again.url);
  await again.stop();
  report('read-only disk: told, answered 503, and accepted runs again once it could be written');
});

it('refuses settings and keys that there is no room for', { timeout: 60_000 }, async ({ skip }) => {
  const disk = await mountSmallDisk(20);
  if (disk === undefined) return skip(noMount);
  const start = await prepare(disk);
  const server = await start();
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
  const full = { code: 'disk_full' };
  await expect(call('settings.change', { maxRows: 456 })).rejects.toMatchObject(full);
  await expect(call('key.create', { name: 'second', workflows: null })).rejects.toMatchObject(full);
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
  'finds a server that goes on as if nothing were, and a run that is lost',
  { timeout: 60_000 },
  async ({ skip }) => {
    const disk = await mountSmallDisk(megabytes);
    if (disk === undefined) return skip(noMount);
    const start = await prepare(disk);
    const server = await start();
    const kept = await finishedRun(server.url);
    await disk.allow('reading');
    const port = Number(new URL(server.url).port);
    for (const [fault, plant, found] of planted) {
      const door = await openDoor(port, (passed) => {
        const changed = plant(passed);
        return typeof changed === 'number' ? changed : having('Host', `127.0.0.1:${port}`)(changed);
      });
      expect(await faultsOf(disk, `http://127.0.0.1:${door}`, kept), fault).toEqual([
        expect.stringContaining(found),
      ]);
    }
    await disk.allow('writing');
    await server.stop();
    await rm(join(disk.path, 'data', 'runs', `${kept}.run`));
    const again = await start();
    expect(await lossesOf(again.url, { workflowId: 'quick', runId: kept, rows: rowsOf(2) })).toHaveLength(1);
    await again.stop();
  },
);
