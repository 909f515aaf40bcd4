// Several requests on one connection. When one answer had ended, the connection counted as idle although a further
// answer was under way, and it was closed when room was needed. An answer that waited for an earlier one was never
// ended when the client had gone.
import { createServer, type RequestListener, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { answerBrokenRequests } from '../../src-main/http/broken-requests.ts';
import { limitConnections } from '../../src-main/http/per-connection.ts';
import { RawConnection } from '../builders/raw-http.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function start(
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<{ port: number; answers: Set<ServerResponse> }> {
  const server = createServer(options);
  const answers = new Set<ServerResponse>();
  const connections = limitConnections(server, {
    maxRequests: 100,
    maxServed: 2,
    maxKeepAlive: 1,
    crowdedAbove: 3,
    silentMs: 0,
    maxWaiting: 4,
    clock: systemClock,
    answers,
    listener,
    refuseExpectation: listener,
    refuseConnection: listener,
    endSilent: (socket) => socket.destroy(),
  });
  answerBrokenRequests(server, { clock: systemClock, log: silentLog, connections });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, answers };
}

it('a connection with an answer under way stays open, whatever has ended on it', async () => {
  const slow: ServerResponse[] = [];
  const { port } = await start((request, response) => {
    if (request.url === '/slow') slow.push(response);
    else response.setHeader('Content-Length', 4).end('fast');
  });
  const asking = await RawConnection.open(port);
  asking.send(get('/fast') + get('/slow'));
  expect((await asking.answer())?.body).toBe('fast');
  await expect.poll(() => slow.length).toBe(1);
  const silent = await RawConnection.open(port);
  await RawConnection.open(port);
  const newest = await RawConnection.open(port);
  newest.send(get('/fast'));
  // Beyond one connection that is kept, an answer closes its connection.
  expect(await newest.answer()).toMatchObject({ body: 'fast', headers: { connection: 'close' } });
  // Of those that have sent nothing the oldest has had to go.
  expect(await silent.closed()).toBe('');
  slow[0]?.setHeader('Content-Length', 4).end('slow');
  expect((await asking.answer())?.body).toBe('slow');
});

it('an answer that waits for one before it ends when the client goes', async () => {
  const begun: string[] = [];
  const { port, answers } = await start((request) => void begun.push(request.url ?? ''));
  const asking = await RawConnection.open(port);
  asking.send(get('/slow') + get('/waiting'));
  await expect.poll(() => answers.size).toBe(2);
  asking.cut();
  await expect.poll(() => answers.size).toBe(0);
  expect(begun).toEqual(['/slow']);
});

const fast: RequestListener = (request, response) => {
  if (request.url !== '/slow') response.setHeader('Content-Length', 2).end('ok');
};

it('bytes long after the last request of a connection are not read', async () => {
  const { port } = await start(fast);
  const asking = await RawConnection.open(port);
  for (let count = 1; count < 100; count += 1) {
    asking.send(get('/fast'));
    await asking.answer();
  }
  asking.send(get('/slow'));
  for (let count = 0; count < 2000; count += 1) asking.send(get(`/${'x'.repeat(15_000)}`));
  await asking.stands();
  expect(asking.unsent).toBeGreaterThan(10_000_000);
  asking.cut();
});

it('a request that the server itself does not read on is not late', async () => {
  const slow: ServerResponse[] = [];
  const { port } = await start(
    (request, response) => {
      if (request.url === '/slow') slow.push(response);
      else fast(request, response);
    },
    { headersTimeout: 600, connectionsCheckingInterval: 50 },
  );
  const asking = await RawConnection.open(port);
  asking.send(get('/slow'));
  const more = 90;
  for (let count = 0; count < more; count += 1) asking.send(get(`/${'x'.repeat(15_000)}`));
  // Longer than a request may take to come.
  for (let times = 0; times < 2; times += 1) await asking.stands();
  slow[0]?.setHeader('Content-Length', 4).end('slow');
  for (let count = 0; count <= more; count += 1) expect((await asking.answer())?.status).toBe(200);
  asking.cut();
});
