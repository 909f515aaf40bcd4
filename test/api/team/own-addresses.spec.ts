// Workflows whose calls would reach the database of their team.
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/open-team-backend.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';

const flow = (url: string): string => `rowbench: 1
id: calling
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: "${url}" } }
  - { id: result, type: output, fields: { ok: =nodes.call.body } }
`;

describe.skipIf(whyNoPostgres !== undefined)('the database of a team', () => {
  it.each(['a server', 'a worker'])(
    'is not called by a workflow on %s, whatever its grant is',
    async (kind) => {
      const { url } = await createTestDatabase();
      const slots = kind === 'a server' ? 1 : 0;
      const services = await openTestServices(
        { calling: flow(`http://localhost:${new URL(url).port}/`) },
        { openBackend: openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: url }, name: 'one', slots }) },
      );
      await services.trust.grant('calling', { allow: ['loopback', 'lan'], deny: [] });
      if (kind === 'a worker') {
        const worker = await startTeamWorker(url);
        onTestFinished(() => worker.stop());
      }
      const { runId } = await services.start('calling', [{}]);
      const run = async () => (await services.runs.get(runId)).run;
      await expect.poll(async () => (await run()).status, { timeout: 20_000 }).toBe('failed');
      expect(await run()).toMatchObject({ error: expect.stringContaining('Rowbench itself') as string });
    },
    60_000,
  );
});
