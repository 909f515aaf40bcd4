// A worker whose connections to the database are cut, and that cannot open others.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../src-main/app/team/open-team-backend.ts';
import { openTestServices } from '../builders/open-test-services.ts';
import { whyNoPostgres } from '../builders/postgres-server.ts';
import { createTestDatabase } from '../builders/team-database.ts';
import { startTeamServer, startTeamWorker } from '../builders/team-processes.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { hang, inSequence, json, startUpstream } from '../builders/upstream-server.ts';

/** The database behind a relay that can be cut. */
async function relayTo(url: string) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const relay = createServer((client) => {
    if (isCut) return client.destroy();
    const database = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [client, database])
      sockets.add(socket.once('close', () => void sockets.delete(socket)));
    pipeline(client, database, client, () => undefined);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    relay.close();
  });
  const restore = (): void => void (isCut = false);
  const { port } = relay.address() as AddressInfo;
  return { url: Object.assign(new URL(url), { port }).href, cut, restore };
}

const flow = (url: string): string => `rowbench: 1
id: calling
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "${url}" }, timeout: 60s }
  - { id: result, type: output, fields: { ok: =nodes.call.body.ok } }
`;

describe.skipIf(whyNoPostgres !== undefined)('a worker that cannot reach the database', () => {
  it('ends its rows by itself, before another worker begins them again', async () => {
    const upstream = await startUpstream({ '/': inSequence(hang, json({ ok: true })) });
    const { url } = await createTestDatabase();
    const services = await openTestServices(
      { calling: flow(upstream.url('/')) },
      {
        openBackend: openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: url }, name: 'one', slots: 0 }),
      },
    );
    await services.trust.grant('calling', { allow: ['loopback'], deny: [] });
    const relay = await relayTo(url);
    const worker = await startTeamWorker(relay.url, { name: 'cut' });
    onTestFinished(() => worker.kill());
    const { runId } = await services.start('calling', [{}]);
    await expect.poll(() => upstream.calls.length, { timeout: 20_000 }).toBe(1);
    const other = await startTeamWorker(url, { name: 'other' });
    onTestFinished(() => other.kill());

    relay.cut();
    await expect.poll(upstream.abandoned, { timeout: 20_000 }).toBe(1);
    expect(upstream.calls).toHaveLength(1);
    expect(worker.stderr()).toContain('rows are ended, since the database cannot be reached');
    expect(worker.child.exitCode).toBeNull();
    await expect
      .poll(async () => (await services.runs.get(runId)).run.status, { timeout: 30_000 })
      .toBe('completed');
    expect(await services.outputs(runId)).toEqual([{ ok: true }]);
    expect(upstream.calls).toHaveLength(2);
  }, 90_000);
});

describe.skipIf(whyNoPostgres !== undefined)('a server that cannot reach the database', () => {
  it('says that it is not ready, and why, until it can', async () => {
    const relay = await relayTo((await createTestDatabase()).url);
    const server = await startTeamServer(relay.url, { workflows: await temporaryFolder() });
    onTestFinished(() => server.kill());
    const probe = async (path: string) => {
      const response = await fetch(`${server.url}${path}`);
      return [response.status, await response.text()] as const;
    };
    expect((await probe('/readyz'))[0]).toBe(200);
    relay.cut();
    await expect
      .poll(() => probe('/readyz'), { timeout: 20_000 })
      .toEqual([503, expect.stringContaining('database')]);
    expect((await probe('/healthz'))[0]).toBe(200);
    relay.restore();
    await expect.poll(async () => (await probe('/readyz'))[0], { timeout: 20_000 }).toBe(200);
  }, 90_000);
});
