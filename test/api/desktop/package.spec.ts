// What would be handed out, packed here with a stand-in for Electron's own binary: its files, its fuses, and that it
// holds everything that it needs.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { makeStandIn } from '../../builders/stand-in-electron.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const tool = (name: string, args: readonly string[]) =>
  run(process.execPath, [join(root, 'node_modules', name), ...args], { cwd: root, maxBuffer: 10_000_000 });
const asar = (...args: readonly string[]) => tool('@electron/asar/bin/asar.js', args);

// The stand-in is made for Linux; the release workflow packs for the other systems with the real binary.
describe.skipIf(process.platform !== 'linux')('the packed app', () => {
  let folder: string;
  let packed: string;
  let archive: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowbench-package-'));
    const standIn = await makeStandIn(folder);
    const output = join(folder, 'Röw bench 目');
    const changes = [`-c.electronDist=${standIn}`, `-c.directories.output=${output}`];
    await tool('electron-builder/cli.js', ['--linux', 'dir', '--x64', ...changes]);
    packed = join(output, 'linux-unpacked');
    archive = join(packed, 'resources', 'app.asar');
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('holds what runs, and no tests, maps, sources or packages', async () => {
    const { stdout } = await asar('list', archive);
    const files = stdout.trim().split('\n');
    const expected =
      /^\/(LICENSE|package\.json|dist(\/(chunks(\/[\w-]+\.js)?|(cli|desktop|row-worker)\.js|preload\.cjs|licences\.json|renderer(\/(index\.html|icon\.(svg|png)|licences\.json|assets(\/[\w.-]+\.(js|css|woff2))?))?))?)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
    for (const file of ['cli.js', 'desktop.js', 'preload.cjs', 'row-worker.js', 'renderer/index.html'])
      expect(files).toContain(`/dist/${file}`);
    expect((await readFile(archive)).includes(root)).toBe(false);
  });

  it('cannot be made to run other code', async () => {
    const { stdout } = await tool('@electron/fuses/dist/bin.js', ['read', '--app', join(packed, 'rowbench')]);
    for (const [fuse, state] of [
      ['RunAsNode', 'Disabled'],
      ['EnableNodeOptionsEnvironmentVariable', 'Disabled'],
      ['EnableNodeCliInspectArguments', 'Disabled'],
      ['GrantFileProtocolExtraPrivileges', 'Disabled'],
      ['OnlyLoadAppFromAsar', 'Enabled'],
      ['EnableEmbeddedAsarIntegrityValidation', 'Enabled'],
      ['EnableCookieEncryption', 'Enabled'],
    ])
      expect(stdout).toContain(`${fuse} is ${state}`);
  });

  it('serves its pages and completes a run, far from the sources', async () => {
    const home = await temporaryFolder();
    const app = join(home, 'a füll 目 app');
    await asar('extract', archive, app);
    const server = spawn(
      process.execPath,
      ['dist/cli.js', 'serve', '--port', '0', '--data', join(home, 'my däta')],
      { cwd: app, env: {}, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const text = await firstText(server.stdout);
      const url = /listening on (\S+)/.exec(text)?.[1] ?? '';
      const key = /rbk_[\w-]+/.exec(text)?.[0] ?? '';
      expect(await (await fetch(`${url}/`)).text()).toContain('<div id="app">');
      const call = async (path: string, init?: RequestInit): Promise<unknown> => {
        const headers = { 'x-service-key': key, 'content-type': 'application/json' };
        return (await fetch(`${url}/api/v1/workflows/score-leads/runs${path}`, { headers, ...init })).json();
      };
      const body = JSON.stringify({ rows: [{ name: 'Ада', email: 'ada@x.example', employees: 120 }] });
      const begun = (await call('/async', { method: 'POST', body })) as { data: { runId: string } };
      const { runId } = begun.data;
      await expect
        .poll(() => call(`/${runId}/async/status`), { timeout: 15_000 })
        .toMatchObject({ data: { status: 'completed' } });
      expect(JSON.stringify(await call(`/${runId}/async/response`))).toContain('Ада (0 tags)');
    } finally {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    }
  });
});

async function firstText(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.includes('listening on') && text.includes('rbk_')) break;
  }
  return text;
}
