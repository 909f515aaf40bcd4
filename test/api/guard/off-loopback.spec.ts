// The server that other machines reach: TLS, certificates that are renewed, proxies, names.
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import type { Clock } from '../../../src-main/base/clock.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { CertificateFiles } from '../../../src-main/files/certificate-files.ts';
import { arrivalThrough, proxiesOf } from '../../../src-main/http/arrival.ts';
import { createHttpApp } from '../../../src-main/http/create-http-app.ts';
import { publicSite } from '../../../src-main/http/guard.ts';
import { startServer, type ListenOptions, type RunningServer } from '../../../src-main/http/server.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { RawConnection, type RawAnswer } from '../../builders/raw-http.ts';
import { recordedLog } from '../../builders/recorded-log.ts';
import { secureGet, tlsFixture } from '../../builders/secure-get.ts';

const publicOrigin = 'https://rowbench.example';
/** The HTTP layer with one route, on the address of `listen`. */
async function start(listen: ListenOptions, clock: Clock = systemClock): Promise<RunningServer> {
  const listener = (port: number) =>
    createHttpApp({
      site: publicSite({
        publicOrigin,
        listensOn: [{ host: listen.host, port }],
        isEncrypted: listen.certificate !== undefined,
      }),
      arrivalOf: arrivalThrough(listen.proxies),
      publicApi: (context) => void (context.body = 'ours'),
      clock,
      log: silentLog,
    });
  const server = await startServer({ port: 0, listen, listener, clock, log: silentLog });
  onTestFinished(() => server.close(0));
  return server;
}

async function certificateFiles(log = silentLog) {
  const folder = await mkdtemp(join(tmpdir(), 'rowbench-tls-'));
  const paths = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const use = async (name: string): Promise<void> => {
    await copyFile(tlsFixture(`${name}.cert`), paths.certFile);
    await copyFile(tlsFixture(`${name}.key`), paths.keyFile);
  };
  await use('self-signed');
  const clock = new FakeClock();
  const files = await CertificateFiles.open(paths, { clock, log });
  onTestFinished(async () => {
    files.close();
    await rm(folder, { recursive: true });
  });
  return { files, paths, use, clock };
}

async function startTls() {
  const certificate = await certificateFiles();
  const server = await start({ host: '127.0.0.1', certificate: certificate.files, proxies: proxiesOf([]) });
  return { ...certificate, server };
}

/** One request as those bytes; undefined if the connection ended without an answer. */
async function plainGet(
  port: number,
  headers: readonly string[],
  host = '127.0.0.1',
): Promise<RawAnswer | undefined> {
  const connection = await RawConnection.open(port, host);
  connection.send(`GET / HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`);
  const answer = await connection.answer();
  connection.cut();
  return answer;
}

describe('a server with a certificate', () => {
  it('answers under its public name, and tells browsers to keep to https', async () => {
    const { server } = await startTls();
    expect(await secureGet(server.port, { headers: { host: 'rowbench.example' } })).toEqual({
      status: 200,
      body: 'ours',
      hsts: 'max-age=31536000',
    });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
  });

  it('answers this machine under a loopback name, without binding its other servers to https', async () => {
    const { server } = await startTls();
    expect(await secureGet(server.port, { headers: { host: `localhost:${server.port}` } })).toEqual({
      status: 200,
      body: 'ours',
      hsts: undefined,
    });
  });

  it.each([
    [{ host: 'evil.example' }, 'It must be the host of --public-url'],
    [{ host: 'rowbench.example', origin: 'https://evil.example' }, 'other origins'],
    [{ host: 'rowbench.example', origin: 'http://rowbench.example' }, 'other origins'],
    [{ host: 'rowbench.example', 'sec-fetch-site': 'cross-site' }, 'other sites'],
  ])('refuses %j', async (headers, message) => {
    const { server } = await startTls();
    const answer = await secureGet(server.port, { headers });
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining(message)]);
  });

  it('closes a connection that speaks http, and goes on', async () => {
    const { server } = await startTls();
    expect(await plainGet(server.port, ['Host: rowbench.example'])).toBeUndefined();
    expect(await secureGet(server.port, { headers: { host: 'rowbench.example' } })).toMatchObject({
      status: 200,
    });
  });

  it('does not wait at its end for a handshake that never comes', async () => {
    const { server } = await startTls();
    const silent = await RawConnection.open(server.port);
    await expect.poll(() => server.connections()).toBe(1);
    await server.close(10);
    expect(await silent.closed()).toBe('');
  });

  it('ends the oldest handshakes that never come when they crowd out other clients', async () => {
    const { files } = await certificateFiles();
    const clock = new FakeClock();
    const server = await start({ host: '127.0.0.1', certificate: files, proxies: proxiesOf([]) }, clock);
    const silent = [];
    for (let count = 0; count < 448; count += 1) silent.push(await RawConnection.open(server.port));
    await expect.poll(() => server.connections()).toBe(448);
    clock.advance(1_000);
    expect(await secureGet(server.port, { headers: { host: 'rowbench.example' } })).toMatchObject({
      status: 200,
    });
    expect(await silent[0]?.closed()).toBe('');
    silent.forEach((connection) => connection.cut());
  });

  it('counts an encrypted connection once', async () => {
    const { server } = await startTls();
    const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    await expect.poll(() => server.connections()).toBe(1);
    socket.destroy();
    await expect.poll(() => server.connections()).toBe(0);
  });
});

