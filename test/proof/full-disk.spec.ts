// The real server on a disk that fills up under it, and on one that becomes read-only: it says so, accepts nothing that
// it cannot keep, still hands out what it has, and goes on when the disk is well again.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createControlClient } from '../../src-main/app/control-client.ts';
import { readServerInfo } from '../../src-main/storage/server-info-file.ts';
import { callApi, finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import { mountSmallDisk, type SmallDisk } from '../builders/durability/small-disk.ts';
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
    ['slow', '250ms'],
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

/** Why a key cannot be made. */
async function keyRefusal(disk: SmallDisk, { url }: ServerProcess): Promise<unknown> {
  const info = await readServerInfo(join(disk.path, 'data'));
  const call = createControlClient({ url, token: info?.controlToken ?? '' });
  return call('key.create', { name: 'one more', workflows: null }).then(
    () => 'none',
    (error: unknown) => error,
  );
}

const outputsOf = async (url: string, workflowId: string, runId: string): Promise<unknown[]> =>
  Object.values(await outputOf(url, workflowId, runId));

it('tells of a disk that fills up under it, and loses nothing', { timeout: 120_000 }, async ({ skip }) => {
  const disk = await mountSmallDisk(megabytes);
  if (disk === undefined) return skip(noMount);
  const start = await prepare(disk);
  const server = await start();
  const kept = await finishedRun(server.url);
  const cut = await trigger(server.url, 'slow', rowsOf(12));
  await disk.fill();

  expect(await answerOf(server.url)).toEqual({ status: 503, retryAfter: '30' });
  await expect.poll(server.stderr, { timeout: 20_000 }).toContain('could not be written');
  expect(await keyRefusal(disk, server)).toMatchObject({ code: 'store_degraded' });
  expect((await statusOf(server.url, 'slow', cut)).status).toBe('running');
  expect(await outputsOf(server.url, 'quick', kept)).toEqual(rowsOf(2));
  await server.stop();
  expect(server.process.exitCode).toBe(0);

  // Its own files have made a little room as it ended.
  await disk.fill();
  await expect(start()).rejects.toThrow('cannot be used (ENOSPC');
  await disk.free();
  const again = await start();
  expect((await finalStatus(again.url, { workflowId: 'slow', runId: cut }, 60_000)).status).toBe('completed');
  expect(await outputsOf(again.url, 'slow', cut)).toEqual(rowsOf(12));
  expect(await outputsOf(again.url, 'quick', kept)).toEqual(rowsOf(2));
  await again.stop();
  report(`full disk: told, answered 503, and a run cut short at a full ${megabytes} MB went on to its end`);
});

it('tells of a disk that becomes read-only', { timeout: 120_000 }, async ({ skip }) => {
  const disk = await mountSmallDisk(megabytes);
  if (disk === undefined) return skip(noMount);
  const start = await prepare(disk);
  const server = await start();
  const kept = await finishedRun(server.url);
  expect(await keyRefusal(disk, server)).toBe('none');
  await disk.allow('reading');

  expect(await answerOf(server.url)).toEqual({ status: 503, retryAfter: '30' });
  expect(await keyRefusal(disk, server)).toMatchObject({ code: 'store_degraded' });
  expect(await outputsOf(server.url, 'quick', kept)).toEqual(rowsOf(2));
  await server.stop();

  await expect(start()).rejects.toThrow('cannot be used (EROFS');
  await disk.allow('writing');
  const again = await start();
  expect(await outputsOf(again.url, 'quick', kept)).toEqual(rowsOf(2));
  await finishedRun(again.url);
  await again.stop();
  report('read-only disk: told, answered 503, and accepted runs again once it could be written');
});
