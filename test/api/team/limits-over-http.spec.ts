// The published limits of the public API, over three servers of a team with 8 clients at each.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { RunningApp } from '../../../src-main/app/start-app.ts';
import { startTeamServer } from '../../../src-main/app/team/start-team-server.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { publishedLimits } from '../../../src-main/domain/limits/published-limits.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { sharedProcesses } from '../../builders/processes-for-tests.ts';
import { outputPath, sampleWorkflows, statusPath, workflowPath } from '../../builders/start-test-app.ts';
import { ageCountedCalls, createTestDatabase, openPool } from '../../builders/team-database.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const workerScript = fileURLToPath(new URL('../../../dist/row-worker.cjs', import.meta.url));
const [serverCount, clientCount] = [3, 8];

type Call = { readonly method?: string; readonly path: string; readonly accepted: number };
type Client = { readonly url: string; readonly key: string };

/** Three servers over one database, with their clients. */
async function openTeam() {
  const { url } = await createTestDatabase();
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'echo.workflow.yaml'), sampleWorkflows.echo);
  const servers: RunningApp[] = [];
  for (let n = 0; n < serverCount; n += 1)
    servers.push(
      await startTeamServer({
        team: { environment: { ROWBENCH_DATABASE_URL: url }, name: `server ${n}`, slots: 0 },
        workflowFolders: [folder],
        port: 0,
        workerScript,
        ...sharedProcesses(undefined),
        log: silentLog,
      }),
    );
  const pool = openPool(url, 1);
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await pool.close();
  });
  const createKey = async (): Promise<string> =>
    (await servers[0]!.services.access.keys.create({ name: 'client', workflows: null })).secret;
  return { servers, createKey, advance: (ms: number) => ageCountedCalls(pool, ms) };
}

const send = async ({ url, key }: Client, { method = 'GET', path }: Call): Promise<Response> => {
  const headers = { 'x-service-key': key, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  await response.arrayBuffer();
  return response;
};

it.skipIf(whyNoPostgres !== undefined)(
  'three servers grant exactly the published calls, and Retry-After is enough',
  async () => {
    const { servers, createKey, advance } = await openTeam();
    const started = await fetch(`${servers[0]!.url}${workflowPath('echo')}`, {
      method: 'POST',
      headers: { 'x-service-key': await createKey(), 'content-type': 'application/json' },
      body: '{"rows":[{}]}',
    });
    const { runId } = ((await started.json()) as { data: { runId: string } }).data;
    await advance(60_000);
    /** A call that no other limit refuses, and the number of each client's calls. */
    const cases = {
      trigger: [{ method: 'POST', path: workflowPath('unknown'), accepted: 404 }, 8],
      'trigger-per-workflow': [{ method: 'POST', path: workflowPath('echo'), accepted: 400 }, 4],
      status: [{ path: statusPath('echo', 'unknown'), accepted: 404 }, 8],
      'status-per-run': [{ path: statusPath('echo', runId), accepted: 200 }, 4],
      output: [{ path: outputPath('echo', 'unknown'), accepted: 404 }, 8],
    } as const satisfies Record<keyof typeof publishedLimits, readonly [Call, number]>;

    for (const [limit, [call, callsOfEach]] of Object.entries(cases)) {
      const shared = await createKey();
      // Limits of a workflow or run count the calls of all keys.
      const keyOf = async (): Promise<string> => (limit.includes('-per-') ? createKey() : shared);
      const clients: Client[] = [];
      for (const { url } of servers)
        for (let n = 0; n < clientCount; n += 1) clients.push({ url, key: await keyOf() });
      const responses = (
        await Promise.all(
          clients.map(async (client) => {
            const all: Response[] = [];
            for (let n = 0; n < callsOfEach; n += 1) all.push(await send(client, call));
            return all;
          }),
        )
      ).flat();
      const granted = responses.filter(({ status }) => status === call.accepted);
      const refused = responses.filter(({ status }) => status === 429);
      expect(granted.length, limit).toBe(publishedLimits[limit as keyof typeof publishedLimits]);
      expect(granted.length + refused.length, limit).toBe(serverCount * clientCount * callsOfEach);
      expect([...new Set(refused.map(({ headers }) => headers.get('x-rowbench-limit')))]).toEqual([limit]);

      // One server says how long to wait, and another one grants the call then.
      const [first, second] = [clients[0]!, clients.at(-1)!];
      const last = await send(first, call);
      const seconds = Number(last.headers.get('retry-after'));
      expect(seconds, limit).toBeGreaterThan(0);
      expect(seconds, limit).toBeLessThanOrEqual(60);
      await advance(seconds * 1000);
      expect((await send(second, call)).status, limit).toBe(call.accepted);
    }
  },
  60_000,
);
