import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { KeyService } from '../../../src-main/services/access/key-service.ts';
import {
  openTeamDocuments,
  openWorkerDocuments,
} from '../../../src-main/team/documents/open-team-documents.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool, type TestDatabase } from '../../builders/team-database.ts';

const start = '2026-01-01T00:00:00.000Z';

/** Documents as one server has them; with a clock that stands still it hears of changes by notices alone. */
async function openServer({ url }: TestDatabase, clock = new FakeClock(Date.parse(start))) {
  const database = openPool(url);
  const documents = await openTeamDocuments({ database, clock, log: silentLog });
  const keys = new KeyService({ document: documents.keys, clock, log: silentLog });
  onTestFinished(async () => {
    await documents.close();
    await database.close();
  });
  return { database, documents, keys, clock };
}

const refusal = (code: string) => expect.objectContaining({ code }) as unknown;

describe.skipIf(whyNoPostgres !== undefined)('a document of a team', () => {
  it('loses no change of several servers', async () => {
    const where = await createTestDatabase();
    const servers = await Promise.all([1, 2, 3].map(() => openServer(where)));
    const names = servers.flatMap((server, index) =>
      Array.from({ length: 20 }, async (_, number) => {
        const name = `${index}-${number}`;
        await server.keys.create({ name, workflows: null });
        return name;
      }),
    );
    const created = await Promise.all(names);
    for (const { documents } of servers) {
      const { keys } = await documents.keys.latest();
      expect(keys.map(({ name }) => name).sort()).toEqual(created.sort());
    }
  });

  it('shows a change of another server soon, and says so', async () => {
    const where = await createTestDatabase();
    const [one, other] = [await openServer(where), await openServer(where)];
    // What a new connection reads is behind us: from now on only a notice can tell.
    await other.documents.settings.latest();
    const changes: unknown[] = [];
    other.documents.settings.changes.listen(({ limits }) => changes.push(limits));
    await one.documents.settings.update((settings) => ({ ...settings, limits: 'off' }));
    await expect.poll(() => other.documents.settings.value.limits).toBe('off');
    expect(changes).toEqual(['off']);
  });

  it('shows a change within a second where no notice comes', async () => {
    const where = await createTestDatabase();
    const database = openPool(where.url);
    const deaf = Object.assign(Object.create(database) as typeof database, {
      query: database.query.bind(database),
      listen: async () => ({ close: async () => {} }),
    });
    const one = await openServer(where);
    const documents = await openWorkerDocuments({ database: deaf, clock: systemClock, log: silentLog });
    onTestFinished(async () => {
      await documents.close();
      await database.close();
    });
    await one.documents.settings.update((settings) => ({ ...settings, limits: 'off' }));
    await expect.poll(() => documents.settings.value.limits).toBe('off');
  });

  it('stays as it is when a change throws or changes nothing', async () => {
    const { documents, database } = await openServer(await createTestDatabase());
    const stored = () => database.query('select * from rowbench.documents order by name');
    const before = await stored();
    const failing = documents.settings.update(() => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await documents.settings.update((settings) => settings);
    expect(await stored()).toEqual(before);
  });

  it('gets its random parts once, whichever server is first', async () => {
    const where = await createTestDatabase();
    const servers = await Promise.all([1, 2, 3].map(() => openServer(where)));
    expect(new Set(servers.map(({ documents }) => documents.browsers.value.folderId)).size).toBe(1);
  });

  it('is not replaced when it cannot be read', async () => {
    const where = await createTestDatabase();
    const { database } = await openServer(where);
    await database.query(
      `update rowbench.private_documents set version = 9, value = $1 where name = 'keys'`,
      ['{"version":1,"keys":[{}]}'],
    );
    await expect(openServer(where)).rejects.toThrow(refusal('data_unreadable'));
  });
});

describe.skipIf(whyNoPostgres !== undefined)('a key of a team', () => {
  it('is refused by all servers from the moment it is revoked', async () => {
    const where = await createTestDatabase();
    const [one, other] = [await openServer(where), await openServer(where)];
    const { key, secret } = await one.keys.create({ name: 'CI', workflows: null });
    expect((await other.keys.verify(secret)).id).toBe(key.id);
    await one.keys.revoke(key.id);
    await expect(other.keys.verify(secret)).rejects.toThrow(refusal('invalid_key'));
    await expect(other.keys.use(key.id)).rejects.toThrow(refusal('invalid_key'));
  });

  it('has the uses of all servers added up', async () => {
    const where = await createTestDatabase();
    const servers = [await openServer(where), await openServer(where), await openServer(where)];
    const [one] = servers;
    const { key, secret } = await one!.keys.create({ name: 'CI', workflows: null });
    for (const [index, { keys, clock }] of servers.entries()) {
      clock.advance((3 - index) * 1000);
      for (let use = 0; use <= index; use += 1) await keys.verify(secret);
    }
    await Promise.all(servers.map(({ keys }) => keys.close()));
    await one!.documents.keys.latest();
    expect(one!.keys.show(key.id)).toMatchObject({ calls: 6, lastUsedAt: '2026-01-01T00:00:03.000Z' });
  });
});
