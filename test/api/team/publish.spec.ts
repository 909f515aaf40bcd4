import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { WorkflowService } from '../../../src-main/services/workflows/workflow-service.ts';
import { WorkflowFiles } from '../../../src-main/storage/documents/workflow-files.ts';
import { PublishedFolder } from '../../../src-main/team/documents/published-files.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTeamServer } from '../../builders/open-team-server.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { runCli } from '../../builders/run-cli.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const flow = (id: string, field = 'row') => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { ${field}: "=row" } }
`;

async function openTeam() {
  const { url } = await createTestDatabase();
  const flows = await temporaryFolder();
  const database = openPool(url);
  const open = async () => {
    // Only notices tell it of a publication.
    const published = await PublishedFolder.open({ database, clock: new FakeClock(), log: silentLog });
    const workflows = new WorkflowService({
      files: new WorkflowFiles({ folders: published.folders }),
      log: silentLog,
    });
    return { published, workflows };
  };
  const servers = [await open(), await open()];
  onTestFinished(async () => {
    for (const { published } of servers) await published.close();
    await database.close();
  });
  const publish = (...options: string[]) =>
    runCli(['publish', flows, '--database', ...options], { env: { ROWBENCH_DATABASE_URL: url } });
  return { servers, flows, publish, database };
}

const idsOf = async ({ workflows }: { workflows: WorkflowService }): Promise<string[]> =>
  (await workflows.list()).map(({ id }) => id);

describe.skipIf(whyNoPostgres !== undefined)('rowbench publish', () => {
  it('brings workflows and the files that they need to all servers', async () => {
    const { servers, flows, publish, database } = await openTeam();
    await writeFile(join(flows, 'one.workflow.yaml'), flow('one'));
    await writeFile(join(flows, 'two.workflow.yaml'), flow('two'));
    await writeFile(
      join(flows, 'one.tests.yaml'),
      'tests:\n  - { name: a, rows: data/rows.json, expect: { status: completed } }\n',
    );
    await mkdir(join(flows, 'data'));
    await writeFile(join(flows, 'data', 'rows.json'), '[{"n":1}]');
    await writeFile(join(flows, 'profiles.yaml'), 'profiles: {}\n');
    await writeFile(join(flows, 'one.cassette.json'), '{}\n');
    await writeFile(join(flows, 'private.txt'), 'not needed');
    const first = await publish('--yes');
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain('Published 2 workflows: 6 files added, 0 changed, 0 removed.');
    const paths = await database.query('select path from rowbench.published_files order by path collate "C"');
    expect(paths).toEqual(
      [
        'data/rows.json',
        'one.cassette.json',
        'one.tests.yaml',
        'one.workflow.yaml',
        'profiles.yaml',
        'two.workflow.yaml',
      ].map((path) => ({ path })),
    );
    for (const server of servers) await expect.poll(() => idsOf(server)).toEqual(['one', 'two']);
    const [server] = servers;
    const before = server!.published.folders()[0] ?? '';
    expect((await stat(join(before, 'data', 'rows.json'))).mode & 0o777).toBe(0o600);

    await rm(join(flows, 'two.workflow.yaml'));
    await writeFile(join(flows, 'one.workflow.yaml'), flow('one', 'other'));
    expect(JSON.parse((await publish('--yes', '--json')).stdout)).toEqual({
      added: 0,
      changed: 1,
      removed: 1,
    });
    for (const each of servers) await expect.poll(() => idsOf(each)).toEqual(['one']);
    expect((await server!.workflows.find('one'))?.source).toContain('other');
    // A run that is being accepted may still read the files of the publication before.
    expect((await stat(join(before, 'two.workflow.yaml'))).isFile()).toBe(true);
    const unchanged = server!.published.folders();
    expect(JSON.parse((await publish('--yes', '--json')).stdout)).toEqual({
      added: 0,
      changed: 0,
      removed: 0,
    });
    await server!.published.refresh();
    expect(server!.published.folders()).toEqual(unchanged);
  });

  it('publishes nothing where one file is bad or the user does not agree', async () => {
    const { flows, publish, database } = await openTeam();
    await writeFile(join(flows, 'good.workflow.yaml'), flow('good'));
    expect(await publish()).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as unknown });
    await writeFile(join(flows, 'bad.workflow.yaml'), 'rowbench: 1\nid: bad\nnodes: 7\n');
    const refused = await publish('--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/error: bad\.workflow\.yaml:3/);
    expect(refused.stderr).toContain('Nothing was published.');
    expect(await database.query('select path from rowbench.published_files')).toEqual([]);
  });

  it('publishes through a server as into the database', async () => {
    const { url } = await createTestDatabase();
    const server = await openTeamServer(url);
    const flows = await temporaryFolder();
    onTestFinished(() => server.close());
    const publish = (token: string, ...options: string[]) =>
      runCli(['publish', flows, '--server', server.url, ...options], { env: { ROWBENCH_TOKEN: token } });
    const { admin, operator } = server.tokens;
    const idsHere = () => server.services.workflows.workflows.known().map(({ id }) => id);
    await writeFile(join(flows, 'one.workflow.yaml'), flow('one'));
    await writeFile(
      join(flows, 'one.tests.yaml'),
      'tests:\n  - { name: a, rows: data/rows.json, expect: { status: completed } }\n',
    );
    await mkdir(join(flows, 'data'));
    await writeFile(join(flows, 'data', 'rows.json'), '[{"n":"\u00e9"}]');
    await writeFile(join(flows, 'private.txt'), 'not needed');

    const withoutRole = await publish(operator, '--yes');
    expect(withoutRole.stderr).toContain('This needs the role admin');
    expect((await publish(admin)).stderr).toContain('--yes');
    expect(idsHere()).toEqual([]);

    const first = await publish(admin, '--yes');
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain('Published 1 workflow: 3 files added, 0 changed, 0 removed.');
    expect(idsHere()).toEqual(['one']);
    const [workflow] = server.services.workflows.workflows.known();
    const folder = join(workflow?.file ?? '', '..');
    expect(await readFile(join(folder, 'data', 'rows.json'), 'utf8')).toBe('[{"n":"\u00e9"}]');

    // The server trusts no client: it checks the files by itself, and takes all of them or none.
    const call = (files: readonly { path: string; content: string }[]) =>
      server.handlers['workflow.publish']({
        files: files.map(({ path, content }) => ({
          path,
          content: Buffer.from(content).toString('base64'),
        })),
      });
    const two = { path: 'two.workflow.yaml', content: flow('two') };
    await expect(
      call([two, { path: 'bad.workflow.yaml', content: 'rowbench: 1\nnodes: 7\n' }]),
    ).rejects.toThrow(/Nothing was published: bad\.workflow\.yaml:\d+:\d+/);
    await expect(call([two, { path: '../three.workflow.yaml', content: flow('three') }])).rejects.toThrow(
      'Nothing was published',
    );
    // Nor is anything imported, which this server alone would have.
    const imported = { files: [{ name: 'two.workflow.yaml', text: flow('two') }], replaces: false };
    await expect(server.handlers['workflow.import'](imported)).rejects.toThrow('rowbench publish');
    expect((await server.handlers['server.info']({})).readOnly).toContain('rowbench publish');
    await expect(call([{ path: 'large.txt', content: 'x'.repeat(30_000_001) }])).rejects.toThrow(
      'use --database',
    );
    expect(idsHere()).toEqual(['one']);

    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
      status: 'ready',
      draining: false,
      database: { format: expect.any(Number) as number, synchronousStandby: false },
    });

    const records = await server.handlers['audit.list']({ limit: 10 });
    expect(records.filter(({ procedure }) => procedure === 'workflow.publish')).toMatchObject([
      { tokenName: 'the admin', outcome: 'done', subject: { workflowIds: 'one' } },
      { tokenName: 'the operator', outcome: 'role_required' },
    ]);
    expect(await server.handlers['audit.list']({ limit: 10, tokenName: 'the operator' })).toMatchObject([
      { procedure: 'workflow.publish' },
    ]);
  });

  it('writes no file outside of its folder', async () => {
    const { servers, database } = await openTeam();
    const [server] = servers;
    const before = server!.published.folders();
    await database.query(
      `insert into rowbench.published_files (path, bytes, hash, published_by) values ('../escaped.txt', '', '', '')`,
    );
    await server!.published.refresh();
    expect(server!.published.folders()).toEqual(before);
  });
});
