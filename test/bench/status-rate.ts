// Status calls a second over raw connections: a client that costs little leaves the machine to the servers.
import { once } from 'node:events';
import { connect } from 'node:net';
import { statusPath } from '../builders/start-test-app.ts';
import { testKey } from '../builders/server-process.ts';
import { median } from './figures.ts';
import type { Subject } from './subjects.ts';

const connections = 16;
const callsEach = 500;
const turns = 12;

/** Calls a second of Rowbench, and of the server on the other port, each the middle of many turns that alternate. */
export async function statusRate(
  rowbench: Subject,
  otherPort: number,
  runId: string,
): Promise<[number, number]> {
  const path = statusPath('text', runId);
  const ports = [rowbench.port, otherPort];
  const rates = ports.map((): number[] => []);
  for (let turn = -2; turn < turns; turn += 1) {
    for (const [which, port] of ports.entries()) {
      const began = performance.now();
      await Promise.all(Array.from({ length: connections }, () => manyCalls(port, path)));
      const perSecond = (connections * callsEach * 1000) / (performance.now() - began);
      if (turn >= 0) rates[which]?.push(perSecond);
    }
  }
  return [median(rates[0] ?? []), median(rates[1] ?? [])];
}

/** One call after the other over one connection. Throws at any answer but 200. */
async function manyCalls(port: number, path: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const asked = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nx-service-key: ${testKey}\r\n\r\n`;
  let left = callsEach;
  let received = '';
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server hung up')));
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const end = wholeAnswer(received);
      if (end === undefined) return;
      if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received));
      received = received.slice(end);
      left -= 1;
      if (left === 0) resolve();
      else socket.write(asked);
    });
    socket.write(asked);
  });
  socket.destroy();
}

/** Where the first answer ends, once it is whole. */
function wholeAnswer(received: string): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
  const end = headEnd + 4 + length;
  return received.length >= end ? end : undefined;
}
