// The address that a call connects to decides whether the workflow may reach it.
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { testBroker } from '../../builders/test-broker.ts';
import { json, redirectTo, startUpstream } from '../../builders/upstream-server.ts';

const localTricks = (port: number): string[] => [
  `http://127.0.0.1:${port}/`,
  `http://localhost:${port}/`,
  `http://LOCALHOST:${port}/`,
  `http://127.1:${port}/`,
  `http://2130706433:${port}/`,
  `http://0x7f000001:${port}/`,
  `http://0x7f.1:${port}/`,
  `http://0177.0.0.1:${port}/`,
  `http://127.0.0.1.:${port}/`,
  `http://１２７.0.0.1:${port}/`,
  `http://0:${port}/`,
  `http://0.0.0.0:${port}/`,
  `http://[::1]:${port}/`,
  `http://[::]:${port}/`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://[::ffff:7f00:1]:${port}/`,
  `http://[::127.0.0.1]:${port}/`,
  `http://[64:ff9b::7f00:1]:${port}/`,
  `http://[2002:7f00:1::]:${port}/`,
  `http://[::ffff:0:127.0.0.1]:${port}/`,
  `http://[0:0:0:0:0:0:0:1]:${port}/`,
  `http://017700000001:${port}/`,
  `http://0x7F.0x0.0x0.0x1:${port}/`,
  `http://127。0。0。1:${port}/`,
  `http://①②⑦.⓪.⓪.①:${port}/`,
  `http://%31%32%37.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:127.0.0.1:${port}`,
  `http://127.0.0.1:${port}#@example.com/`,
  `http://127.0.0.1:${port}\\@example.com/`,
  `http://127.255.255.254:${port}/`,
];

describe('without a grant', () => {
  it('this machine is not reached, whatever its address is written like', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker({ granted: ['public', 'lan'] });
    for (const url of localTricks(upstream.port)) {
      const heard = await ask(url);
      expect(heard.kind === 'failed' && heard.message).toContain('this machine itself (class loopback)');
    }
    expect(upstream.calls).toEqual([]);
  });

  it.each(['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.1.1', '[fe80::1]', '[fd00::1]'])(
    '%s in the local network is not reached',
    async (host) => {
      const heard = await testBroker({ granted: ['public', 'loopback'] }).ask(`http://${host}/`);
      expect(heard.kind === 'failed' && heard.message).toContain('in the local network (class lan)');
    },
  );

  it('the message names the host and the class, and the grant stands beside it', async () => {
    const heard = await testBroker({ granted: ['public'] }).ask('http://127.0.0.1:1/a?key=x');
    expect(heard).toEqual({
      kind: 'failed',
      message:
        'GET http://127.0.0.1:1/a?key=… is refused: 127.0.0.1 is this machine itself (class loopback), which ' +
        'flow was not granted',
      isFinal: true,
      missingGrant: { network: 'loopback', workflowId: 'flow' },
    });
  });

  it('not even the internet is reached by a workflow that was granted nothing', async () => {
    const heard = await testBroker({ granted: [] }).ask('http://1.1.1.1/');
    expect(heard.kind === 'failed' && heard.message).toContain('on the internet (class public)');
  });
});

describe('with every grant', () => {
  const granted = ['public', 'lan', 'loopback'] as const;

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://metadata.goog/',
    'http://instance-data/',
    'http://169.254.170.2/',
    'http://168.63.129.16/',
    'http://[::ffff:168.63.129.16]/',
    'http://192.0.0.192/',
    'http://[fd20:ce::254]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://0251.0376.0251.0376/',
  ])('%s is not reached: metadata', async (url) => {
    const lookup = () => Promise.resolve(['8.8.8.8']);
    const heard = await testBroker({ granted, lookup }).ask(url);
    expect(heard.kind === 'failed' && heard.message).toContain("gives out a machine's own credentials");
  });

  it.each([
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://[ff02::1]/',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[100::1]/',
    'http://192.0.2.1/',
  ])('%s is not reached: reserved', async (url) => {
    const heard = await testBroker({ granted }).ask(url);
    expect(heard.kind === 'failed' && heard.message).toContain('is no address that anybody can be called at');
  });

  it('Rowbench itself is not reached, by any of its addresses', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker({ granted, ownPorts: () => [upstream.port] });
    const others = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const hosts = others.map(({ address, family }) =>
      family === 'IPv6' ? `[${address.replace(/%.*/, '')}]` : address,
    );
    for (const url of [
      ...localTricks(upstream.port),
      ...hosts.map((host) => `http://${host}:${upstream.port}/`),
    ]) {
      const heard = await ask(url);
      expect(heard.kind === 'failed' && heard.message).toContain(
        'Rowbench itself, which workflows never call',
      );
    }
    expect(upstream.calls).toEqual([]);
  });

  it.each(['10.20.30.40', 'db.internal'])(
    'the server %s:5432 that belongs to Rowbench is not reached, by name or address',
    async (host) => {
      const lookup = async () => ['10.20.30.40'];
      const { ask } = testBroker({ granted, lookup, ownServers: () => [{ host, port: 5432 }] });
      const hosts = ['10.20.30.40', '0x0a141e28', 'alias.example', 'db.internal', '[::ffff:10.20.30.40]'];
      for (const target of hosts) {
        const heard = await ask(`http://${target}:5432/`);
        expect(heard.kind === 'failed' && heard.message).toContain('Rowbench itself');
      }
    },
  );

  it('a server of Rowbench on this machine is not reached by any other address of it', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker({ granted, ownServers: () => [{ host: 'localhost', port: upstream.port }] });
    for (const url of localTricks(upstream.port)) {
      const heard = await ask(url);
      expect(heard.kind === 'failed' && heard.message).toContain('Rowbench itself');
    }
    expect(upstream.calls).toEqual([]);
  });

  it('another port of such a server is reached', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker({ granted, ownServers: () => [{ host: '127.0.0.1', port: 1 }] });
    expect(await ask(upstream.url('/'))).toMatchObject({ status: 200 });
  });

  it('nothing is called at the port of such a server while its name cannot be looked up', async () => {
    const upstream = await startUpstream();
    const lookup = () => Promise.reject(new Error('no name server'));
    const ownServers = () => [{ host: 'db.internal', port: upstream.port }];
    const heard = await testBroker({ granted, lookup, ownServers }).ask(upstream.url('/'));
    expect(heard.kind === 'failed' && heard.message).toContain('Rowbench itself could not be looked up');
    expect(upstream.calls).toEqual([]);
  });

  it('a granted name is reached', async () => {
    const upstream = await startUpstream();
    const { ask } = testBroker({ granted });
    expect(await ask(`http://localhost:${upstream.port}/`)).toMatchObject({ status: 200 });
  });
});

