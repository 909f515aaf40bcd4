// `rowbench hosted`, from the key to outputs in a file, without a server and with one.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeHosted, type HostedQuirks } from '../../builders/fake-hosted.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { workflowText } from '../../builders/workflow-text.ts';

async function startService(quirks: HostedQuirks = {}) {
  const service = await startFakeHosted({ sample: ({ id }) => ({ id, score: `of ${String(id)}` }) }, quirks);
  onTestFinished(() => service.close());
  const home = await temporaryFolder();
  const data = join(home, 'data');
  await mkdir(join(data, 'workflows'), { recursive: true });
  await writeFile(join(data, 'workflows', 'sample.workflow.yaml'), workflowText(''));
  const rows = join(home, 'rows.csv');
  await writeFile(rows, 'id,name\na1,Ada\nb2,Grace\n');
  const run = (args: readonly string[], stdin?: string) => runCli([...args, '--data', data], { stdin });
  const add = ['hosted', 'add', 'prod', '--url', service.url, '--header', 'X-Acme-Key'];
  const added = await run(add, `${service.key}\n`);
  expect(added.stderr).toContain(`Connection prod added: the key is sent to ${service.url} alone.`);
  return { service, home, rows, run };
}

it('a connection is added, tested, listed and removed', async () => {
  const { service, run } = await startService();
  expect((await run(['hosted', 'test', 'prod', 'sample'])).stdout).toMatch(
    /result {4}as the interface document says/,
  );
  const { stdout } = await run(['hosted', 'list']);
  expect(stdout).toMatch(/prod .*x-acme-key .*50% .*trigger 0\/25, status 0\/25, output 0\/25/);
  expect(stdout).not.toContain(service.key);
  expect((await run(['hosted', 'remove', 'prod'])).stderr).toBe('Connection prod removed, with its key.\n');
  expect((await run(['hosted', 'list'])).stderr).toContain('No hosted services yet');
});

it('a run without a server writes the outputs in the order of the rows', async () => {
  const { service, home, rows, run } = await startService({ entries: 'reversed', rowIds: 'integer' });
  const out = join(home, 'out.csv');
  const done = await run(['hosted', 'run', 'sample', '--on', 'prod', '--rows', rows, '--out', out]);
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(await readFile(out, 'utf8')).toBe('id,score\na1,of a1\nb2,of b2\n');
  expect(done.stderr).toContain('completed, outputs matched by a field');
  const [listed] = JSON.parse((await run(['runs', 'list', '--json'])).stdout) as {
    hosted?: { runId: string };
  }[];
  expect(listed?.hosted?.runId).toBe(service.posts[0]?.runId);
  expect(service.posts).toHaveLength(1);
});

it('an unknown outcome names three ways out, and is sent again only by its own command', async () => {
  const { service, rows, run } = await startService({
    fault: (nth) => (nth === 0 ? 'cut-after' : undefined),
  });
  const cut = await run(['hosted', 'run', 'sample', '--on', 'prod', '--rows', rows]);
  expect(cut.code).toBe(1);
  expect(cut.stderr).toContain('Nothing is sent again by itself');
  const [runId = ''] = /[0-9a-f-]{36}/.exec(cut.stderr) ?? [];
  for (const verb of ['resume', 'rerun']) {
    const refused = await run(['runs', verb, runId]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('may be billed twice') as string,
    });
  }
  const { stderr } = await run(['runs', 'resume', '--status', 'paused', '--yes']);
  expect(stderr).toContain('may be billed twice');
  expect((await run(['hosted', 'resend', runId])).code).toBe(1);
  expect(service.posts).toHaveLength(1);
  const sent = await run(['hosted', 'resend', runId, '--yes']);
  expect(sent, sent.stderr).toMatchObject({ code: 0 });
  expect(service.posts).toHaveLength(2);
  expect((await run(['runs', 'show', runId])).stdout).toMatch(/hosted {4}At prod as run_.*: completed/);
});

it('a run of a server is waited for, and compared with a run here', { timeout: 30_000 }, async () => {
  const { service, home, rows, run } = await startService();
  const app = await startTestApp({ workflows: {}, home });
  onTestFinished(() => app.close());
  const done = await run(['hosted', 'run', 'sample', '--on', 'prod', '--rows', rows, '--format', 'ndjson']);
  expect(done.stdout).toBe('{"id":"a1","score":"of a1"}\n{"id":"b2","score":"of b2"}\n');
  const [hosted] = await app.handlers['run.list']({ limit: 1 });
  const local = await app.handlers['run.rerun']({ runId: hosted?.runId ?? '', rows: 'all', on: 'here' });
  await expect
    .poll(async () => (await app.handlers['run.show']({ runId: local.runId })).status)
    .toBe('completed');
  expect(local.hosted).toBeUndefined();
  expect(service.posts).toHaveLength(1);
  const { stdout } = await run(['runs', 'diff', hosted?.runId ?? '', local.runId]);
  expect(stdout).toContain('score');
});

it(
  'a sample runs there, its answer is fetched once more, and lists tell where a run was',
  { timeout: 30_000 },
  async () => {
    const { service, home, rows, run } = await startService();
    const sampled = await run([
      'hosted',
      'run',
      'sample',
      '--on',
      'prod',
      '--rows',
      rows,
      '--sample',
      '1',
      '--json',
    ]);
    expect(sampled, sampled.stderr).toMatchObject({ code: 0 });
    const { runId, sample } = JSON.parse(sampled.stdout) as { runId: string; sample: unknown };
    expect(sample).toEqual({ rows: 2, choice: 'first:1' });
    const out = join(home, 'answer.json');
    expect(await run(['hosted', 'fetch', runId, '--out', out])).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ success: true });
    expect(service.posts).toHaveLength(1);
    const listed = async (on: string) =>
      (await run(['runs', 'list', '--on', on])).stdout.includes(runId.slice(-4));
    expect([await listed('prod'), await listed('here')]).toEqual([true, false]);
    expect(await run(['runs', 'list', '--on', 'pord'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no hosted connection "pord", but prod') as string,
    });
    expect(await run(['hosted', 'remove', 'prod'])).toMatchObject({ code: 0 });
    expect(await listed('prod')).toBe(true);
    const resent = await run(['hosted', 'resend', runId, '--yes']);
    expect(resent).toMatchObject({ code: 1, stderr: expect.stringContaining('is not unknown') as string });
    const unknown = await run(['hosted', 'resend', '0192f3c4-0000-7000-8000-000000000000']);
    expect(unknown.stderr).not.toContain('Nothing was sent');
    const there = await run(['runs', 'rerun', runId, '--on', 'nowhere']);
    expect(there.stderr).toContain('no hosted connection "nowhere"');
  },
);

it('an address that is refused is refused before the key is read', async () => {
  const { run } = await startService();
  for (const url of ['http://api.example.com', 'https://api.example.com/api/v1'])
    expect(
      (await run(['hosted', 'add', 'other', '--url', url, '--header', 'x-key'], '')).stderr,
    ).not.toContain('key is missing');
});
