// The package for distribution, built here with a stand-in for Electron's own binary: its files, its fuses, and that
// nothing it needs is missing.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerInfo } from '../../../src-main/storage/documents/server-info-file.ts';
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

  it('holds what runs and the templates, and no specs, maps, sources or packages', async () => {
    const { stdout } = await asar('list', archive);
    const files = stdout.trim().split('\n');
    const expected =
      /^\/(LICENSE|package\.json|examples(\/[\w.-]+\.(yaml|json|csv))?|dist(\/(chunks(\/[\w-]+\.js)?|(cli|desktop)\.js|(file-parser|preload|question-thread|row-worker|sheet-reader|storage-thread)\.cjs|licences\.json|renderer(\/(index\.html|icon\.(svg|png)|licences\.json|assets(\/[\w.-]+\.(js|css|woff2))?))?))?)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
    for (const file of [
      'cli.js',
      'desktop.js',
      'file-parser.cjs',
      'preload.cjs',
      'question-thread.cjs',
      'row-worker.cjs',
      'sheet-reader.cjs',
      'storage-thread.cjs',
      'renderer/index.html',
    ])
      expect(files).toContain(`/dist/${file}`);
    expect((await readFile(archive)).includes(root)).toBe(false);
  });

  it('is small beside Electron: at most 12 MB', async () => {
    // Without what an earlier build left in dist/: a release builds into an empty folder.
    expect((await stat(archive)).size).toBeLessThanOrEqual(12_000_000);
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
      ['LoadBrowserProcessSpecificV8Snapshot', 'Disabled'],
      // The ninth, WasmTrapHandlers: the tool that reads the fuses has no name for it.
      ['undefined', 'Enabled'],
    ])
      expect(stdout).toContain(`${fuse} is ${state}`);
  });

  it('serves its pages and completes a run, far from the sources', async () => {
    const home = await temporaryFolder();
    const app = join(home, 'a füll 目 app');
    await asar('extract', archive, app);
    await addSqlite(app);
    const server = spawn(
      process.execPath,
      ['dist/cli.js', 'serve', '--port', '0', '--data', join(home, 'my däta')],
      { cwd: app, env: {}, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const text = await firstText(server.stdout, ['listening on', 'rbk_']);
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

  it('opens its window, can look for a new version, and completes a run as the desktop program', async () => {
    const { app, home } = await unpackArchive(archive);
    const dataDir = join(home, 'my däta');
    const program = spawn(process.execPath, ['dist/desktop.js', `--data=${dataDir}`, '--port=0'], {
      cwd: app,
      // As the AppImage has it: without, its updater stands still.
      env: { APPIMAGE: join(home, 'Rowbench.AppImage') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const text = await firstText(program.stdout, ['window at ', 'asked: ']);
      const url = /window at (\S+)\//.exec(text)?.[1] ?? text;
      expect(text).toContain('asked: A new version could not be had no network here');
      expect(await (await fetch(`${url}/`)).text()).toContain('<div id="app">');
      const info = await readServerInfo(dataDir);
      const headers = { 'x-rowbench-token': info?.controlToken ?? '', 'content-type': 'application/json' };
      const post = async (path: string, input: object): Promise<unknown> => {
        const init = { method: 'POST', headers, body: JSON.stringify(input) };
        return (await fetch(`${url}/_rowbench/v1${path}`, init)).json();
      };
      const rows = [{ name: 'Ада', email: 'ada@x.example', employees: 120 }];
      expect(await post('/workflows/score-leads/runs', { rows })).toMatchObject({ success: true });
      await expect
        .poll(() => post('/call/run.list', {}), { timeout: 15_000 })
        .toMatchObject({ data: [{ status: 'completed', rowsDone: 1 }] });
    } finally {
      const ended = once(program, 'exit');
      program.kill();
      await ended;
    }
  });
});

/** The packed program as `npm start` and an installed app have it, with a module in place of Electron's. */
async function unpackArchive(archive: string): Promise<{ app: string; home: string }> {
  const home = await temporaryFolder();
  const app = join(home, 'a füll 目 app');
  await asar('extract', archive, app);
  await addSqlite(app);
  const electron = join(home, 'node_modules', 'electron');
  await mkdir(electron, { recursive: true });
  const fixtures = join(root, 'test/fixtures');
  await copyFile(join(fixtures, 'packed-electron.cjs'), join(electron, 'index.js'));
  await copyFile(join(fixtures, 'utility-host.mjs'), join(electron, 'utility-host.mjs'));
  await writeFile(join(electron, 'package.json'), '{ "main": "index.js" }');
  await writeFile(join(electron, 'app-update.yml'), 'provider: generic\nurl: https://example.com/feed\n');
  return { app, home };
}

/** Electron has SQLite built in; Node before version 24, which runs the app here, loads what the build puts beside it. */
async function addSqlite(app: string): Promise<void> {
  await mkdir(join(app, 'dist/native'));
  await copyFile(join(root, 'dist/native/sqlite.node'), join(app, 'dist/native/sqlite.node'));
}

async function firstText(stream: NodeJS.ReadableStream, words: readonly string[]): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    if (words.every((each) => text.includes(each))) break;
  }
  return text;
}
