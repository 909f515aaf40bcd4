// A request sent behind one whose answer closes the connection was executed, but the client got no answer to it.
// A client that sent the request again had two runs.
import { expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../src-main/base/deferred.ts';
import { RawConnection } from '../builders/raw-http.ts';
import { rawGet, startSmallServer } from '../builders/small-server.ts';

it('a request behind an answer that closes the connection is not executed', async () => {
  const handled: string[] = [];
  const server = await startSmallServer(async (context) => {
    handled.push(context.path);
    await Promise.resolve();
    if (context.path === '/first') context.set('Connection', 'close');
    context.body = { success: true, data: {} };
  });
  onTestFinished(() => server.close());
  const connection = await RawConnection.open(server.port);
  connection.send(rawGet(server.port, '/first') + rawGet(server.port, '/second'));
  expect((await connection.answer())?.status).toBe(200);
  expect(await connection.closed()).toBe('');
  expect(handled).toEqual(['/first']);
});

it('requests of one connection are worked on one after the other, and all are answered', async () => {
  const gates = [deferred(), deferred(), deferred()];
  const handled: string[] = [];
  const server = await startSmallServer(async (context) => {
    const nth = handled.push(context.path);
    await gates[nth - 1]?.promise;
    context.body = { path: context.path };
  });
  onTestFinished(() => server.close());
  const connection = await RawConnection.open(server.port);
  connection.send(['/a', '/b', '/c'].map((path) => rawGet(server.port, path)).join(''));
  for (const [nth, path] of ['/a', '/b', '/c'].entries()) {
    await expect.poll(() => handled).toEqual(['/a', '/b', '/c'].slice(0, nth + 1));
    gates[nth]?.resolve();
    expect((await connection.answer())?.body).toContain(path);
  }
  connection.cut();
});

it('a request that waits for the one before it is not executed once its client has gone', async () => {
  const gate = deferred();
  const handled: string[] = [];
  const server = await startSmallServer(async (context) => {
    handled.push(context.path);
    context.res.once('close', () => gate.resolve());
    await gate.promise;
    context.body = {};
  });
  onTestFinished(() => server.close());
  const connection = await RawConnection.open(server.port);
  connection.send(rawGet(server.port, '/first') + rawGet(server.port, '/second'));
  await expect.poll(() => handled).toEqual(['/first']);
  connection.cut();
  await gate.promise;
  expect(handled).toEqual(['/first']);
});

const post = (port: number, path: string, headers: readonly string[], body: string): string =>
  rawGet(port, path, [...headers, `Content-Length: ${body.length}`]).replace('GET', 'POST') + body;

async function noting() {
  const handled: string[] = [];
  const server = await startSmallServer((context) => {
    handled.push(context.path);
    context.body = { success: true, data: {} };
  });
  onTestFinished(() => server.close());
  return { handled, server, connection: await RawConnection.open(server.port) };
}

it('a request behind one whose expectation is refused is not executed', async () => {
  const { handled, server, connection } = await noting();
  connection.send(post(server.port, '/first', ['Expect: tea'], 'hello') + rawGet(server.port, '/second'));
  expect((await connection.answer())?.status).toBe(417);
  expect(await connection.closed()).toBe('');
  expect(handled).toEqual([]);
});

it('a request that is completed after it was given up is not executed', { timeout: 30_000 }, async () => {
  const { handled, server, connection } = await noting();
  const whole = rawGet(server.port, '/late');
  connection.send(whole.slice(0, 20));
  expect((await connection.answer())?.status).toBe(408);
  connection.send(whole.slice(20));
  await connection.closed();
  expect(handled).toEqual([]);
});

it('a client that sends on without an answer is not read on', async () => {
  const paths = new Set<unknown>();
  const server = await startSmallServer(async (context) => {
    paths.add(context.path);
    await new Promise(() => undefined);
  });
  onTestFinished(() => server.close());
  const connection = await RawConnection.open(server.port);
  connection.send(rawGet(server.port, '/slow'));
  const large = post(server.port, '/large', [], 'x'.repeat(10_000));
  for (let count = 0; count < 5000; count += 1) connection.send(large);
  await expect.poll(() => paths.size).toBe(1);
  // Fifty megabytes: the kernel's buffers hold a few, and the server takes no more than that and its sixteen.
  await connection.stands();
  expect(connection.unsent).toBeGreaterThan(30_000_000);
  connection.cut();
});
