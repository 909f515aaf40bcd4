// A storage thread that dies: the process reports this and ends with a non-zero exit code. A new start finds everything
// that was accepted. Also shortages of the system (EMFILE, ENOMEM): a call is refused or waits, and the store recovers
// without a restart.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { controlPrefix } from '../../src-main/http/control-api/create-control-api.ts';
import { controlTokenHeader } from '../../src-main/http/control-api/control-token.ts';
import { databaseName } from '../../src-main/storage/runs/run-database.ts';
import { readServerInfo } from '../../src-main/storage/documents/server-info-file.ts';
import { callApi, finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import { problemsIn } from '../builders/durability/stored-database.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { within } from '../builders/stuck-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { isLong, report } from './length.ts';

const workflow = (id: string, wait: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: ${wait} }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`;

type Ground = { readonly dataDir: string; readonly start: () => Promise<ServerProcess> };

async function prepare(): Promise<Ground> {
  const folder = await temporaryFolder();
  const [dataDir, workflows] = [join(folder, 'data'), join(folder, 'workflows')];
  await mkdir(workflows);
  for (const [id, wait] of [
    ['quick', '1ms'],
    ['slow', '700ms'],
  ] as const)
    await writeFile(join(workflows, `${id}.workflow.yaml`), workflow(id, wait));
  const start = async (): Promise<ServerProcess> => {
    const server = await startServerProcess({ dataDir, workflows, fault: 'storage-faults.mjs' });
    onTestFinished(() => server.kill());
    return server;
  };
  return { dataDir, start };
}

type Fault =
  | { readonly kind: 'end before' | 'end after' | 'throw'; readonly role: 'writer' | 'reader' }
  | { readonly kind: 'refuse'; readonly role: 'writer'; readonly errcode: number; readonly times: number };

/** In one step: the server looks for it with each call. */
async function plant(dataDir: string, fault: Fault): Promise<void> {
  const unfinished = join(dataDir, 'fault.json.new');
  await writeFile(unfinished, JSON.stringify(fault));
  await rename(unfinished, join(dataDir, 'fault.json'));
}

type Accepted = { readonly workflowId: string; readonly runId: string; readonly n: number };

const rowsOf = (n: number): readonly unknown[] => [{ n }, { n: n + 1 }];

/** Triggers runs until the server takes none any more. */
async function triggerUntilDeath(url: string, accepted: Accepted[], from: number): Promise<void> {
  for (let n = from; n < from + 1000; n += 2) {
    const workflowId = n % 10 === 0 ? 'slow' : 'quick';
    const runId = await trigger(url, workflowId, rowsOf(n)).catch(() => undefined);
    if (runId === undefined) return;
    accepted.push({ workflowId, runId, n });
    // A read of the store, for the thread that reads.
    await callApi(url, `/api/v1/workflows/${workflowId}/runs/${accepted[0]?.runId}/async/response`).catch(
      () => undefined,
    );
  }
}

async function expectAll(url: string, accepted: readonly Accepted[]): Promise<void> {
  for (const { workflowId, runId, n } of accepted) {
    const { status, error } = await finalStatus(url, { workflowId, runId }, 60_000);
    expect({ status, error }).toEqual({ status: 'completed', error: undefined });
    expect(Object.values(await outputOf(url, workflowId, runId))).toEqual(rowsOf(n));
  }
}

const deaths = [
  { kind: 'end before', role: 'writer' },
  { kind: 'end after', role: 'writer' },
  { kind: 'throw', role: 'writer' },
  { kind: 'end before', role: 'reader' },
] as const;

it.each(deaths)(
  'a server whose $role ends ($kind its calls) says so and ends, and loses nothing',
  { timeout: 120_000 },
  async (fault) => {
    const { dataDir, start } = await prepare();
    const accepted: Accepted[] = [];
    for (let life = 0; life < (isLong ? 10 : 1); life += 1) {
      const server = await start();
      const ended = once(server.process, 'exit');
      const load = [0, 1, 2, 3].map((client) =>
        triggerUntilDeath(server.url, accepted, 10_000 * life + 1000 * client),
      );
      const before = accepted.length;
      await expect.poll(() => accepted.length, { timeout: 30_000 }).toBeGreaterThan(before + 8);
      await plant(dataDir, fault);
      const [code] = (await within(30_000, ended, async () => 'the server goes on')) as [number | null];
      await Promise.all(load);
      expect(code).toBe(1);
      expect(server.stderr()).toContain('the storage thread has ended: Rowbench cannot go on');
    }
    const again = await start();
    await expectAll(again.url, accepted);
    await again.stop();
    expect(again.process.exitCode).toBe(0);
    expect(await problemsIn(join(dataDir, databaseName))).toEqual([]);
    report(
      `storage thread: ${fault.role}, ${fault.kind}: told, exit code 1, ${accepted.length} accepted runs, none lost`,
    );
  },
);

/** SQLITE_NOMEM, SQLITE_IOERR_NOMEM, SQLITE_FULL. */
const refusals = [
  ['memory', 7, /out of file descriptors or memory.*Nothing was changed/],
  ['memory for its log', 3082, /out of file descriptors or memory.*Nothing was changed/],
  ['room', 13, /disk is full.*Nothing was changed/],
] as const;

it.each(refusals)(
  'a storage thread without %s refuses a new run, lets an accepted one wait, and heals',
  { timeout: 120_000 },
  async (_, errcode, words) => {
    const { dataDir, start } = await prepare();
    const server = await start();
    const { url } = server;
    await finalStatus(url, { workflowId: 'quick', runId: await trigger(url, 'quick', rowsOf(1)) });
    await plant(dataDir, { kind: 'refuse', role: 'writer', errcode, times: 1 });
    const refused = await callApi(url, '/api/v1/workflows/quick/runs/async', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rows: rowsOf(1) }),
    });
    expect(refused).toMatchObject({ status: 503, body: { error: expect.stringMatching(words) as string } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const waiting = await trigger(url, 'slow', rowsOf(5));
    // Tried again every 200 ms, the start and the results: more than 1200 ms can use up.
    await plant(dataDir, { kind: 'refuse', role: 'writer', errcode, times: 15 });
    await setTimeout(1200);
    expect((await statusOf(url, 'slow', waiting)).status).toMatch(/queued|running/);
    await expectAll(url, [{ workflowId: 'slow', runId: waiting, n: 5 }]);
    await expectAll(url, [{ workflowId: 'quick', runId: await trigger(url, 'quick', rowsOf(7)), n: 7 }]);
    expect(server.stderr()).not.toContain('nothing new is accepted');
    await server.stop();
    expect(await problemsIn(join(dataDir, databaseName))).toEqual([]);
  },
);

type Reply = { readonly status: number; readonly text: string };
type Call = (path: string, body: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Calls over one connection, which needs no descriptor any more. */
function keepAliveClient(url: string): Call {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return (path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        agent,
        method: 'POST',
        headers: { 'x-service-key': testKey, 'content-type': 'application/json', ...headers },
      };
      const call = request(`${url}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      call.on('error', reject).end(JSON.stringify(body));
    });
}

