// Malicious services: their rows fail with an error, and the process spends next to nothing on them.
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { finalStatus, trigger } from '../../builders/api-client.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { testBroker } from '../../builders/test-broker.ts';
import {
  bytes,
  endless,
  gzipBomb,
  hangInBody,
  startUpstream,
  type UpstreamAnswerer,
} from '../../builders/upstream-server.ts';

/** Answers every connection with these bytes, whatever it is asked. */
async function rawUpstream(say: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => say(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('an answer that is none', () => {
  it.each([
    ['HTTP/0.9', '<html>hello</html>', 'not HTTP'],
    ['a broken head', 'HTTP/1.1 200 OK\r\nno colon here\r\n\r\n', 'not HTTP'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'not HTTP'],
    [
      '1 MB of headers',
      `HTTP/1.1 200 OK\r\n${`x-y: ${'z'.repeat(1000)}\r\n`.repeat(1000)}\r\n`,
      'too many headers',
    ],
    ['a body that ends early', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort', 'closed'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', 'closed'],
    ['nothing', '', 'closed'],
  ])('%s', async (_what, text, words) => {
    const url = await rawUpstream((socket) => socket.end(text));
    const heard = await testBroker().ask(url);
    expect(heard.kind === 'failed' && heard.message).toContain(words);
  });

  it('one byte at a time is over when the time is', async () => {
    const url = await rawUpstream((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const began = performance.now();
    const heard = await testBroker({ bounds: { totalMs: 200 } }).ask(url);
    expect(heard).toMatchObject({ message: `GET ${url} timed out after 200 ms` });
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it('endless interim answers are over when the time is', async () => {
    const url = await rawUpstream((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const heard = await testBroker({ bounds: { headMs: 200 } }).ask(url);
    expect(heard).toMatchObject({ message: `GET ${url} was not answered within 200 ms` });
  });
});

const routes: Readonly<Record<string, UpstreamAnswerer>> = {
  '/endless': endless,
  '/gzip': gzipBomb,
  '/twice': bytes(gzipSync(gzipSync(Buffer.alloc(100_000_000))), { 'content-encoding': 'gzip, gzip' }),
  '/nearly': bytes(Buffer.alloc(9_900_000, 'x')),
  '/packed': bytes(gzipSync(Buffer.alloc(9_900_000)), { 'content-encoding': 'gzip' }),
  '/stuck': hangInBody,
  '/large': bytes(Buffer.alloc(1_000_000, 'x')),
};

it.each(['/endless', '/gzip', '/twice'])('the answer of %s ends at 10 MB', async (path) => {
  const upstream = await startUpstream(routes);
  const heard = await testBroker().ask(upstream.url(path));
  expect(heard).toEqual({
    kind: 'failed',
    message: `GET ${upstream.url(path)} was answered with more than 10 MB`,
  });
});

it('an answer of 10 MB is read, also while others are read', async () => {
  const upstream = await startUpstream(routes);
  const { call } = testBroker();
  const answers = await Promise.all(Array.from({ length: 8 }, () => call(upstream.url('/nearly'))));
  expect(answers.map((answer) => answer.kind === 'answered' && answer.body.length)).toEqual(
    Array(8).fill(9_900_000),
  );
});

const workflow = (origin: string): string => `rowbench: 1
id: calls
concurrency: 64
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: service, type: http, request: { url: "${origin}/{{ row.path.slice(1) }}" }, timeout: 5s }
  - { id: result, type: output, fields: { status: "=nodes.service.status" } }
`;

/** Since `clear_refs`, in KB. */
const peakMemory = async (pid: number): Promise<number> =>
  Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);

it.runIf(process.platform === 'linux')(
  '64 hostile calls at once cost the process at most 30 MB more than 64 ordinary ones',
  async () => {
    const upstream = await startUpstream(routes);
    const folder = await temporaryFolder();
    const dataDir = join(folder, 'data');
    await writeFile(join(folder, 'calls.workflow.yaml'), workflow(upstream.url('')));
    const server = await startServerProcess({ dataDir, workflows: folder });
    onTestFinished(() => server.kill());
    await runCli(['grants', 'allow', 'calls', 'loopback', '--data', dataDir]);
    const run = async (paths: readonly string[], rows: number): Promise<string> => {
      const list = Array.from({ length: rows }, (_, n) => ({ path: paths[n % paths.length] }));
      const runId = await trigger(server.url, 'calls', list);
      return (await finalStatus(server.url, { workflowId: 'calls', runId })).status;
    };
    /** The most that the process had in memory during a run, in MB. */
    const peakOf = async (path: string): Promise<number> => {
      await writeFile(`/proc/${server.pid}/clear_refs`, '5');
      expect(await run([path], 64)).toBe('completed');
      return Math.round((await peakMemory(server.pid)) / 1000);
    };
    for (let n = 0; n < 3; n += 1) await run(['/large'], 64);
    /**
     * More than ordinary calls just before it, which have all that earlier rounds left to the process. The collector's
     * own time adds some to any one round; what a path holds it takes in each.
     */
    const costOf = async (path: string, atMost: number): Promise<number> => {
      let least = Infinity;
      for (let n = 0; n < 4 && least > atMost; n += 1) {
        const ordinary = await peakOf('/large');
        least = Math.min(least, (await peakOf(path)) - ordinary);
      }
      return least;
    };
    const first = await peakOf('/large');
    const cost: Record<string, number> = {};
    for (const path of ['/endless', '/gzip', '/twice', '/stuck']) cost[path] = await costOf(path, 30);
    expect(Object.entries(cost).filter(([, mb]) => mb > 30)).toEqual([]);
    // 64 answers of the largest size that is allowed, 640 MB in all: what a few of them take.
    for (const path of ['/nearly', '/packed']) expect(await costOf(path, 100), path).toBeLessThanOrEqual(100);
    // What the rounds before left stays what a garbage-collected heap keeps in hand.
    expect((await peakOf('/large')) - first).toBeLessThanOrEqual(100);
  },
  120_000,
);
