// Workflows whose calls would reach the database or a server of their team.
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/team/open-team-backend.ts';
import { openMetrics, type RunningMetrics } from '../../../src-main/app/metrics/open-metrics.ts';
import { startTeamServer } from '../../../src-main/app/team/start-team-server.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { Run } from '../../../src-main/domain/run/run.ts';
import { TeamAddresses } from '../../../src-main/team/open-team.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { sharedProcesses } from '../../builders/processes-for-tests.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';

const workerScript = fileURLToPath(new URL('../../../dist/row-worker.cjs', import.meta.url));

const flow = (url: string): string => `rowbench: 1
id: calling
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "${url}" } }
  - { id: result, type: output, fields: { ok: =nodes.call.body } }
`;

type Listen = { readonly host: string; readonly port: number; readonly proxies: readonly string[] };

/** A server of the team that others would call. It is closed with the test, or before. */
async function startOther(databaseUrl: string, listen?: Listen, metrics?: RunningMetrics) {
  const server = await startTeamServer({
    team: { environment: { ROWBENCH_DATABASE_URL: databaseUrl }, name: 'other', slots: 0 },
    port: 0,
    listen,
    metrics,
    workerScript,
    ...sharedProcesses(undefined),
    log: silentLog,
  });
  onTestFinished(() => server.close());
  return server;
}

/** The error of a run whose rows, on a server or a worker, call that URL. */
async function errorOfCall(databaseUrl: string, kind: string, target: string) {
  const slots = kind === 'a server' ? 1 : 0;
  const environment = { ROWBENCH_DATABASE_URL: databaseUrl };
  const services = await openTestServices(
    { calling: flow(target) },
    { openBackend: openTeamBackend({ environment, name: 'one', slots }) },
  );
  await services.trust.grant('calling', { allow: ['loopback', 'lan'], deny: [] });
  if (kind === 'a worker') {
    const worker = await startTeamWorker(databaseUrl);
    onTestFinished(() => worker.stop());
  }
  const { runId } = await services.start('calling', [{}]);
  const run = async () => (await services.runs.get(runId)).run;
  await expect.poll(async () => (await run()).status, { timeout: 20_000 }).toBe('failed');
  return errorOf(await run());
}

const errorOf = (run: Run): string | undefined => ('error' in run ? run.error : undefined);

describe.skipIf(whyNoPostgres !== undefined)(
  'on a server or a worker of a team, whatever is granted,',
  () => {
    it.each(['a server', 'a worker'])(
      'no workflow on %s calls the database',
      async (kind) => {
        const { url } = await createTestDatabase();
        const target = `http://localhost:${new URL(url).port}/`;
        expect(await errorOfCall(url, kind, target)).toContain('Rowbench itself');
      },
      60_000,
    );

    it.each(['a server', 'a worker'])(
      'no workflow on %s calls another server',
      async (kind) => {
        const { url } = await createTestDatabase();
        const other = await startOther(url);
        const target = `http://localhost:${new URL(other.url).port}/healthz`;
        expect((await fetch(target)).status).toBe(200);
        expect(await errorOfCall(url, kind, target)).toContain('Rowbench itself');
      },
      60_000,
    );

    // Regression: the port of another process's figures was not among its addresses.
    it.each(['a server', 'a worker'])(
      'no workflow on %s reads the figures of another server',
      async (kind) => {
        const { url } = await createTestDatabase();
        const metrics = await openMetrics(
          { host: '127.0.0.1', port: 0 },
          { clock: systemClock, log: silentLog },
        );
        await startOther(url, undefined, metrics);
        expect((await fetch(metrics.url)).status).toBe(200);
        expect(await errorOfCall(url, kind, metrics.url)).toContain('Rowbench itself');
      },
      60_000,
    );

    it('no workflow reads the figures of a worker', async () => {
      const { url } = await createTestDatabase();
      const worker = await startTeamWorker(url, { slots: 1, name: 'measured' });
      onTestFinished(() => worker.stop());
      const target = /^Metrics at (http:\S+)$/m.exec(worker.stderr())?.[1] ?? '';
      expect((await fetch(target)).status).toBe(200);
      expect(await errorOfCall(url, 'a server', target)).toContain('Rowbench itself');
    }, 60_000);

    it('the addresses are those of all servers that run', async () => {
      const { url } = await createTestDatabase();
      const database = openPool(url);
      onTestFinished(() => database.close());
      const clock = new FakeClock();
      const databaseAddress = { host: 'db.internal', port: 5432 };
      const open = () => TeamAddresses.open({ database, databaseAddress, clock, log: silentLog });
      const addresses = await open();
      expect(await addresses.list()).toEqual([databaseAddress]);

      const other = await startOther(url, { host: '0.0.0.0', port: 0, proxies: ['10.0.0.2'] });
      const [port, localPort] =
        other.services.runs.ownPorts.size === 2 ? [...other.services.runs.ownPorts].reverse() : [];
      clock.advance(999);
      expect(await addresses.list()).toEqual([databaseAddress]);
      clock.advance(1);
      const found = await addresses.list();
      const ofThisMachine = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      const expected = ofThisMachine.map(({ address }) => ({ host: address, port }));
      expect(found).toEqual(expect.arrayContaining([...expected, { host: '127.0.0.1', port: localPort }]));
      expect(found).toHaveLength(expected.length + 2);

      await database.run('alter table rowbench.servers rename to gone');
      clock.advance(1000);
      expect(await addresses.list()).toEqual(found);
      await database.run('alter table rowbench.gone rename to servers');
      await other.close();
      clock.advance(1000);
      expect(await addresses.list()).toEqual([databaseAddress]);
    }, 60_000);
  },
);
