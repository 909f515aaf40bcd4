// A connection on which a further answer was under way was taken for an idle one when an answer before it had ended, and
// closed when room was needed.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { limitConnections } from '../../src-main/http/per-connection.ts';
import { RawConnection } from '../builders/raw-http.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

it('a connection with an answer under way is not idle, whatever has ended on it', async () => {
  const slow: ServerResponse[] = [];
  const server = createServer();
  limitConnections(server, {
    maxRequests: 100,
    maxIdle: 1,
    answers: new Set(),
    listener: (request, response) => {
      if (request.url === '/slow') slow.push(response);
      else response.setHeader('Content-Length', 4).end('fast');
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;

  const asking = await RawConnection.open(port);
  asking.send(get('/fast') + get('/slow'));
  expect((await asking.answer())?.body).toBe('fast');
  await expect.poll(() => slow.length).toBe(1);
  const idle = await RawConnection.open(port);
  const newest = await RawConnection.open(port);
  newest.send(get('/fast'));
  expect((await newest.answer())?.body).toBe('fast');
  // Of those that ask nothing one has had to go.
  expect(await idle.closed()).toBe('');
  slow[0]?.setHeader('Content-Length', 4).end('slow');
  expect((await asking.answer())?.body).toBe('slow');
});
