import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  assertJsonBody,
  hasUnreadBody,
  longestPauseMs,
  readBody,
} from '../../../src-main/http/request-body.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

function setUp(maxBytes = 1000) {
  const clock = new FakeClock();
  const request = new IncomingMessage(new Socket());
  const read: string[] = [];
  const collect = async (): Promise<void> => {
    const parts = { response: new ServerResponse(request), maxBytes, clock };
    for await (const chunk of readBody(request, parts)) read.push(chunk.toString());
  };
  return { clock, request, read, done: collect() };
}

const listenersOf = (request: IncomingMessage): number[] =>
  ['readable', 'end', 'close'].map((event) => request.listenerCount(event));

describe('the type of a body', () => {
  const declared = (headers: Record<string, string>): (() => void) => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request.headers, { 'content-type': 'application/json' }, headers);
    return () => assertJsonBody(request);
  };

  it.each([[{}], [{ 'transfer-encoding': 'chunked' }], [{ 'transfer-encoding': 'Chunked' }]])(
    '%j is accepted',
    (headers) => {
      expect(declared(headers)).not.toThrow();
    },
  );

  it.each([
    [{ 'transfer-encoding': 'gzip, chunked' }],
    [{ 'transfer-encoding': 'identity, chunked' }],
    [{ 'content-encoding': 'gzip' }],
    [{ 'content-type': 'text/plain' }],
  ])('%j is refused', (headers: Record<string, string>) => {
    expect(declared(headers)).toThrow(expect.objectContaining({ code: 'invalid_body' }) as Error);
  });
});

describe('reading a body', () => {
  it('gives its chunks to the end', async () => {
    const { request, read, done } = setUp();
    request.push('ab');
    await expect.poll(() => read).toEqual(['ab']);
    request.push('c');
    request.push(null);
    await done;
    expect(read.join('')).toBe('abc');
  });

  it('takes any time in all, but no pause of 30 seconds', async () => {
    const { clock, request, read, done } = setUp();
    for (let count = 1; count <= 5; count += 1) {
      await expect.poll(() => clock.pending).toBe(1);
      clock.advance(longestPauseMs - 1);
      request.push('x');
      await expect.poll(() => read.length).toBe(count);
    }
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(longestPauseMs);
    await expect(done).rejects.toMatchObject({ code: 'request_timeout' });
    expect(clock.pending).toBe(0);
  });

  it('ends with an error when the connection is cut', async () => {
    const { clock, request, done } = setUp();
    request.push('x');
    request.destroy(new Error('aborted'));
    await expect(done).rejects.toMatchObject({ code: 'invalid_body' });
    expect(clock.pending).toBe(0);
  });

  it.each([[''], ['abc']])('that has come in whole, %j, is read to its end', async (body) => {
    const { clock, request, read, done } = setUp();
    if (body !== '') request.push(body);
    request.push(null);
    request.complete = true;
    await done;
    expect(read.join('')).toBe(body);
    expect([request.readableEnded, clock.pending, ...listenersOf(request)]).toEqual([true, 0, 0, 0, 0]);
  });

  it.each([
    ['while it is waited for', true, new Error('aborted'), 'aborted'],
    ['before it is read', false, new Error('aborted'), 'aborted'],
    ['for no known reason', true, undefined, 'unknown cause'],
  ])('tells of a connection that is cut %s, and leaves no listener', async (_, waits, error, cause) => {
    const { clock, request, done } = setUp();
    if (waits) await expect.poll(() => clock.pending).toBe(1);
    request.destroy(error);
    await expect(done).rejects.toMatchObject({ message: expect.stringContaining(`(${cause})`) as string });
    expect([clock.pending, ...listenersOf(request)]).toEqual([0, 0, 0, 0]);
  });

  it('stops at the first byte too many, leaves the connection open for the answer, and the rest to be thrown away', async () => {
    const { request, done } = setUp(3);
    request.push('abc');
    request.push('d');
    await expect(done).rejects.toMatchObject({
      code: 'body_too_large',
      message: 'Request body too large: it has more than 3 bytes',
    });
    expect([request.destroyed, ...listenersOf(request)]).toEqual([false, 0, 0, 0]);
    const ended = once(request, 'end');
    request.resume();
    request.push('more of it');
    request.push(null);
    await ended;
  });
});

describe('an unread body', () => {
  const requestWith = (headers: Record<string, string>): IncomingMessage =>
    Object.assign(new IncomingMessage(new Socket()), { headers });

  it('is one that was declared and not read to its end', () => {
    expect(hasUnreadBody(requestWith({ 'content-length': '1' }))).toBe(true);
    expect(hasUnreadBody(requestWith({ 'transfer-encoding': 'chunked' }))).toBe(true);
  });

  it('is none when none was declared', () => {
    expect(hasUnreadBody(requestWith({}))).toBe(false);
    expect(hasUnreadBody(requestWith({ 'content-length': '0' }))).toBe(false);
  });
});
