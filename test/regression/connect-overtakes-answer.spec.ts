// A CONNECT sent behind another request was refused at once. Its answer overtook the answer before it, and the client
// took it for that one.
import { expect, it } from 'vitest';
import { deferred } from '../../src-main/base/deferred.ts';
import { RawConnection } from '../builders/raw-http.ts';
import { rawGet, startSmallServer } from '../builders/small-server.ts';

it('a CONNECT behind a request waits for the answer to that', async () => {
  const gate = deferred();
  const handled: string[] = [];
  const server = await startSmallServer(async (context) => {
    handled.push(context.path);
    await gate.promise;
    context.body = { success: true, data: {} };
  });
  const connection = await RawConnection.open(server.port);
  connection.send(`${rawGet(server.port, '/first')}CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await expect.poll(() => handled).toEqual(['/first']);
  gate.resolve();
  expect((await connection.answer())?.status).toBe(200);
  expect((await connection.answer())?.status).toBe(405);
  expect(await connection.closed()).toBe('');
  await server.close();
});
