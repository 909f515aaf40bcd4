import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import type { PastBounds } from '../../../src-main/domain/run/stored-run.ts';
import { Retention } from '../../../src-main/services/runs/retention.ts';
import { asOnlyServer } from '../../../src-main/team/admin/server-entry.ts';
import { openTeamDocuments } from '../../../src-main/team/documents/open-team-documents.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
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
