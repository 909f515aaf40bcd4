// A proxy in front of the real server that makes one of its checks useless: a rig must find that. The test changes the
// requests that the proxy passes on: with a Host of ours, without an Origin, with a key that the caller never had.
import { Agent, createServer, request as call, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type PassedOn = {
  readonly method: string;
  readonly path: string;
  /** Headers in their original order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
};

/** Changes a request before it is passed on. A number is the status with which the proxy answers by itself. */
export type Plant = (passed: PassedOn) => PassedOn | number;

/** Starts the proxy until the end of the test; resolves to its port. */
export async function openDoor(port: number, plant: Plant): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const planted = plant(passedOn(request));
    if (typeof planted === 'number') {
      request.resume();
      response
        .writeHead(planted, { 'content-type': 'application/json' })
        .end('{"success":false,"error":"x"}');
      return;
    }
    const { method, path, headers } = planted;
    const onward = call({
      host: '127.0.0.1',
      port,
      method,
      path,
      setHost: false,
      headers: headers.flat(),
    });
    onward.on('response', (answer) => {
      const last = answer.headers.connection === 'close' ? ['Connection', 'close'] : [];
      response.writeHead(answer.statusCode ?? 502, [
        ...answer.rawHeaders.filter(notOfOneConnection),
        ...last,
      ]);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };
  const server = createServer({ requireHostHeader: false }, pass);
  server.on('upgrade', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

function passedOn({ method = 'GET', url = '/', rawHeaders }: IncomingMessage): PassedOn {
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return { method, path: url, headers };
}

/** The door makes its own of these. */
const notOfOneConnection = (_: string, index: number, all: readonly string[]): boolean =>
  !['connection', 'keep-alive', 'transfer-encoding', 'content-length'].includes(
    (all[index - (index % 2)] ?? '').toLowerCase(),
  );

/** Removes the headers with these names. */
export const without =
  (...names: readonly string[]): Plant =>
  (passed) => ({
    ...passed,
    headers: passed.headers.filter(([name]) => !names.includes(name.toLowerCase())),
  });

/** Replaces all headers of this name by one. */
export const having =
  (name: string, value: string): Plant =>
  (passed) => ({
    ...passed,
    headers: [...passed.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase()), [name, value]],
  });

/** All of them, in their order. */
export const plants =
  (...all: readonly Plant[]): Plant =>
  (passed) =>
    all.reduce<PassedOn | number>((so, plant) => (typeof so === 'number' ? so : plant(so)), passed);
