import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCliProcess } from '../../builders/run-cli.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const cliFile = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const sh = promisify(execFile);

/** A server whose words are read as they come. */
async function serve(dataDir: string, args: readonly string[] = []) {
  const env = { ...process.env };
  delete env['ROWBENCH_API_KEY'];
  const child = spawn(process.execPath, [cliFile, 'serve', '--port', '0', '--data', dataDir, ...args], {
    env,
    // A process group of its own, as a shell gives it.
    detached: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await expect.poll(() => stdout + stderr, { timeout: 20_000 }).toMatch(/^Rowbench listening on http:\S+\n/);
  const url = /http:\S+/.exec(stdout)?.[0] ?? '';
  return { child, url, stdout: () => stdout, stderr: () => stderr };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}

/** Pastes the three lines into a shell, as a user would; gives the outputs of the run, which must complete. */
async function outputsOfPasted(stdout: () => string): Promise<Record<string, unknown>> {
  await expect.poll(stdout).toContain('RUN_ID/async/response');
  const lines = stdout()
    .split('\n')
    .filter((line) => line.startsWith('  curl'));
  const call = async (line: string) =>
    JSON.parse((await sh('sh', ['-c', line])).stdout) as { data: Record<string, unknown> };
  const [start = '', status = '', output = ''] = lines;
  const { runId } = (await call(start)).data as { runId: string };
  const of = (line: string): string => line.replace('RUN_ID', runId);
  // Slower than usual: the service allows six of these a minute.
  await expect
    .poll(async () => (await call(of(status))).data['status'], { interval: 1000, timeout: 6000 })
    .toBe('completed');
  return (await call(of(output))).data;
}

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const examples = join(checkout, 'examples');
const exampleText = (id: string): Promise<string> => readFile(join(examples, `${id}.workflow.yaml`), 'utf8');

/** Examples with a called workflow, with a table, and with names of columns that shells would read. */
const exampleIds = ['delivery-quotes', 'postal-zones', 'column-names'];

/** A folder with an example, the files beside it, and the workflow that it calls. */
async function exampleFolder(id: string): Promise<string> {
  const folder = await temporaryFolder();
  const called = / workflow: (\S+)/.exec(await exampleText(id))?.[1];
  for (const name of await readdir(examples)) {
    const isOfAnother =
      name.endsWith('.workflow.yaml') && ![id, called].includes(name.replace('.workflow.yaml', ''));
    if (!isOfAnother) await copyFile(join(examples, name), join(folder, name));
  }
  return folder;
}

const echo = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { row: "=row" } }
`;

describe('rowbench serve', () => {
  it('prints a line on its first start that triggers a run which completes', async () => {
    const { stdout } = await serve(join(await temporaryFolder(), 'data'));
    expect(Object.keys(await outputsOfPasted(stdout))).toHaveLength(1);
  });

  it("prints a line that runs README's own workflow at once", async () => {
    const readme = await readFile(join(checkout, 'README.md'), 'utf8');
    const greet = /```yaml\n(rowbench: 1\nid: greet\n[^]*?)```/.exec(readme)?.[1] ?? '';
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'greet.workflow.yaml'), greet);
    const { stdout } = await serve(join(folder, 'data'), ['--workflows', folder]);
    const outputs = await outputsOfPasted(stdout);
    expect(stdout()).toContain('/workflows/greet/runs');
    expect(Object.values(outputs)).toEqual([{ greeting: 'Hello Ada', letters: 3 }]);
  });

  it.each(exampleIds)('prints a line that runs the example %s', async (id) => {
    const folder = await exampleFolder(id);
    const { stdout } = await serve(join(folder, 'data'), ['--workflows', folder]);
    const outputs = await outputsOfPasted(stdout);
    expect(stdout()).toContain(`/workflows/${id}/runs`);
    expect(Object.keys(outputs)).toHaveLength(1);
  });

  it("shows a workflow of the user's own that calls no service, where there is one", async () => {
    const folder = await temporaryFolder();
    const calling = echo('a-calling').replace(
      'type: input }',
      'type: input }\n  - { id: call, type: http, request: { url: "https://api.example.com" } }',
    );
    await writeFile(join(folder, 'a-calling.workflow.yaml'), calling);
    await writeFile(join(folder, 'z-own.workflow.yaml'), echo('z-own'));
    const { stdout } = await serve(join(folder, 'data'), ['--workflows', folder]);
    await expect.poll(stdout).toContain('RUN_ID/async/response');
    expect(stdout()).toContain('/workflows/z-own/runs/async');
  });

  it('prints a row that a shell takes as it is, whatever the test row holds', async () => {
    const folder = await temporaryFolder();
    const row = { text: `It's "$HOME" \`id\` \\ 50 %\nnext line` };
    const text = echo('quoted').replace('type: input }', `type: input, testRows: [${JSON.stringify(row)}] }`);
    await writeFile(join(folder, 'quoted.workflow.yaml'), text);
    const { stdout } = await serve(join(folder, 'data'), ['--workflows', folder]);
    expect(Object.values(await outputsOfPasted(stdout))).toEqual([{ row }]);
  });

  it('prints the ready line alone when it is neither a first start nor on a terminal', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    await end((await serve(dataDir)).child, 'SIGTERM');
    const second = await serve(dataDir);
    await end(second.child, 'SIGTERM');
    expect(second.stdout()).toBe(`Rowbench listening on ${second.url}\n`);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends in order on %s, with a word that nothing is lost, and gives the data folder back',
    async (signal) => {
      const dataDir = join(await temporaryFolder(), 'data');
      const { child, stderr } = await serve(dataDir);
      expect(await end(child, signal)).toBe(0);
      expect(stderr()).toBe('Stopping; runs that are under way go on at the next start.\n');
      expect((await runCliProcess(['keys', 'list', '--json', '--data', dataDir])).code).toBe(0);
    },
  );

  it('goes on when nobody reads its words any more', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const child = spawn(process.execPath, [cliFile, 'serve', '--port', '0', '--data', dataDir]);
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdout.destroy();
    const keys = () => runCliProcess(['keys', 'list', '--json', '--data', dataDir]);
    await expect
      .poll(() => readFile(join(dataDir, 'server.json'), 'utf8'), { timeout: 15_000 })
      .toContain('http:');
    expect(await keys()).toMatchObject({ code: 0 });
    expect(await end(child, 'SIGTERM')).toBe(0);
  });

  it('refuses a data folder that another server has', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const { child } = await serve(dataDir);
    const second = await runCliProcess(['serve', '--port', '0', '--data', dataDir]);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(/^error: .+\n$/);
    expect(second.stderr).toContain(String(child.pid));
  });

  it('names a port that is taken, and keeps the first key for a start that succeeds', async () => {
    const { url } = await serve(join(await temporaryFolder(), 'data'));
    const { port } = new URL(url);
    const dataDir = join(await temporaryFolder(), 'other');
    const second = await runCliProcess(['serve', '--port', port, '--data', dataDir]);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(port);
    const { stdout } = await serve(dataDir);
    await expect.poll(stdout).toMatch(/Your first API key, shown this once: rbk_\S+\n/);
  });

  it('tells of a workflow that cannot run when it is saved, not when it is called', async () => {
    const folder = await temporaryFolder();
    const { stderr } = await serve(join(folder, 'data'), ['--workflows', folder]);
    const text = 'rowbench: 1\nid: second\nnodes: []\n';
    await writeFile(join(folder, 'second.workflow.yaml'), text);
    await expect
      .poll(stderr, { timeout: 10_000 })
      .toMatch(/^warning: cannot run until it is fixed: \S+second\.workflow\.yaml:3:.+\n$/);
  });

  it('tells on every answer that other limits apply than the published ones', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const { url } = await serve(dataDir, ['--limits', '10x']);
    const key = (await runCliProcess(['keys', 'create', '--name', 'a', '--data', dataDir])).stdout.trim();
    const answer = await fetch(`${url}/api/v1/workflows/x/runs/y/async/status`, {
      headers: { 'x-service-key': key },
    });
    expect([answer.status, answer.headers.get('x-rowbench-limits')]).toEqual([404, '10x']);
  });

  it.skipIf(process.platform === 'win32')(
    'ends in order when Ctrl-C reaches its row workers too',
    async () => {
      const { child, stderr } = await serve(join(await temporaryFolder(), 'data'));
      const ended = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGINT'); // what a terminal does: the whole group
      expect((await ended)[0]).toBe(0);
      expect(stderr()).toBe('Stopping; runs that are under way go on at the next start.\n');
    },
  );
});
