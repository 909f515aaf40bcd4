// A status call with a body was answered, and its connection was closed at once. Bytes that were still arriving made
// the system reset the connection, and the reset overtook the answer.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { flowText } from '../builders/flow-file.ts';
import { outputPath, startTestApp, statusPath } from '../builders/start-test-app.ts';

/** More than the system holds of what is sent and not read. */
const unwanted = Buffer.alloc(30_000_000, 'x');

it.each([
  ['a status', statusPath],
  ['a small output', outputPath],
])('%s is told, and the body that its client goes on to send is taken', async (_, pathOf) => {
  const app = await startTestApp({ workflows: { flow: flowText() }, limits: 'off' });
  onTestFinished(() => app.close());
  const runId = await app.run('flow', [{ n: 1 }]);
  await expect
    .poll(async () => (await app.call(statusPath('flow', runId))).body)
    .toMatchObject({ data: { status: 'completed' } });
  const socket = connect(app.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const head = `GET ${pathOf('flow', runId)} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nx-service-key: ${app.key}\r\n`;
  socket.write(`${head}Content-Length: ${unwanted.length}\r\n\r\nx`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*\{"success":true/);
  const failure = await new Promise((resolve) => {
    socket.once('error', resolve);
    socket.write(unwanted.subarray(1), resolve);
  });
  expect(failure).toBeFalsy();
});
