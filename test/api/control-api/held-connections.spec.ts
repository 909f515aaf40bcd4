// Limits on the connections that a client may hold open on the control API, with and without the token.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { maxStreams } from '../../../src-main/http/control-api/api/event-stream.ts';
import { callReading, sessionReading } from '../../../src-main/http/control-api/read-call-input.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { controlApiWith, controlToken } from '../../builders/small-control.ts';
import { startSmallServer } from '../../builders/small-server.ts';

async function start() {
  const clock = new FakeClock();
  let openStreams = 0;
  async function* endless(signal: AbortSignal) {
    openStreams += 1;
    yield { kind: 'quiet' } as const;
    await once(signal, 'abort');
    openStreams -= 1;
  }
  const control = controlApiWith(
    { 'key.list': async () => [] },
    { clock, updates: ({ signal }) => endless(signal) },
  );
  const server = await startSmallServer(control);
  onTestFinished(() => server.close());
  const open = (firstLine: string, lines: readonly string[] = []): Socket => {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const head = [`Host: 127.0.0.1:${server.port}`, 'Content-Type: application/json', ...lines];
    socket.write(`${firstLine} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    return socket;
  };
  return { clock, open, openStreams: () => openStreams };
}

const token = `x-rowbench-token: ${controlToken}`;

describe('a body that trickles', () => {
  it.each([
    ['a session', '/session', [], sessionReading.deadlineMs],
    ['a call', '/call/key.list', [token], callReading.deadlineMs],
  ])('holds the connection of %s no longer than its deadline', async (_, path, lines, deadlineMs) => {
    const { clock, open } = await start();
    const socket = open(`POST /_rowbench/v1${path}`, ['Content-Length: 100', ...lines]);
    const answer = text(socket);
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    clock.advance(deadlineMs - 1);
    socket.write('{');
    expect(clock.pending).toBe(1);
    clock.advance(1);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 [^]*took too long to arrive/);
  });

  it('of a session is not read at all when it is larger than a code can be', async () => {
    const { open } = await start();
    const declared = open('POST /_rowbench/v1/session', [`Content-Length: ${sessionReading.maxBytes + 1}`]);
    expect(await text(declared)).toMatch(/^HTTP\/1\.1 413 /);
    const chunked = open('POST /_rowbench/v1/session', ['Transfer-Encoding: chunked']);
    chunked.write(`${(2_000).toString(16)}\r\n${' '.repeat(2_000)}\r\n`);
    expect(await text(chunked)).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('event streams', () => {
  it('leave room: with one too many the oldest ends', async () => {
    const { open, openStreams } = await start();
    const openOne = async (): Promise<Socket> => {
      const socket = open('GET /_rowbench/v1/events', [token]);
      await once(socket, 'data');
      return socket;
    };
    const first = await openOne();
    const ended = once(first, 'close');
    const second = await openOne();
    for (let count = 2; count < maxStreams; count += 1) await openOne();
    expect([openStreams(), first.closed]).toEqual([maxStreams, false]);
    await openOne();
    await ended;
    expect([openStreams(), second.closed]).toEqual([maxStreams, false]);
  });
});
