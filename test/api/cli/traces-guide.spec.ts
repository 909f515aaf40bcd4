// Writes out the guide's files and runs them: a reader who copies them gets the results that the page shows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const guide = await readFile(new URL('../../../docs/guide/traces.md', import.meta.url), 'utf8');
const blocks = new Map(
  [...guide.matchAll(/```\w+ file=(\S+)\n(.*?)```/gs)].map(([, name = '', text = '']) => [name, text]),
);

async function visits(...args: readonly string[]) {
  const cwd = await temporaryFolder();
  for (const name of ['visits.workflow.yaml', 'visits.rows.json'])
    await writeFile(join(cwd, name), blocks.get(name) ?? '');
  return runCli(['run', 'visits.workflow.yaml', '--rows', 'visits.rows.json', ...args], { cwd });
}

const withoutTimes = (text: string): string => text.replaceAll(/[\d.]+ (µs|ms|s)\b/g, 'T');

it('the trace reads as in the guide', async () => {
  const { code, stderr } = await visits('--trace', '1');
  expect(code).toBe(0);
  expect(withoutTimes(stderr)).toContain(withoutTimes(blocks.get('trace') ?? 'nothing'));
});

it('a skipped node and a failed row are named as such', async () => {
  expect((await visits('--trace', '2')).stderr).toMatch(/bonus +skipped\n/);
  const { stderr } = await visits('--trace', '3');
  expect(stderr).toMatch(/row 3: failed\n[^]*days +failed[^]*error Error: no visits\n +bonus +not reached\n/);
});

it('as JSON the trace has each node with its value and logs', async () => {
  const { stdout } = await visits('--trace', '1', '--json');
  const { trace } = JSON.parse(stdout) as { trace: { nodes: { nodeId: string }[] } };
  expect(trace.nodes[1]).toMatchObject({
    nodeId: 'days',
    end: 'done',
    value: 2,
    reads: [],
    logs: [{ level: 'log', text: 'visits [3,5]' }],
  });
});

it('a row that the run does not have is refused', async () => {
  const { code, stderr } = await visits('--trace', '4');
  expect([code, stderr]).toEqual([1, expect.stringContaining('The run has no row 4; it has 3 rows')]);
});

async function test(change: (tests: string) => string, ...args: readonly string[]) {
  const cwd = await temporaryFolder();
  for (const name of ['visits.workflow.yaml', 'visits.rows.json'])
    await writeFile(join(cwd, name), blocks.get(name) ?? '');
  const file = join(cwd, 'visits.tests.yaml');
  await writeFile(file, change(blocks.get('visits.tests.yaml') ?? ''));
  return { ...(await runCli(['test', ...args], { cwd })), text: () => readFile(file, 'utf8') };
}

it('the tests of the guide pass', async () => {
  expect(await test((text) => text)).toMatchObject({ code: 0, stdout: 'ok    visits.tests.yaml (1 test)\n' });
});

it('a trace that is not as expected is shown by row and node, and can be updated', async () => {
  const change = (text: string): string =>
    text.replace('points: 20', 'points: 30').replace('status: skipped', 'status: done');
  const { code, stdout } = await test(change);
  expect(code).toBe(1);
  expect(stdout).toContain(
    ['trace of row 1', '  bonus.value.points', '    - 30', '    + 20', 'trace of row 2'].join('\n    '),
  );
  const updated = await test(change, '--update');
  // Inside braces an update writes quotes, which are always right.
  const text = (await updated.text()).replaceAll('"', '');
  expect([updated.code, text]).toEqual([0, blocks.get('visits.tests.yaml')]);
});
