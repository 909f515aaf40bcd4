// Malicious services: their rows fail with an error. test/proof/hostile-upstream holds what they cost the process.
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { awakeMsOf } from '../builders/awake-ms.ts';
import { testBroker } from '../builders/test-broker.ts';
import {
  bytes,
  endless,
  gzipBomb,
  startUpstream,
  type UpstreamAnswerer,
} from '../builders/upstream-server.ts';

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
    const ask = async (): Promise<void> => {
      const heard = await testBroker({ bounds: { totalMs: 200 } }).ask(url);
      expect(heard).toMatchObject({ message: `GET ${url} timed out after 200 ms` });
    };
    expect(await awakeMsOf(ask)).toBeLessThan(1000);
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
