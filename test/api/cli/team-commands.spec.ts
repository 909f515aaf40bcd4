import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRecord, TokenView } from '../../../src-main/contract/index.ts';
import { runCli, type CliResult } from '../../builders/run-cli.ts';
import { startTeamApp, type TeamApp } from '../../builders/team-app.ts';

let app: TeamApp;
beforeAll(async () => {
  app = await startTeamApp();
});
afterAll(() => app.close());

const as = (token: string, ...args: readonly string[]): Promise<CliResult> =>
  runCli([...args, '--server', `${app.url}/`], { env: { ROWBENCH_TOKEN: token } });

describe('commands on a team server', () => {
  it('manage tokens and runs with the role of ROWBENCH_TOKEN', async () => {
    const { admin, viewer } = app.tokens;
    const created = await as(
      admin,
      'tokens',
      'create',
      'ada "x" \u001B[31m',
      '--role',
      'operator',
      '--expires',
      '90d',
    );
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^rbt_[\w-]{43}\n$/) as string });
    expect(created.stderr).not.toContain('\u001B');
    const ada = created.stdout.trim();

    const runId = await app.run('waiting', [{ n: 1 }]);
    expect((await as(viewer, 'runs', 'list')).stdout).toContain(runId);
    expect(await as(viewer, 'runs', 'cancel', runId)).toMatchObject({
      code: 1,
      stderr: 'error: This needs the role operator. Your access token has the role viewer\n',
    });
    expect((await as(ada, 'runs', 'cancel', runId)).code).toBe(0);
    expect(await as(ada, 'tokens', 'list')).toMatchObject({
      code: 1,
      stderr: 'error: This needs the role admin. Your access token has the role operator\n',
    });

    const listed = (await as(admin, 'tokens', 'list')).stdout;
    expect(listed).toMatch(/ada "x".* operator +…\S{4} .* the admin .* active/);
    expect(listed).not.toContain(ada);
    const tokens = JSON.parse((await as(admin, 'tokens', 'list', '--json')).stdout) as TokenView[];
    const id = tokens.find(({ name }) => name.startsWith('ada'))?.id ?? '';
    expect((await as(admin, 'tokens', 'revoke', id)).stderr).toMatch(/^Token "ada .* revoked\.\n$/);
    expect(await as(ada, 'runs', 'list')).toMatchObject({
      code: 1,
      stderr: 'error: This access token is not valid. It may have expired or been revoked\n',
    });
    expect((await as(admin, 'tokens', 'list')).stdout).toMatch(/ada .* revoked/);

    const audit = (await as(admin, 'audit', '--limit', '20')).stdout;
    expect(audit).toMatch(new RegExp(`ada "x".* operator +run\\.cancel +runId=${runId} .* done`));
    expect(audit).toMatch(/the viewer +viewer +run\.cancel .* role_required/);
    expect(audit).not.toContain('\u001B');
    const [newest] = JSON.parse((await as(admin, 'audit', '--json')).stdout) as AuditRecord[];
    expect(newest).toMatchObject({ procedure: 'token.revoke', subject: { id }, tokenName: 'the admin' });
  });

  it.each([
    ['no token', {}, 'Set ROWBENCH_TOKEN'],
    [
      'a token with a line break',
      { ROWBENCH_TOKEN: 'rbt_x\nHost: y' },
      'ROWBENCH_TOKEN is not an access token',
    ],
  ])('need an access token: %s', async (_, env, message) => {
    const { code, stderr } = await runCli(['runs', 'list', '--server', app.url], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([
    'http://rowbench.example',
    'rowbench.example',
    'https://u:p@rowbench.example',
    'https://x.example/path',
    'file:///etc',
  ])('send no token to %s', async (server) => {
    const { code, stderr } = await runCli(['runs', 'list', '--server', server], {
      env: { ROWBENCH_TOKEN: 'rbt_x' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--server takes the address of a server');
  });

  it('say that no server answers', async () => {
    const { code, stderr } = await runCli(['keys', 'list', '--server', 'http://127.0.0.1:9'], {
      env: { ROWBENCH_TOKEN: 'rbt_x' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: No Rowbench answers at http:\/\/127\.0\.0\.1:9: .+\n$/);
  });

  it('refuse a role and an expiry that are none', async () => {
    const { code, stderr } = await runCli(['tokens', 'create', 'x', '--role', 'root', '--data', app.dataDir]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('viewer') as string });
    const short = await runCli([
      'tokens',
      'create',
      'x',
      '--role',
      'admin',
      '--expires',
      'soon',
      '--data',
      app.dataDir,
    ]);
    expect(short.stderr).toContain('--expires takes hours or days');
  });
});
