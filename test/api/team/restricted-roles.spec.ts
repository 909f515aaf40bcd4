// Servers and workers with roles of the database that `rowbench database migrate` has given no more rights than they need.
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrateTeamDatabase } from '../../../src-main/app/team/database-commands.ts';
import { openTeamBackend } from '../../../src-main/app/team/open-team-backend.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { isFinal } from '../../../src-main/domain/run/run-status.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

const [serverRole, workerRole] = ['restricted_server', 'restricted_worker'];

/** A migrated database for these two roles. */
async function restrictedDatabase() {
  const database = await createTestDatabase({ isMigrated: false });
  const owner = openPool(database.url, 1);
  for (const role of [serverRole, workerRole])
    await owner.run(`create role ${role} login password '${role}'`);
  await owner.close();
  const secretKeyFile = join(await temporaryFolder(), 'secret.key');
  const environment = { ROWBENCH_DATABASE_URL: database.url };
  await migrateTeamDatabase({ environment, log: silentLog }, { serverRole, workerRole, secretKeyFile });
  return {
    url: database.url,
    serverUrl: database.urlFor(serverRole),
    workerUrl: database.urlFor(workerRole),
    secretKeyFile,
  };
}

const flow = (url: string): string => `rowbench: 1
id: calling
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: call, type: http, limit: 50/s, request: { url: "${url}/{{ row.path }}" } }
  - { id: result, type: output, fields: { ok: =nodes.call.body.ok } }
`;

describe.skipIf(whyNoPostgres !== undefined)('a server and a worker with the rights that they need', () => {
  it('record, replay, rerun, cancel and remove runs', async () => {
    const { url, serverUrl, workerUrl } = await restrictedDatabase();
    const upstream = await startUpstream({ '/bad': json({}, 404) });
    const openBackend = openTeamBackend({
      environment: { ROWBENCH_DATABASE_URL: serverUrl },
      name: 'one',
      slots: 0,
    });
    const { runs, trust, ...services } = await openTestServices(
      { calling: flow(upstream.url('')) },
      { openBackend },
    );
    await trust.grant('calling', { allow: ['loopback'], deny: [] });
    const worker = await startTeamWorker(workerUrl);
    onTestFinished(() => worker.stop());
    const end = async (runId: string) => {
      await expect
        .poll(async () => isFinal((await runs.get(runId)).run.status), { timeout: 20_000 })
        .toBe(true);
      return (await runs.get(runId)).run.status;
    };

    const rows = [{ path: 'good' }, { path: 'bad' }];
    for (const mode of ['record', 'replay'] as const) {
      const { runId } = await services.start('calling', rows, { mode });
      expect(await end(runId), mode).toBe('completed');
      expect(await services.outputs(runId), mode).toEqual([{ ok: true }, undefined]);
      const again = await runs.rerun(runId, 'failed', { kind: 'cli' });
      expect(await end(again.run.runId), mode).toBe('completed');
    }
    expect(upstream.count('/good')).toBe(1);
    const { runId } = await services.start('calling', rows);
    expect(isFinal((await runs.cancel(runId)).run.status)).toBe(true);
    expect(worker.stderr()).not.toContain('permission denied');

    // All runs are older than the limit of 30 days.
    const owner = openPool(url, 1);
    onTestFinished(() => owner.close());
    const count = async (table: string): Promise<number> =>
      (await owner.query(`select from rowbench.${table}`)).length;
    const tables = ['runs', 'segments', 'snapshots', 'row_batches', 'output_batches', 'orphans'];
    for (const table of tables.slice(0, -1)) expect(await count(table), table).toBeGreaterThan(0);
    await owner.run('update rowbench.runs set ended_at_ms = ended_at_ms - 31 * 86400000::bigint');
    const total = await count('runs');
    runs.retention.request();
    for (const table of tables) await expect.poll(() => count(table), { timeout: 20_000 }).toBe(0);
    await expect.poll(() => runs.retention.removed?.runs).toBe(total);
  }, 90_000);
});
