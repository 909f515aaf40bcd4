// The examples of the guide on calls behave as the guide shows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addressClasses } from '../../../src-main/domain/upstream/address-class.ts';
import { defaultBounds } from '../../../src-main/executor/upstream/bounds.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { json, startUpstream } from '../../builders/upstream-server.ts';

const guide = await readFile(new URL('../../../docs/guide/upstream-calls.md', import.meta.url), 'utf8');
const blocks = new Map(
  [...guide.matchAll(/```\w+ file=(\S+)\n(.*?)```/gs)].map(([, name = '', text = '']) => [name, text]),
);

/** The guide's workflow, calling that origin, in a folder with a data folder beside it. */
async function companies(origin: string) {
  const folder = await temporaryFolder();
  const text = blocks.get('companies.workflow.yaml') ?? '';
  await writeFile(
    join(folder, 'companies.workflow.yaml'),
    text.replace('https://api.example.com', origin).replace('delay: 500ms', 'delay: 1ms'),
  );
  await writeFile(join(folder, 'rows.json'), '[{ "id": 7 }]');
  const env = { ROWBENCH_DATA: join(folder, 'data') };
  return (args: readonly string[], more: { stdin?: string; env?: NodeJS.ProcessEnv } = {}) =>
    runCli(args, { cwd: folder, ...more, env: { ...env, ...more.env } });
}

const run = ['run', 'companies.workflow.yaml', '--rows', 'rows.json'];

it('the workflow of the guide calls with its stored secret, and retries', async () => {
  const failing = json({}, 500);
  const upstream = await startUpstream({
    '/companies/7': (call, response) =>
      (call.nth === 0 ? failing : json({ name: 'Ada Ltd' }))(call, response),
  });
  const cli = await companies(upstream.url(''));
  const host = `127.0.0.1:${upstream.port}`;
  await cli(['secrets', 'set', 'CRM_TOKEN', '--host', host], { stdin: 'a-token-of-mine' });
  const { code, stdout } = await cli([...run, '--allow-network', 'loopback']);
  expect([code, JSON.parse(stdout)]).toEqual([0, [{ name: 'Ada Ltd' }]]);
  expect(upstream.calls.map(({ headers }) => headers.authorization)).toEqual(
    Array(2).fill('Bearer a-token-of-mine'),
  );
  expect(upstream.keys().size).toBe(1);
});

it('a secret of the environment goes before a stored one', async () => {
  const upstream = await startUpstream({ '/companies/7': json({ name: 'Ada Ltd' }) });
  const cli = await companies(upstream.url(''));
  const env = {
    ROWBENCH_SECRET_CRM_TOKEN: 'a-token-of-the-build',
    ROWBENCH_SECRET_CRM_TOKEN_HOST: `other.example.com, 127.0.0.1:${upstream.port}`,
  };
  expect((await cli([...run, '--allow-network', 'loopback'], { env })).code).toBe(0);
  expect(upstream.calls[0]?.headers.authorization).toBe('Bearer a-token-of-the-build');
});

it('a call that was not granted fails in the words of the guide', async () => {
  const cli = await companies('http://127.0.0.1:4171');
  const env = { ROWBENCH_SECRET_CRM_TOKEN: 'a-token', ROWBENCH_SECRET_CRM_TOKEN_HOST: '127.0.0.1:4171' };
  const { stderr } = await cli(run, { env });
  expect(stderr).toContain(blocks.get('failure')?.trim());
});

it('the bounds and the classes of the guide are those that there are', () => {
  const { connectMs, headMs, totalMs, maxTotalMs, redirects, headBytes, bodyBytes } = defaultBounds;
  const { bytesAtOnce, bytesOfOneRun, stallMs } = defaultBounds;
  const cells = [...guide.matchAll(/^\| (?:an|the|a|redirects|headers|body|all) ?[^|]*\| ([^|]*?) +\|$/gm)];
  expect(cells.map(([, cell = '']) => cell.match(/[\d]+ (?:s|hour|KB|MB)|^\d/g))).toEqual([
    [`${headMs / 1000} s`],
    [`${totalMs / 1000} s`, `${maxTotalMs / 3_600_000} hour`],
    [`${connectMs / 1000} s`],
    [`${redirects}`],
    [`${headBytes / 1024} KB`],
    [`${bodyBytes / 1_000_000} MB`],
    [`${bytesAtOnce / 1_000_000} MB`, `${bytesOfOneRun / 1_000_000} MB`],
    ['1 KB', `${stallMs / 1000} s`],
  ]);
  for (const name of addressClasses) expect(guide).toContain(`| \`${name}\``);
});
