// Calls through a proxy: it is asked for checked public addresses alone, and what may not be reached is refused as without it.
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { testBroker } from '../../builders/test-broker.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

/** A proxy that leads every tunnel to one port of this machine, or refuses all. */
async function startProxy(target: number | 'refuses') {
  const requested: { readonly path: string; readonly authorization: string | undefined }[] = [];
  const server: Server = createServer((_, response) => response.writeHead(400).end());
  server.on('connect', (request, client, head) => {
    requested.push({ path: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    client.on('error', () => undefined);
    if (target === 'refuses') return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const upstream = connect(target, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const proxyFor = () => new URL(`http://user:p%40ss@127.0.0.1:${port}`);
  return { requested, proxyFor, port };
}

const lookup = async (host: string): Promise<readonly string[]> =>
  host === 'inside.example' ? ['10.0.0.7'] : ['203.0.113.9', '93.184.216.34'];

it('a public host is asked for by its checked address, and answers through the tunnel', async () => {
  const upstream = await startUpstream({ '/a': json({ ok: 1 }) });
  const { requested, proxyFor } = await startProxy(upstream.port);
  const { ask } = testBroker({ granted: ['public'], lookup, proxyFor });
  const url = 'http://api.example.com/a';
  const heard = [await ask(url), await ask(url), await ask(url), await ask(url)];
  expect(heard.map((each) => each.kind === 'answered' && each.text)).toEqual(Array(4).fill('{"ok":1}'));
  expect(upstream.calls[0]?.headers.host).toBe('api.example.com');
  expect(JSON.stringify(upstream.calls.map(({ headers }) => headers))).not.toContain('proxy-authorization');
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
  expect(requested.length).toBeLessThanOrEqual(2);
  expect(requested.slice(0, 1)).toEqual([{ path: '93.184.216.34:80', authorization }]);
});

it.each([
  'http://inside.example/',
  'http://10.0.0.7/',
  'http://127.0.0.1/',
  'http://metadata.google.internal/',
  'http://169.254.169.254/',
])('%s is refused, and no proxy is asked', async (url) => {
  const { requested, proxyFor } = await startProxy('refuses');
  const { ask } = testBroker({ granted: ['public'], lookup, proxyFor });
  expect(await ask(url)).toMatchObject({ kind: 'failed', isFinal: true });
  expect(requested).toEqual([]);
});

it('what is not public, and was granted, is called directly', async () => {
  const upstream = await startUpstream();
  const { requested, proxyFor } = await startProxy('refuses');
  const { ask } = testBroker({ granted: ['public', 'loopback'], proxyFor });
  expect(await ask(upstream.url('/'))).toMatchObject({ status: 200 });
  expect(requested).toEqual([]);
});

it('a proxy that refuses, or is not there, is named, without its password', async () => {
  const { proxyFor, port } = await startProxy('refuses');
  const refused = testBroker({ granted: ['public'], lookup, proxyFor });
  expect(await refused.ask('https://api.example.com/')).toMatchObject({
    kind: 'failed',
    message: `GET https://api.example.com/ was refused by the proxy 127.0.0.1:${port} with status 403`,
  });
  const gone = testBroker({
    granted: ['public'],
    lookup,
    proxyFor: () => new URL('http://user:pass@127.0.0.1:9'),
  });
  const heard = await gone.ask('https://api.example.com/');
  expect(heard).toMatchObject({
    message: expect.stringContaining('the proxy 127.0.0.1:9 did not answer') as string,
  });
  expect(JSON.stringify(heard)).not.toContain('pass@');
});