describe('a name', () => {
  it('that changes its address is judged by the one that is connected to', async () => {
    const upstream = await startUpstream({ '/': json({}, 200, { connection: 'close' }) });
    const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254'];
    const lookup = async () => [answers.shift() ?? ''];
    const { ask } = testBroker({ lookup });
    const url = `http://rebinding.example:${upstream.port}/`;
    expect(await ask(url)).toMatchObject({ status: 200 });
    const later = [await ask(url), await ask(url)];
    expect(later.map((heard) => heard.kind === 'failed' && heard.message)).toEqual([
      expect.stringContaining('rebinding.example (10.0.0.1) is in the local network'),
      expect.stringContaining("rebinding.example (169.254.169.254) gives out a machine's own credentials"),
    ]);
    expect(upstream.calls).toHaveLength(1);
  });

  it('is looked up once for a connection', async () => {
    const upstream = await startUpstream();
    let lookups = 0;
    const lookup = async () => ((lookups += 1), ['127.0.0.1']);
    expect(await testBroker({ lookup }).ask(`http://name.example:${upstream.port}/`)).toMatchObject({
      status: 200,
    });
    expect(lookups).toBe(1);
  });

  it('with several addresses is connected to only at those that were granted', async () => {
    const upstream = await startUpstream();
    const lookup = async () => ['169.254.169.254', '10.0.0.1', '127.0.0.1'];
    expect(await testBroker({ lookup }).ask(`http://name.example:${upstream.port}/`)).toMatchObject({
      status: 200,
    });
  });

  it('without an address is a failure', async () => {
    const heard = await testBroker({ lookup: async () => [] }).ask('http://name.example/');
    expect(heard.kind === 'failed' && heard.message).toContain('its name has no address');
  });
});

describe('a redirect', () => {
  it.each([
    ['http://192.168.1.1/', 'in the local network'],
    ['http://169.254.169.254/', "machine's own credentials"],
    ['http://metadata.google.internal/', "machine's own credentials"],
    ['http://1.1.1.1/', 'on the internet'],
  ])('to %s is judged like a first call', async (location, words) => {
    const upstream = await startUpstream({ '/': redirectTo(location) });
    const heard = await testBroker().ask(upstream.url('/'));
    expect(heard.kind === 'failed' && heard.message).toContain(words);
    expect(upstream.calls).toHaveLength(1);
  });

  it('to Rowbench itself is judged like a first call', async () => {
    const own = await startUpstream();
    const upstream = await startUpstream({ '/': redirectTo(own.url('/')) });
    const heard = await testBroker({ ownPorts: () => [own.port] }).ask(upstream.url('/'));
    expect(heard.kind === 'failed' && heard.message).toContain('Rowbench itself');
    expect(own.calls).toEqual([]);
  });
});

it('a connection made under one grant does not serve a workflow with another', async () => {
  const upstream = await startUpstream();
  const { broker } = testBroker();
  const context = {
    idempotencyKey: 'k',
    signal: new AbortController().signal,
    origin: { row: 1, site: 'node', attempt: 1 },
  };
  const request = { method: 'GET', url: upstream.url('/'), headers: [] };
  const one = broker.upstream({ workflowId: 'one', classes: ['loopback'] });
  const two = broker.upstream({ workflowId: 'two', classes: ['public'] });
  expect(await one.call(request, context)).toMatchObject({ status: 200 });
  expect(await two.call(request, context)).toMatchObject({ kind: 'failed' });
  expect(upstream.calls).toHaveLength(1);
});