describe('a certificate that is renewed', () => {
  it('is used by new connections without a restart', async () => {
    const { server, use, clock } = await startTls();
    await use('renewed');
    clock.advance(10_000);
    await expect
      .poll(() =>
        secureGet(server.port, { headers: { host: 'rowbench.example' }, trusted: 'renewed' }).catch(String),
      )
      .toMatchObject({ status: 200 });
  });

  it('is not used while its key does not fit', async () => {
    const { log, lines } = recordedLog();
    const { files, paths } = await certificateFiles();
    const listen = { host: '127.0.0.1', certificate: files, proxies: proxiesOf([]) };
    const listener = () => (_: unknown, response: { end(text: string): void }) => response.end('ours');
    const server = await startServer({ port: 0, listen, listener, clock: systemClock, log });
    onTestFinished(() => server.close(0));
    await copyFile(tlsFixture('renewed.cert'), paths.certFile);
    await files.refresh();
    expect(lines).toEqual(['the TLS certificate changed and cannot be used: the one before it stays in use']);
    expect(await secureGet(server.port)).toMatchObject({ status: 200 });
    await copyFile(tlsFixture('renewed.key'), paths.keyFile);
    await files.refresh();
    expect(await secureGet(server.port, { trusted: 'renewed' })).toMatchObject({ status: 200 });
  });

  it('is logged when its files cannot be read, and read again later', async () => {
    const { log, lines } = recordedLog();
    const { files, paths, use } = await certificateFiles(log);
    await rm(paths.keyFile);
    await files.refresh();
    expect(lines).toEqual(['the files of the TLS certificate could not be read']);
    await use('renewed');
    await files.refresh();
    expect(files.current.cert).toBe(await readFile(tlsFixture('renewed.cert'), 'utf8'));
  });
});

it('a certificate that is none is refused at the start', async () => {
  const { files, paths } = await certificateFiles();
  await writeFile(paths.certFile, 'none');
  await files.refresh();
  await expect(start({ host: '127.0.0.1', certificate: files, proxies: proxiesOf([]) })).rejects.toThrow(
    'The certificate of --tls-cert cannot be used with the key of --tls-key',
  );
});

describe('a server behind a proxy', () => {
  // Of 127.0.0.0/8, only 127.0.0.1 counts as this machine here.
  const isLoopback = (address: string): boolean => address === '127.0.0.1';
  const startBehind = (proxy: string) => start({ host: '0.0.0.0', proxies: proxiesOf([proxy]), isLoopback });
  const https = ['X-Forwarded-For: 203.0.113.7', 'X-Forwarded-Proto: https'];

  it('answers what the proxy received by https, and refuses what it received by http', async () => {
    const { port } = await startBehind('127.0.0.1');
    const viaHttps = await plainGet(port, ['Host: rowbench.example', ...https]);
    expect([viaHttps?.status, viaHttps?.headers['strict-transport-security']]).toEqual([
      200,
      'max-age=31536000',
    ]);
    for (const protocol of [['X-Forwarded-Proto: http'], []]) {
      const refused = await plainGet(port, [
        'Host: rowbench.example',
        'X-Forwarded-For: 203.0.113.7',
        ...protocol,
      ]);
      expect([refused?.status, refused?.body]).toEqual([403, expect.stringContaining('used over https')]);
    }
  });

  it('leaves it to the proxy to close idle connections', async () => {
    const { port } = await startBehind('127.0.0.1');
    const answer = await plainGet(port, ['Host: rowbench.example', ...https]);
    expect(answer?.headers['keep-alive']).toBe('timeout=64');
  });

  it('answers a client that claims to be this machine under the public name alone', async () => {
    const { port } = await startBehind('127.0.0.1');
    const claim = 'X-Forwarded-For: 127.0.0.1, 203.0.113.7';
    const refused = await plainGet(port, [`Host: localhost:${port}`, claim, 'X-Forwarded-Proto: https']);
    expect([refused?.status, refused?.body]).toEqual([403, expect.stringContaining('--public-url')]);
  });

  it('takes no word of another peer for https', async () => {
    const { port } = await startBehind('127.0.0.9');
    const refused = await plainGet(port, ['Host: rowbench.example', ...https]);
    expect([refused?.status, refused?.body]).toEqual([403, expect.stringContaining('used over https')]);
    expect(await plainGet(port, [`Host: localhost:${port}`, ...https])).toMatchObject({ status: 200 });
  });

  it('accepts no connection of a peer that is neither a proxy nor this machine', async () => {
    const strict = (address: string): boolean => address === '127.0.0.8';
    const { port } = await start({ host: '0.0.0.0', proxies: proxiesOf(['127.0.0.9']), isLoopback: strict });
    expect(await plainGet(port, ['Host: rowbench.example', ...https])).toBeUndefined();
  });
});
