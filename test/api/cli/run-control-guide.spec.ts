// Runs every command of the guide against a server that has the guide's runs.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { RunView } from '../../../src-main/contract/index.ts';
import { runStatuses } from '../../../src-main/domain/run/run-status.ts';
import { trigger } from '../../builders/api-client.ts';
import { runCli } from '../../builders/run-cli.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const guide = await readFile(new URL('../../../docs/guide/run-control.md', import.meta.url), 'utf8');
const commands = [...guide.matchAll(/^rowbench ([^#\n]*)/gm)].map(([, command = '']) => command.trim());

const workflow = `rowbench: 1
id: score-leads
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: domain, type: set, values: { name: "=row.name" } }
  - { id: company, type: set, values: { name: "=nodes.domain.name" } }
  - { id: check, type: assert, after: [company], that: "=row.name !== 'nobody'", message: "nobody is there" }
  - { id: wait, type: delay, when: "=row.waits", after: [check], for: 1h }
  - { id: result, type: output, after: [wait], fields: { name: "=nodes.company.name" } }
`;
const named = Array.from({ length: 10 }, (_, index) => ({ name: index === 2 ? 'nobody' : `lead ${index}` }));

async function guideServer() {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'score-leads.workflow.yaml'), workflow);
  await writeFile(join(folder, 'edited.json'), JSON.stringify(named.slice(2, 6)));
  const dataDir = join(folder, 'data');
  const running = await startServerProcess({ dataDir, workflows: folder });
  onTestFinished(() => running.kill());
  const cli = (command: string) =>
    runCli(command.split(' '), { env: { ROWBENCH_DATA: dataDir }, cwd: folder });
  const start = async (rows: readonly unknown[], status: string): Promise<string> => {
    const runId = await trigger(running.url, 'score-leads', rows);
    const isThere = async () =>
      (JSON.parse((await cli(`runs show ${runId} --json`)).stdout) as RunView).status;
    await expect.poll(isThere, { timeout: 10_000 }).toBe(status);
    return runId;
  };
  return { cli, start };
}

it('every command of the guide does what it says', async () => {
  const { cli, start } = await guideServer();
  const done = await start(named, 'completed');
  const waiting = await start([{ waits: true }], 'running');
  const said: string[] = [];
  for (const command of commands) {
    const isRerun = command.startsWith('runs rerun') || command.startsWith('runs show');
    const { code, stderr } = await cli(command.replace('RUN', isRerun ? done : waiting));
    expect([command, code, stderr]).toEqual([command, 0, expect.not.stringContaining('error')]);
    said.push(stderr);
    if (command === 'runs pause RUN')
      await expect.poll(async () => (await cli(`runs show ${waiting}`)).stdout).toMatch(/^status +Paused$/m);
  }
  expect(commands.length).toBeGreaterThan(8);
  expect(said.join('')).toMatch(`Run ${waiting} is cancelled.`);
  expect(said.join('')).toMatch(`1 row of ${done}`);
  expect(said.join('')).toMatch('Values of earlier nodes are reused in 10 of 10 rows.');
  expect(said.join('')).toMatch(`4 rows of ${done}`);
}, 60_000);

it('the guide has the messages of refused actions', async () => {
  const { cli, start } = await guideServer();
  const waiting = await start([{ waits: true }], 'running');
  await cli(`runs pause ${waiting}`);
  expect((await cli(`runs pause ${waiting}`)).stderr).toMatch(/^error: The run is already paus(ed|ing)$/m);
  expect(guide).toContain('`The run is already paused`');
});

it('the guide names the statuses and options that there are', async () => {
  const { stdout } = await runCli(['runs', 'list', '--help']);
  const options = [...stdout.matchAll(/^ +(--[a-z-]+)/gm)].map(([, name]) => name);
  const listed = [...guide.matchAll(/^\| (`--[^|]*)\|/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/--[a-z-]+/g),
  ]);
  // `runs list` alone has these.
  const ofList = ['--on', '--limit', '--data', '--server', '--json'];
  expect([...listed.map(([name]) => name), ...ofList].sort()).toEqual(
    options.filter((name) => name !== '--help').sort(),
  );
  const statuses = [...guide.matchAll(/^\| `([a-z]+)` /gm)].map(([, name]) => name);
  expect(statuses.sort()).toEqual([...runStatuses].sort());
});
