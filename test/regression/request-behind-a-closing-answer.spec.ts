// A request sent behind one whose answer closes the connection was executed, and nobody was told of it: a client that
// asked again had two runs.
import { expect, it } from 'vitest';
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
  const connection = await RawConnection.open(server.port);
  connection.send(rawGet(server.port, '/first') + rawGet(server.port, '/second'));
  expect((await connection.answer())?.status).toBe(200);
  expect(await connection.closed()).toBe('');
  expect(handled).toEqual(['/first']);
  await server.close();
});

it('requests of one connection are worked on one after the other, and all are answered', async () => {
  const gates = [deferred(), deferred(), deferred()];
  const handled: string[] = [];
  const server = await startSmallServer(async (context) => {
    const nth = handled.push(context.path);
    await gates[nth - 1]?.promise;
    context.body = { path: context.path };
  });
  const connection = await RawConnection.open(server.port);
  connection.send(['/a', '/b', '/c'].map((path) => rawGet(server.port, path)).join(''));
  for (const [nth, path] of ['/a', '/b', '/c'].entries()) {
    await expect.poll(() => handled).toEqual(['/a', '/b', '/c'].slice(0, nth + 1));
    gates[nth]?.resolve();
    expect((await connection.answer())?.body).toContain(path);
  }
  connection.cut();
  await server.close();
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
  const connection = await RawConnection.open(server.port);
  connection.send(rawGet(server.port, '/first') + rawGet(server.port, '/second'));
  await expect.poll(() => handled).toEqual(['/first']);
  connection.cut();
  await gate.promise;
  await server.close();
  expect(handled).toEqual(['/first']);
});
