import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { startServer, type RunningServer } from '../../../src-main/http/server.ts';
import { RawConnection } from '../../builders/raw-http.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

const started: RunningServer[] = [];
const strangers: Server[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
  await Promise.all(strangers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function start(port: number, unsafeListen?: string): Promise<RunningServer> {
  const server = await startServer({
    port,
    ...(unsafeListen === undefined ? {} : { unsafeListen }),
    listener: () => (_request, response) => response.end('ours'),
    clock: systemClock,
    log: silentLog,
  });
  started.push(server);
  return server;
}

function occupy(host: string, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    strangers.push(server);
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: true }, () => resolve((server.address() as { port: number }).port));
  });
}

describe('a started server', () => {
  it('answers on both loopback addresses and says where', async () => {
    const { port, url } = await start(0);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    for (const host of hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']) {
      const response = await fetch(`http://${host}:${port}/`);
      expect(await response.text()).toBe('ours');
    }
  });

  it('is not there on any other address of the machine', async () => {
    const { port } = await start(0);
    const outside = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, internal, scopeid } of outside) {
      if (internal || (scopeid ?? 0) !== 0) continue;
      await expect(RawConnection.open(port, address)).rejects.toThrow('ECONNREFUSED');
    }
    await expect(RawConnection.open(port, '127.0.0.2')).rejects.toThrow('ECONNREFUSED');
  });

  it('gives the port back when it is closed', async () => {
    const server = await start(0);
    const { port } = server;
    await server.close();
    expect((await start(port)).port).toBe(port);
  });
});

describe('a port that is taken', () => {
  it('on 127.0.0.1 is refused with its number', async () => {
    const port = await occupy('127.0.0.1');
    await expect(start(port)).rejects.toMatchObject({
      code: 'port_taken',
      message: `Port ${port} is already taken on 127.0.0.1. Stop the program that uses it, or choose another with --port`,
    });
  });

  it.runIf(hasIpv6)('on ::1 alone is refused too, and 127.0.0.1 is let go again', async () => {
    const port = await occupy('::1');
    await expect(start(port)).rejects.toMatchObject({ code: 'port_taken' });
    expect(await occupy('127.0.0.1', port)).toBe(port);
  });
});

describe('a further address', () => {
  it('is listened on beside the loopback ones', async () => {
    const { port } = await start(0, '127.0.0.3');
    for (const host of ['127.0.0.3', '127.0.0.1']) {
      expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('ours');
    }
  });

  it('may be all of a family', async () => {
    const { port } = await start(0, '0.0.0.0');
    expect(await (await fetch(`http://127.0.0.9:${port}/`)).text()).toBe('ours');
  });

  it.each(['', '  '])('is never empty: %j does not mean all', async (host) => {
    await expect(start(0, host)).rejects.toThrow('an address must be named');
  });

  it('must be one of the machine', async () => {
    await expect(start(0, '192.0.2.1')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
