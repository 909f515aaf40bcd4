import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RawConnection } from '../../builders/raw-http.ts';
import { rawGet, startSmallServer } from '../../builders/small-server.ts';

// Raw bytes against the real server: whatever the headers are, a request that does not name us is refused with 4xx
// and nothing is thrown.

const requests = 1_500;
const atOnce = 40;

const headerName = fc.oneof(
  fc.constantFrom(
    'Host',
    'hOsT',
    'Origin',
    'Sec-Fetch-Site',
    'Connection',
    'Expect',
    'Upgrade',
    'Content-Length',
  ),
  fc.string({ maxLength: 12 }),
);
const headerValue = fc.oneof(
  fc.constantFrom(
    '127.0.0.1',
    'localhost:1',
    'evil.com',
    'null',
    'same-origin',
    'cross-site',
    '100-continue',
    '[::1',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constant('a'.repeat(5000)),
);
const method = fc.constantFrom('GET', 'POST', 'OPTIONS', 'DELETE', 'PUT', 'BREW', 'get');
const target = fc.oneof(fc.constantFrom('/', '/api/v1/x', '*', '//', '/%E0%A4%A', 'http://a/'), fc.webPath());
const request = fc
  .tuple(method, target, fc.array(fc.tuple(headerName, headerValue), { maxLength: 8 }))
  .map(([verb, path, headers]) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`${verb} ${path} HTTP/1.1\r\n${lines.join('')}\r\n\r\n`);
  });

it('the guard refuses 1,500 random requests, and the server goes on', async () => {
  let handled = 0;
  const server = await startSmallServer((context) => {
    handled += 1;
    context.body = { success: true, data: {} };
  });
  const statuses = new Map<number, number>();
  const queue = fc.sample(request, requests);
  const client = async (): Promise<void> => {
    for (let bytes = queue.pop(); bytes !== undefined; bytes = queue.pop()) {
      const connection = await RawConnection.open(server.port);
      connection.send(bytes);
      const status = (await connection.answer())?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      connection.cut();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));

  expect([...statuses.keys()].every((status) => status >= 400 && status < 500)).toBe(true);
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(requests);
  expect(statuses.get(403)).toBeGreaterThan(requests / 10);
  expect(handled).toBe(0);

  const canary = await RawConnection.open(server.port);
  canary.send(rawGet(server.port, '/'));
  expect((await canary.answer())?.status).toBe(200);
  await server.close();
});
