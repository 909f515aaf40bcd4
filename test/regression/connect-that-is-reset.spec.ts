// Node hands out the connection of a CONNECT without any listener of its own. A client that reset this connection ended
// the server process. An answer before the CONNECT that needed more than one write was never sent in full.
import { expect, it, onTestFinished } from 'vitest';
import { writeOut } from '../../src-main/http/write-out.ts';
import { RawConnection, rawCall } from '../builders/raw-http.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { rawGet, startSmallServer } from '../builders/small-server.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const connectRequest = 'CONNECT x HTTP/1.1\r\nHost: h\r\n\r\n';

it('a CONNECT that is reset does not end the server', { timeout: 60_000 }, async () => {
  const server = await startServerProcess({ dataDir: await temporaryFolder() });
  onTestFinished(() => server.stop());
  const port = Number(new URL(server.url).port);
  for (let turn = 0; turn < 60; turn += 1) {
    const connection = await RawConnection.open(port);
    connection.send(connectRequest);
    if (turn % 2 === 1) await connection.answer();
    connection.send('more');
    connection.reset();
  }
  expect((await rawCall(port, rawGet(port, '/openapi.json')))?.status).toBe(200);
  expect(server.process.exitCode).toBeNull();
});

it('an answer before a CONNECT comes whole, however large', async () => {
  const pieces = 200;
  const piece = Buffer.alloc(64 * 1024, 'x');
  let written = 0;
  const server = await startSmallServer(async (context) => {
    context.respond = false;
    context.res.setHeader('Content-Length', pieces * piece.length);
    for (; written < pieces; written += 1) await writeOut(context.res, piece);
    context.res.end();
  });
  const connection = await RawConnection.open(server.port);
  connection.pause();
  connection.send(`${rawGet(server.port, '/large')}${connectRequest}`);
  // Nothing is taken: it waits for the client.
  await expect.poll(() => written).toBeGreaterThan(0);
  expect(written).toBeLessThan(pieces);
  connection.resume();
  expect((await connection.answer())?.body).toHaveLength(pieces * piece.length);
  expect((await connection.answer())?.status).toBe(405);
  await server.close();
});
