// The cost of the API log: processor time of status calls with and without it, server and client together. Many short
// turns give both the same load of the machine.
import { Agent, request } from 'node:http';
import { it, onTestFinished } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { createHttpApp } from '../../src-main/http/create-http-app.ts';
import { localSite } from '../../src-main/http/guard.ts';
import { createPublicApi } from '../../src-main/http/public-api/create-public-api.ts';
import { startServer } from '../../src-main/http/server.ts';
import { openTestServices } from '../builders/open-test-services.ts';
import { sampleWorkflows, statusPath } from '../builders/start-test-app.ts';
import { atLeast, report } from './figures.ts';

/** Status calls per turn and server. */
const calls = 400;
const rounds = 40;
/** Warm-up rounds: the engine optimizes code fully only after some ten thousand runs. */
const warmUps = 40;

it('status calls with the API log are nearly as fast as without it', { timeout: 120_000 }, async () => {
  const services = await openTestServices({ echo: sampleWorkflows.echo }, { settings: { limits: 'off' } });
  const { secret } = await services.keys.create({ name: 'bench', workflows: null });
  const { runId } = await services.start('echo', [{ n: 1 }]);
  const base = { clock: systemClock, log: silentLog };
  const publicApi = createPublicApi({ ...services.rooms, ...base });
  const recording = { ...services, extraKeyHeader: () => undefined, clock: systemClock };
  const start = async (isRecording: boolean) => {
    const listener = (port: number) =>
      createHttpApp({
        site: localSite(port, []),
        publicApi,
        ...base,
        ...(isRecording ? { recording } : {}),
      });
    const server = await startServer({ port: 0, listener, ...base });
    onTestFinished(() => server.close());
    return server.port;
  };
  const ports = { with: await start(true), without: await start(false) };
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  onTestFinished(() => agent.destroy());
  const call = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-service-key': secret };
      request({ port, host: '127.0.0.1', path: statusPath('echo', runId), agent, headers }, (answer) => {
        answer.resume().once('end', resolve);
      })
        .once('error', reject)
        .end();
    });
  const callMicros = async (port: number): Promise<number> => {
    const began = process.cpuUsage();
    for (let n = 0; n < calls; n += 4) await Promise.all([call(port), call(port), call(port), call(port)]);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / calls;
  };
  const taken: Record<'with' | 'without', number[]> = { with: [], without: [] };
  for (let turn = -warmUps; turn < rounds; turn += 1) {
    const order = turn % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const);
    for (const kind of order) {
      const micros = await callMicros(ports[kind]);
      if (turn >= 0) taken[kind].push(micros);
    }
  }
  const [withLog, without] = [lowerQuartile(taken.with), lowerQuartile(taken.without)];
  report(
    atLeast(0.9, {
      what: 'status calls with the API log',
      ours: `${withLog.toFixed(0)} µs`,
      baseline: `without it ${without.toFixed(0)} µs`,
      ratio: without / withLog,
    }),
  );
});

/** Other load on the machine only makes turns slower, so the lower quartile is the best estimate. */
const lowerQuartile = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 2] ?? Number.NaN;
