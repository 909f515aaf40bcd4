// A server that runs out of file descriptors for a moment refuses what it cannot do, loses nothing, and needs no restart.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callApi, finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import { FaultyFileSystem, type Fault } from '../builders/faulty-file-system.ts';
import { runCliProcess } from '../builders/run-cli.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { startTestApp, type TestApp } from '../builders/start-test-app.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const workflow = (id: string, middle: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - ${middle}
  - { id: result, type: output, after: [middle], fields: { n: "=row.n" } }
`;
const quick = workflow('quick', '{ id: middle, type: set, values: { n: "=row.n" } }');
const slow = workflow('slow', '{ id: middle, type: delay, for: 500ms }');

/** The server and its workers need some 50. */
const maxOpenFiles = 140;
const maxSockets = 400;

async function startShortServer(): Promise<ServerProcess & { readonly dataDir: string }> {
  const dataDir = join(await temporaryFolder(), 'data');
  await mkdir(join(dataDir, 'workflows'), { recursive: true });
  for (const [id, text] of Object.entries({ quick, slow }))
    await writeFile(join(dataDir, 'workflows', `${id}.workflow.yaml`), text);
  const server = await startServerProcess({ dataDir, maxOpenFiles });
  onTestFinished(() => server.stop());
  return { ...server, dataDir };
}

type ConnectionAnswer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
};

/** Calls over one connection, which is there before the descriptors are used up. */
function openConnection(url: string): (path: string, body?: string) => Promise<ConnectionAnswer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return (path, body) =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = { 'x-service-key': testKey, 'content-type': 'application/json' };
      const call = request(`${url}${path}`, { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response
          .on('error', reject)
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text }),
          );
      });
      call.on('error', reject).end(body);
    });
}

type Connection = ReturnType<typeof openConnection>;

/**
 * Connects until the server has no descriptor left for one more connection; gives the connections that it took.
 * @param call connection that is used meanwhile: the server would close it after five idle seconds of a busy machine
 */
async function useUpDescriptors(url: string, call: Connection): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const taken: Socket[] = [];
  onTestFinished(() => taken.forEach((socket) => socket.destroy()));
  while (taken.length < maxSockets) {
    const socket = connect(Number(port), hostname);
    const isTaken = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      socket.on('error', () => resolve(false));
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: ' + `${hostname}:${port}` + '\r\n\r\n');
    });
    if (!isTaken) return taken;
    // The beginning of another request: the connection is kept for as long as its head may take.
    socket.resume().write('GET /openapi.json HTTP/1.1\r\n');
    taken.push(socket);
    if (taken.length % 10 === 0) expect((await call('/openapi.json')).status).toBe(200);
  }
  throw new Error(`${maxSockets} connections did not use up the descriptors`);
}

const runsPath = (id: string): string => `/api/v1/workflows/${id}/runs/async`;
const rows = JSON.stringify({ rows: [{ n: 1 }] });

it(
  'a server that ran out of file descriptors takes runs again without a restart',
  { timeout: 60_000 },
  async () => {
    const server = await startShortServer();
    const { url, dataDir } = server;
    const early = await trigger(url, 'quick', [{ n: 7 }]);
    await finalStatus(url, { workflowId: 'quick', runId: early });
    const call = openConnection(url);
    expect((await call('/openapi.json')).status).toBe(200);
    const sockets = await useUpDescriptors(url, call);

    // What a trigger needs is open, as long as the workflow's file is as it was read.
    expect([201, 503]).toContain((await call(runsPath('quick'), rows)).status);
    await writeFile(join(dataDir, 'workflows', 'quick.workflow.yaml'), `${quick}# changed\n`);
    const refused = await call(runsPath('quick'), rows);
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.text)).toEqual({
      success: false,
      error: expect.stringMatching(/out of file descriptors or memory.*try again/) as string,
    });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    const status = await call(`/api/v1/workflows/quick/runs/${early}/async/status`);
    expect([200, 503]).toContain(status.status);
    const output = await call(`/api/v1/workflows/quick/runs/${early}/async/response`);
    expect([200, 503]).toContain(output.status);

    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => (await call(runsPath('quick'), rows)).status, { timeout: 20_000 })
      .toBe(201);
    await finalStatus(url, { workflowId: 'quick', runId: await trigger(url, 'quick', [{ n: 8 }]) });
    expect(Object.values(await outputOf(url, 'quick', early))).toEqual([{ n: 7 }]);
    expect(server.stderr()).not.toContain('nothing new is accepted');
    const created = await runCliProcess(['keys', 'create', '--name', 'after', '--data', dataDir]);
    expect(created).toMatchObject({ code: 0 });
    expect((await callApi(url, '/openapi.json')).status).toBe(200);
  },
);

it(
  'runs that execute while file descriptors run out complete with all their rows',
  { timeout: 60_000 },
  async () => {
    const { url } = await startShortServer();
    await finalStatus(url, { workflowId: 'slow', runId: await trigger(url, 'slow', [{ n: 0 }]) });
    const call = openConnection(url);
    expect((await call('/openapi.json')).status).toBe(200);
    const runs: string[] = [];
    for (let n = 1; n <= 6; n += 1) runs.push(await trigger(url, 'slow', [{ n }, { n: n * 10 }]));
    const sockets = await useUpDescriptors(url, call);
    // Until the rows of all runs have ended, and could not be stored.
    const until = performance.now() + 1500;
    const refuses = async (): Promise<boolean> => {
      expect([201, 503]).toContain((await call(runsPath('quick'), rows)).status);
      return performance.now() > until;
    };
    await expect.poll(refuses, { timeout: 10_000, interval: 50 }).toBe(true);
    for (const runId of runs)
      expect(await call(`/api/v1/workflows/slow/runs/${runId}/async/status`)).toMatchObject({ status: 200 });

    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => (await call(runsPath('quick'), rows)).status, { timeout: 20_000 })
      .toBe(201);
    for (const [index, runId] of runs.entries()) {
      await finalStatus(url, { workflowId: 'slow', runId });
      expect((await statusOf(url, 'slow', runId)).status).toBe('completed');
      const n = index + 1;
      expect(Object.values(await outputOf(url, 'slow', runId))).toEqual([{ n }, { n: n * 10 }]);
    }
  },
);

describe('a shortage at the first file operation of a call', () => {
  const fileSystem = new FaultyFileSystem();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ workflows: { quick }, fileSystem });
  });
  afterAll(() => app.close());

  const failNext = (fault: Fault): void => {
    fileSystem.calls.length = 0;
    fileSystem.plan = { fault, at: 1, times: 1 };
  };

  it('refuses one new key, and makes the next', async () => {
    failNext('EMFILE');
    const create = ['keys', 'create', '--name', 'later', '--data', app.dataDir];
    const refused = await runCliProcess(create);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('out of file descriptors');
    expect(await runCliProcess(create)).toMatchObject({ code: 0 });
    expect(
      (await runCliProcess(['keys', 'list', '--data', app.dataDir])).stdout.match(/later/g),
    ).toHaveLength(1);
  });
});
