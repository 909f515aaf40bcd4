// The whole app on an address that other machines reach.
import { expect, it, onTestFinished } from 'vitest';
import { createControlClient } from '../../../src-main/app/control-client.ts';
import { openHttpServers, type PublicListen } from '../../../src-main/app/open-http-servers.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { readServerInfo } from '../../../src-main/storage/documents/server-info-file.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { secureGet, tlsFixture } from '../../builders/secure-get.ts';
import { sampleWorkflows, startTestApp, workflowPath } from '../../builders/start-test-app.ts';

const listen: PublicListen = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'https://rowbench.example',
  tls: { certFile: tlsFixture('self-signed.cert'), keyFile: tlsFixture('self-signed.key') },
  proxies: [],
};
const host = 'rowbench.example';

it('an app with a public URL is used by it, and by programs of its machine as before', async () => {
  let reason: string | undefined = 'database: not reachable';
  const readyChecks = [{ name: 'database', check: async () => reason }];
  const app = await startTestApp({ workflows: sampleWorkflows, listen, readyChecks });
  onTestFinished(() => app.close());
  const server = await readServerInfo(app.dataDir);
  const localPort = Number(new URL(server?.url ?? '').port);
  const publicPort = [...app.services.ownPorts].find((port) => port !== localPort) ?? 0;
  expect(app.url).toBe('https://rowbench.example');
  expect((await app.handlers['server.link']({})).url).toMatch(/^https:\/\/rowbench\.example\/#code=/);

  const body = JSON.stringify({ rows: [{ n: 1 }] });
  const headers = { host, 'x-service-key': app.key, 'content-type': 'application/json' };
  const call = { path: workflowPath('echo'), method: 'POST', headers, body };
  expect(await secureGet(publicPort, call)).toMatchObject({ status: 201 });
  expect(
    await secureGet(publicPort, { ...call, headers: { ...headers, host: 'evil.example' } }),
  ).toMatchObject({
    status: 403,
  });

  // The command line finds the loopback port in the data folder.
  const control = createControlClient({ url: server?.url ?? '', token: server?.controlToken ?? '' });
  expect(await control('server.info', {})).toMatchObject({ url: 'https://rowbench.example' });
  const { calls } = await control('calls.list', { limit: 10 });
  const number = calls.find(({ status }) => status === 201)?.number ?? 0;
  const repeated = await control('calls.replay', { number });
  const after = (await control('calls.list', { limit: 10 })).calls;
  expect(after.find((each) => each.number === repeated.number)).toMatchObject({ status: 201 });

  // Probes call an address, without a key.
  const probe = (path: string) => secureGet(publicPort, { path, headers: { host: '10.0.0.5:4170' } });
  expect(await probe('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  expect(await probe('/readyz')).toMatchObject({
    status: 503,
    body: '{"status":"not ready","reasons":["database: not reachable"],"draining":false}',
  });
  reason = undefined;
  await expect
    .poll(() => probe('/readyz'), { timeout: 5_000 })
    .toMatchObject({ status: 200, body: '{"status":"ready","draining":false}' });
  expect(await secureGet(publicPort, { path: '/readyz', method: 'POST', headers: { host } })).toMatchObject({
    status: 405,
  });
});

it('an app on one loopback address is called and repeats calls under its address', async () => {
  const app = await startTestApp({
    workflows: sampleWorkflows,
    listen: { host: '127.0.0.1', port: 0, proxies: [] },
  });
  onTestFinished(() => app.close());
  expect(app.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await app.run('echo', [{ n: 1 }]);
  const { number } = await app.handlers['calls.replay']({ number: 1 });
  const { calls } = await app.handlers['calls.list']({ limit: 10 });
  expect(calls.find((each) => each.number === number)).toMatchObject({ status: 201 });
});

it('an app on loopback answers no probes', async () => {
  const app = await startTestApp({ workflows: {} });
  onTestFinished(() => app.close());
  expect((await app.call('/healthz')).status).toBe(404);
  expect((await app.call('/readyz')).status).toBe(404);
});

it('a server that is probed says that it is stopping before it takes no more requests', async () => {
  const clock = new FakeClock();
  const servers = await openHttpServers({
    app: { publicApi: (context) => void (context.body = 'ours') },
    port: 0,
    unsafeListen: undefined,
    allowedHosts: [],
    listen,
    readyChecks: [],
    isProbedLocally: false,
    clock,
    log: silentLog,
  });
  const port = servers.ports.at(-1) ?? 0;
  expect(await secureGet(port, { path: '/readyz' })).toMatchObject({ status: 200 });
  let isDrained = false;
  const drained = servers.drain().then(() => (isDrained = true));
  expect(await secureGet(port, { path: '/readyz' })).toMatchObject({ status: 503 });
  expect(await secureGet(port, { headers: { host } })).toMatchObject({ status: 200, body: 'ours' });
  expect(isDrained).toBe(false);
  clock.advance(2_500);
  await drained;
  await servers.close();
  await expect(secureGet(port)).rejects.toThrow('ECONNREFUSED');
});
