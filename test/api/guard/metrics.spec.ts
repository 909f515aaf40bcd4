// Figures of a server for a monitoring system.
import { expect, it, onTestFinished } from 'vitest';
import { openMetrics, type RunningMetrics } from '../../../src-main/app/metrics/open-metrics.ts';
import { silentLog, type Log } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { rawCall } from '../../builders/raw-http.ts';
import { recordedLog } from '../../builders/recorded-log.ts';
import { sampleWorkflows, startTestApp, statusPath } from '../../builders/start-test-app.ts';

async function open(log: Log = silentLog): Promise<RunningMetrics> {
  const running = await openMetrics({ host: '127.0.0.1', port: 0 }, { clock: systemClock, log });
  onTestFinished(() => running.close());
  return running;
}

/** The lines of the figures whose name begins so. */
async function figures({ url }: RunningMetrics, name: string): Promise<readonly string[]> {
  const text = await (await fetch(url)).text();
  return text.split('\n').filter((line) => line.startsWith(name));
}

it('a server counts its requests by operation and status, and nothing that names a key or an address', async () => {
  const metrics = await open();
  const app = await startTestApp({ workflows: sampleWorkflows, metrics });
  onTestFinished(() => app.close());
  const runId = await app.run('echo', [{ n: 1 }]);
  await app.call(statusPath('echo', runId));
  await app.call(statusPath('echo', runId), { key: 'wrong-key-0123456789' });
  await app.call('/api/v1/unknown/secret-name');
  await app.call('/_rowbench/v1/call/run.list', {
    method: 'POST',
    body: '{}',
    headers: { 'x-rowbench-token': app.control.token, 'content-type': 'application/json' },
  });
  await app.call('/_rowbench/v1/call/not.known', { method: 'POST' });
  const counted = () => figures(metrics, 'rowbench_http_requests_total');
  await expect.poll(async () => (await counted()).length).toBe(6);
  expect((await counted()).toSorted()).toEqual([
    'rowbench_http_requests_total{operation="control",status="401"} 1',
    'rowbench_http_requests_total{operation="other",status="404"} 1',
    'rowbench_http_requests_total{operation="run.list",status="200"} 1',
    'rowbench_http_requests_total{operation="status",status="200"} 1',
    'rowbench_http_requests_total{operation="status",status="401"} 1',
    'rowbench_http_requests_total{operation="trigger",status="201"} 1',
  ]);
  expect(await figures(metrics, 'rowbench_http_connections')).toEqual([
    expect.stringMatching(/^rowbench_http_connections \d+$/),
  ]);
  for (const name of [
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
    'nodejs_eventloop_lag_p99',
  ])
    expect(await figures(metrics, name)).not.toEqual([]);
  expect([...app.services.ownPorts]).toContain(metrics.address.port);
});

it('a server that listens on two ports counts the requests of both', async () => {
  const metrics = await open();
  const listen = { host: '127.0.0.1', port: 0, proxies: [] };
  const app = await startTestApp({ workflows: sampleWorkflows, metrics, listen });
  onTestFinished(() => app.close());
  const ports = [...app.services.ownPorts].filter((port) => port !== metrics.address.port);
  expect(ports).toHaveLength(2);
  for (const port of ports) await fetch(`http://127.0.0.1:${port}/api/v1/unknown`);
  await expect
    .poll(() => figures(metrics, 'rowbench_http_requests_total{operation="other"'))
    .toEqual(['rowbench_http_requests_total{operation="other",status="404"} 2']);
});

it('any part of the program registers figures with labels', async () => {
  const { log, lines } = recordedLog();
  const running = await open(log);
  const { metrics } = running;
  const committed = metrics.counter({ name: 'rowbench_commits_total', help: 'Commits.', labels: ['kind'] });
  committed({ kind: 'early' });
  committed({ kind: 'last' }, 3);
  metrics.counter({ name: 'rowbench_takeovers_total', help: 'Takeovers.' });
  let slots: readonly string[] = ['one', 'two'];
  metrics.gauge({ name: 'rowbench_slots', help: 'Slots.', labels: ['worker'] }, () =>
    slots.map((worker) => ({ labels: { worker }, value: 2 })),
  );
  metrics.gauge({ name: 'rowbench_segments_waiting', help: 'Segments.' }, async () => 7);
  metrics.gauge({ name: 'rowbench_unread', help: 'A figure that cannot be read.' }, () =>
    Promise.reject(new Error('no database')),
  );
  expect(await figures(running, 'rowbench_')).toEqual([
    'rowbench_commits_total{kind="early"} 1',
    'rowbench_commits_total{kind="last"} 3',
    'rowbench_takeovers_total 0',
    'rowbench_slots{worker="one"} 2',
    'rowbench_slots{worker="two"} 2',
    'rowbench_segments_waiting 7',
  ]);
  expect(lines).toEqual(['a figure could not be read']);
  slots = ['two'];
  expect(await figures(running, 'rowbench_slots')).toEqual(['rowbench_slots{worker="two"} 2']);
});

it('the port of the figures answers nothing else, and no page of a browser', async () => {
  const { address } = await open();
  const { port } = address;
  const ask = async (path: string, ...headers: readonly string[]) => {
    const head = [`GET ${path} HTTP/1.1`, ...headers].join('\r\n');
    return (await rawCall(port, `${head}\r\nConnection: close\r\n\r\n`))?.status;
  };
  expect(await ask('/', `Host: 127.0.0.1:${port}`)).toBe(404);
  expect(await ask('/metrics', `Host: evil.example:${port}`)).toBe(403);
  expect(await ask('/metrics', `Host: localhost:${port}`, 'Origin: http://evil.example')).toBe(403);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);
});
