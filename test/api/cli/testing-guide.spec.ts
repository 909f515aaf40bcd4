// Writes out the guide's files and runs them: a reader who copies them gets the results that the page shows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../../builders/open-test-services.ts';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const guide = await readFile(new URL('../../../docs/guide/testing.md', import.meta.url), 'utf8');
const blocks = new Map(
  [...guide.matchAll(/```\w+ file=(\S+)\n(.*?)```/gs)].map(([, name = '', text = '']) => [name, text]),
);

async function greetFolder(change: (tests: string) => string = (tests) => tests): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'greet.workflow.yaml'), blocks.get('greet.workflow.yaml') ?? '');
  await writeFile(join(folder, 'greet.tests.yaml'), change(blocks.get('greet.tests.yaml') ?? ''));
  return folder;
}

it('the tests of the guide pass', async () => {
  const { code, stdout } = await runCli(['test'], { cwd: await greetFolder() });
  expect([code, stdout]).toEqual([0, 'ok    greet.tests.yaml (4 tests)\n']);
  expect(guide).toContain(stdout);
});

it('the rules of the guide hold', async () => {
  const cwd = await greetFolder();
  await writeFile(join(cwd, 'greet.rules.tests.yaml'), blocks.get('greet.rules.tests.yaml') ?? '');
  const { code, stdout } = await runCli(['test', 'greet.rules.tests.yaml'], { cwd });
  expect([code, stdout]).toEqual([0, 'ok    greet.rules.tests.yaml (1 test)\n']);
});

it('a failed test reads as in the guide', async () => {
  const cwd = await greetFolder((tests) => tests.replace('Hello Ada, mood: calm', 'Hello Ada, mood: glad'));
  const { code, stdout } = await runCli(['test'], { cwd });
  expect([code, stdout.trimEnd()]).toEqual([1, blocks.get('failure')?.trimEnd()]);
});

async function lookupFolder(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of ['lookup.workflow.yaml', 'lookup.tests.yaml', 'lookup.cassette.json'])
    await writeFile(join(folder, name), blocks.get(name) ?? '');
  return folder;
}

it('the test with a cassette passes, as in CI', async () => {
  const cwd = await lookupFolder();
  const { code, stdout } = await runCli(['test', '.', '--junit', 'results.xml'], { cwd });
  expect([code, stdout]).toEqual([0, 'ok    lookup.tests.yaml (1 test)\n']);
  expect(await runCli(['validate', '.'], { cwd })).toMatchObject({ code: 0 });
});

it('runs print what the guide says that they print', async () => {
  const cwd = await lookupFolder();
  const console = [...guide.matchAll(/^\$ rowbench (run .*)\n((?:\{.*\n)*)/gm)];
  expect(console).toHaveLength(2);
  for (const [, command = '', printed] of console) {
    const { code, stdout } = await runCli(command.split(' '), { cwd });
    expect([command, code, stdout]).toEqual([command, 0, printed]);
  }
});

it('a run that is saved as a test reads as in the guide', async () => {
  const services = await openTestServices({ greet: blocks.get('greet.workflow.yaml') ?? '' });
  const inputs = { mocks: { mood: 'glad' }, clock: 'virtual' } as const;
  const { runId } = await services.start('greet', [{ name: 'Ada' }, { name: 'Grace' }], inputs);
  await expect.poll(async () => (await services.runs.get(runId)).run.status).toBe('completed');
  await services.close();
  const saved = await runCli(['runs', 'save-test', runId, '--data', services.dataDir]);
  expect([saved.code, saved.stderr]).toEqual([0, expect.stringContaining('It passes.')]);
  const text = await readFile(join(services.dataDir, 'workflows', 'greet.tests.yaml'), 'utf8');
  const shown = (blocks.get('saved') ?? '').replaceAll('0199c0de-7a11-7000-8000-00004f0c21aa', runId);
  expect(text).toBe(shown.replaceAll('4f0c21aa', runId.slice(-8)));
});

it.each([
  ['test', ['test', '--help'], '# Testing workflows', '## A tests file'],
  ['runs save-test', ['runs', 'save-test', '--help'], '## From a run', '## Mocks'],
])('the guide lists the options of "%s"', async (_, args, from, to) => {
  const { stdout } = await runCli(args);
  const known = [...stdout.matchAll(/^ +(?:-., )?(--[a-z-]+)/gm)].map(([, name]) => name);
  const part = guide.slice(guide.indexOf(from), guide.indexOf(to));
  const listed = [...part.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, name]) => name);
  // Those of every command.
  expect(listed.sort()).toEqual(known.filter((name) => name !== '--help' && name !== '--data').sort());
});