/** Sets the soft limit of open file descriptors for a running process; the hard limit stays. */
async function limitDescriptors({ pid }: ServerProcess, count: number): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--nofile=${count}:`]);
}

it.skipIf(process.platform !== 'linux')(
  'a server that gets no file descriptor refuses or waits, and heals',
  { timeout: 120_000 },
  async () => {
    const { dataDir, start } = await prepare();
    const server = await start();
    const { url } = server;
    const accepted: Accepted[] = [
      { workflowId: 'quick', runId: await trigger(url, 'quick', rowsOf(1)), n: 1 },
    ];
    await expectAll(url, accepted);
    const call = keepAliveClient(url);
    const token = (await readServerInfo(dataDir))?.controlToken ?? '';
    const createKey = (name: string) =>
      call(`${controlPrefix}/call/key.create`, { name, workflows: null }, { [controlTokenHeader]: token });
    expect((await createKey('first')).status).toBe(200);
    accepted.push({ workflowId: 'slow', runId: await trigger(url, 'slow', rowsOf(2)), n: 2 });
    // Fewer than it has: each new one is refused (EMFILE).
    await limitDescriptors(server, 3);
    expect(await createKey('refused')).toEqual({
      status: 503,
      text: expect.stringContaining('out of file descriptors') as string,
    });
    for (let n = 10; n < 20; n += 2) {
      const { status, text } = await call('/api/v1/workflows/quick/runs/async', { rows: rowsOf(n) });
      expect([201, 503]).toContain(status);
      if (status !== 201) continue;
      const { runId } = (JSON.parse(text) as { data: { runId: string } }).data;
      accepted.push({ workflowId: 'quick', runId, n });
    }
    await setTimeout(1500);
    await limitDescriptors(server, 1024);
    await expectAll(url, accepted);
    await expectAll(url, [{ workflowId: 'quick', runId: await trigger(url, 'quick', rowsOf(30)), n: 30 }]);
    expect((await createKey('second')).status).toBe(200);
    expect(server.stderr()).not.toContain('nothing new is accepted');
    await server.stop();
    expect(await problemsIn(join(dataDir, databaseName))).toEqual([]);
    report(
      `no file descriptors: a key refused, ${accepted.length} runs accepted before and meanwhile completed, no restart`,
    );
  },
);
