// Answers that a team recorded leave its database as a file, from which a machine without a network replays them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamServer } from '../../builders/open-team-server.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { runCli } from '../../builders/run-cli.ts';
import { createTestDatabase } from '../../builders/team-database.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

const flow = (url: string) => `rowbench: 1
id: sizes
nodes:
  - { id: input, type: input, testRows: [{ name: bolt }, { name: acme }] }
  - { id: company, type: http, request: { url: "${url}/{{ row.name }}" } }
  - { id: result, type: output, fields: { size: =nodes.company.body.size } }
`;

describe.skipIf(whyNoPostgres !== undefined)('rowbench workflows cassette', () => {
  it('writes what a team recorded, and a run replays it without a network', async () => {
    const server = await openTeamServer((await createTestDatabase()).url);
    onTestFinished(() => server.close());
    const upstream = await startUpstream({ '/acme': json({ size: 1 }), '/bolt': json({ size: 2 }) });
    const flows = await temporaryFolder();
    const cassette = join(flows, 'sizes.cassette.json');
    await writeFile(join(flows, 'sizes.workflow.yaml'), flow(upstream.url('')));
    const team = (token: string, ...args: string[]) =>
      runCli([...args, '--server', server.url], { env: { ROWBENCH_TOKEN: token } });
    const { admin, viewer } = server.tokens;
    await team(admin, 'publish', flows, '--yes');
    await team(admin, 'grants', 'allow', 'sizes', 'loopback');
    const write = () => team(viewer, 'workflows', 'cassette', 'sizes', '--out', cassette);
    expect(await write()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no cassette sizes.cassette.json') as unknown,
    });

    const workflow = await server.services.workflows.workflows.find('sizes');
    const run = await server.services.runs.runs.beginRun({
      workflow: workflow!,
      origin: { kind: 'cli' },
      inputs: { mode: 'record' },
    });
    await run.write(Buffer.from('{"name":"bolt"}\n{"name":"acme"}\n'));
    const { runId } = await run.accept(2);
    await expect
      .poll(async () => (await server.services.runs.runs.get(runId)).run.status, { timeout: 20_000 })
      .toBe('completed');

    expect(await write()).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `2 recorded requests written to ${cassette}\n`,
    });
    const printed = await team(viewer, 'workflows', 'cassette', 'sizes');
    expect(printed.stdout).toBe(await readFile(cassette, 'utf8'));
    const file = join(flows, 'sizes.workflow.yaml');
    const replayed = await runCli(['run', file, '--replay', '--format', 'ndjson']);
    expect(replayed).toMatchObject({ code: 0, stdout: '{"size":2}\n{"size":1}\n' });
    expect(upstream.calls).toHaveLength(2);

    // The file is published as it is: it changes nothing of what the team replays.
    expect((await team(admin, 'publish', flows, '--yes')).stderr).toContain('1 file added, 0 changed');
    expect((await team(viewer, 'workflows', 'cassette', 'sizes')).stdout).toBe(printed.stdout);
  }, 60_000);
});
