import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/team/open-team-backend.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import type { PastBounds } from '../../../src-main/domain/run/stored-run.ts';
import { Retention } from '../../../src-main/services/runs/retention.ts';
import { asOnlyServer } from '../../../src-main/team/admin/server-entry.ts';
import { openTeamDocuments } from '../../../src-main/team/documents/open-team-documents.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';

const hourMs = 3_600_000;

/** Runs that are past the bounds, in memory. A removal takes as long as the test wants. */
function storeOf(runs: Set<string>) {
  const store = {
    isAboveSize: false,
    removals: 0,
    atOnce: 0,
    maxAtOnce: 0,
    pastBounds: async (): Promise<PastBounds> => ({
      byAge: [...runs],
      bySize: [],
      newestFinishedAt: undefined,
      isAboveSize: false,
    }),
    remove: async (runIds: readonly string[]): Promise<void> => {
      store.removals += 1;
      store.atOnce += 1;
      store.maxAtOnce = Math.max(store.maxAtOnce, store.atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      for (const runId of runIds) runs.delete(runId);
      store.atOnce -= 1;
    },
    swept: (): Promise<void> => Promise.resolve(),
  };
  return store;
}

describe.skipIf(whyNoPostgres !== undefined)('retention of a team', () => {
  it('is one server’s work at a time, counts each run once and shares its clock', async () => {
    const { url } = await createTestDatabase();
    const store = storeOf(new Set(['a', 'b', 'c']));
    const open = async () => {
      const database = openPool(url);
      const clock = new FakeClock();
      const documents = await openTeamDocuments({ database, clock, log: silentLog });
      const retention = new Retention({
        document: documents.retention,
        store,
        clock,
        log: silentLog,
        bounds: () => ({ days: 1, gigabytes: 1 }),
        retainedHashes: () => [],
        asOnlyServer: asOnlyServer(database),
      });
      onTestFinished(async () => {
        await documents.close();
        await database.close();
      });
      await retention.start();
      return { clock, documents, retention };
    };
    const servers = [await open(), await open(), await open()];
    for (const { retention } of servers) retention.request();
    for (const { clock } of servers) clock.advance(2000);
    const [first, second] = servers;
    const removed = async (): Promise<number | undefined> =>
      (await first!.documents.retention.latest()).removed?.runs;
    await expect.poll(removed).toBe(3);
    expect(store.maxAtOnce).toBe(1);
    first!.clock.advance(5 * hourMs);
    await Promise.all(servers.map(({ retention }) => retention.close()));
    await Promise.all(servers.map(({ documents }) => documents.retention.latest()));
    expect(await removed()).toBe(3);
    expect(second!.retention.now()).toBe(first!.retention.now());
  });
});

const echo = `rowbench: 1
id: echo
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: =row }
`;

/** Tables in which the text stands, also in their bytes. */
async function tablesWith(url: string, text: string): Promise<readonly string[]> {
  const database = openPool(url);
  const tables = await database.query(
    `select table_name::text as name from information_schema.tables where table_schema = 'rowbench'`,
  );
  const found: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    const rows = await database.query(
      `select 1 from rowbench."${name}" as stored where strpos(stored::text, $1) > 0 or strpos(stored::text, $2) > 0 limit 1`,
      [text, Buffer.from(text).toString('hex')],
    );
    if (rows.length > 0) found.push(name);
  }
  await database.close();
  return found;
}

describe.skipIf(whyNoPostgres !== undefined)('a deleted chain of a team', () => {
  it('takes all its rows along, also those that its sample left out', async () => {
    const { url } = await createTestDatabase();
    const environment = { ROWBENCH_DATABASE_URL: url };
    const openBackend = openTeamBackend({ environment, name: 'one', slots: 1 });
    const services = await openTestServices({ echo }, { openBackend });
    const done = async (runId: string): Promise<string> => {
      const status = async () => (await services.runs.get(runId)).run.status;
      await expect.poll(status, { timeout: 20_000 }).toBe('completed');
      return runId;
    };
    const workflow = await services.workflows.find('echo');
    if (workflow === undefined) throw new Error('no workflow');
    const newRun = await services.runs.beginRun({ workflow, origin: { kind: 'app' } });
    const sample = await services.samples.start(
      { newRun, workflowId: 'echo', choice: services.samples.parse('1') },
      async (writer) => {
        await writer.write(Buffer.from('{"text":"secretone"}\n{"text":"secrettwo"}\n'));
        return 2;
      },
    );
    await done(sample.runId);
    const rerun = await services.runs.rerunWith(
      sample.runId,
      {},
      { what: { lines: '{"text":"secretthree"}\n', numbers: [1] }, origin: { kind: 'app' } },
    );
    await done(rerun.run.runId);
    const texts = ['secretone', 'secrettwo', 'secretthree'];
    for (const text of texts) expect((await tablesWith(url, text)).length, text).toBeGreaterThan(0);
    await services.runs.remove(rerun.run.runId, { isChain: true });
    for (const text of texts) await expect.poll(() => tablesWith(url, text), { timeout: 10_000 }).toEqual([]);
  }, 60_000);
});
