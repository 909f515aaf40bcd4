// A stop that hung reported no cause: a server process was killed after five seconds without a message, and everywhere
// else the stop went on for ever.
import { once } from 'node:events';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RawConnection } from '../builders/raw-http.ts';
import { startServerProcess, testKey, type ServerProcess } from '../builders/server-process.ts';
import { rawGet } from '../builders/small-server.ts';
import { workflowPath } from '../builders/start-test-app.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

/** Milliseconds that a stop may take, whatever hangs. */
const stopLimitMs = 10_000;

const slow = `rowbench: 1
id: slow
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 20ms }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`;

const asking = (port: number): string => `rowbench: 1
id: asking
nodes:
  - { id: input, type: input }
  - { id: ask, type: http, request: { url: "http://127.0.0.1:${port}/" } }
  - { id: result, type: output, after: [ask], fields: { n: "=row.n" } }
`;

async function trigger({ url }: ServerProcess, id: string, rows: number): Promise<void> {
  const answer = await fetch(`${url}${workflowPath(id)}`, {
    method: 'POST',
    headers: { 'x-service-key': testKey, 'content-type': 'application/json' },
    body: JSON.stringify({ rows: Array.from({ length: rows }, (_, n) => ({ n })) }),
  });
  expect(answer.status).toBe(201);
}

/** Sends the signal; gives how the process ended and the milliseconds that it took. */
async function stop({
  process: child,
}: ServerProcess): Promise<{ code: unknown; signal: unknown; ms: number }> {
  const began = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code, signal] = (await ended) as [unknown, unknown];
  return { code, signal, ms: performance.now() - began };
}

describe.skipIf(process.platform === 'win32')('a server whose disk stands still', () => {
  async function start(): Promise<{ server: ServerProcess; dataDir: string }> {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'slow.workflow.yaml'), slow);
    const dataDir = join(folder, 'data');
    const server = await startServerProcess({ dataDir, workflows: folder, fault: 'standing-disk.mjs' });
    onTestFinished(() => server.kill());
    await trigger(server, 'slow', 9_000);
    server.process.kill('SIGUSR2');
    await writeFile(join(dataDir, 'standing'), '');
    // A commit of the run is under way for ever.
    await expect.poll(server.stderr).toContain('the storage thread stands still');
    return { server, dataDir };
  }

  it(
    'stops within ten seconds, names each step that hung, and leaves the lock to the next start',
    { timeout: 60_000 },
    async () => {
      const { server, dataDir } = await start();
      const { code, signal, ms } = await stop(server);
      expect(ms).toBeLessThan(stopLimitMs);
      expect([code, signal]).toEqual([0, null]);
      expect(server.stderr()).toMatch(
        /^warning: stop: "server file" did not end within \S+ s and is left behind$/m,
      );
      expect(server.stderr()).toMatch(/^warning: stop: "runs" did not end within \S+ s and is left behind$/m);
      await access(join(dataDir, 'lock'));
      // The next start finds that the owner of the lock is gone.
      await rm(join(dataDir, 'standing'));
      const next = await startServerProcess({ dataDir });
      await next.stop();
      await expect(access(join(dataDir, 'lock'))).rejects.toThrow('ENOENT');
    },
  );

  it('ends at once on a second signal', async () => {
    const { server } = await start();
    const ended = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    await expect.poll(server.stderr).toContain('Stopping;');
    server.process.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});

/** Ids of the row workers of a process; Linux alone tells. */
async function workersOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const ids = children
    .split(' ')
    .map(Number)
    .filter((id) => id > 0);
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return ids.filter((_, index) => lines[index]?.includes('row-worker') === true);
}

it.skipIf(process.platform !== 'linux')(
  'a server stops in order though clients, services and row workers do not answer',
  async () => {
    const calls: Socket[] = [];
    const service = createServer((socket) => void calls.push(socket));
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    onTestFinished(() => {
      for (const socket of calls) socket.destroy();
      service.close();
    });
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'asking.workflow.yaml'), asking((service.address() as AddressInfo).port));
    const dataDir = join(folder, 'data');
    const server = await startServerProcess({ dataDir, workflows: folder, allowNetwork: 'loopback' });
    onTestFinished(() => server.kill());
    const port = Number(new URL(server.url).port);
    const { controlToken } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as {
      controlToken: string;
    };
    const reader = await RawConnection.open(port);
    reader.send(rawGet(port, '/_rowbench/v1/events', [`x-rowbench-token: ${controlToken}`]));
    reader.pause();
    const sender = await RawConnection.open(port);
    sender.send(
      `POST ${workflowPath('asking')} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-service-key: ${testKey}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"rows":[',
    );
    const silent = await RawConnection.open(port);
    await trigger(server, 'asking', 3);
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    for (const worker of await workersOf(server.pid)) process.kill(worker, 'SIGSTOP');
    const { code, signal, ms } = await stop(server);
    expect(ms).toBeLessThan(stopLimitMs);
    expect([code, signal]).toEqual([0, null]);
    expect(server.stderr()).not.toContain('left behind');
    await expect(access(join(dataDir, 'lock'))).rejects.toThrow('ENOENT');
    for (const connection of [reader, sender, silent]) connection.cut();
  },
);
