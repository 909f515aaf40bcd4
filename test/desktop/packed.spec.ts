// The packed app with its real binary: its fuses forbid to drive it, so that it is met as scripts meet it. The release
// workflow names the program in ROWBENCH_PACKED, once it is packed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { readServerInfo } from '../../src-main/storage/documents/server-info-file.ts';

/** The folder of the whole app, then the program in it. */
const [appFolder, program] = (process.env['ROWBENCH_PACKED'] ?? '').split('::');

test.skip(appFolder === undefined || program === undefined, 'ROWBENCH_PACKED names no packed app');

test('starts from a folder with spaces and other letters, and completes a run', async () => {
  test.setTimeout(120_000);
  const home = await mkdtemp(join(tmpdir(), 'röw bench 目-'));
  const folder = join(home, 'the app');
  await cp(appFolder ?? '', folder, { recursive: true, verbatimSymlinks: true });
  const dataDir = join(home, 'my däta');
  const packed = join(folder, relative(appFolder ?? '', program ?? ''));
  const app = spawn(packed, ['--hidden', '--port=0', `--data=${dataDir}`], {
    cwd: dirname(packed),
    stdio: 'ignore',
  });
  try {
    await expect.poll(() => readServerInfo(dataDir), { timeout: 60_000 }).toBeDefined();
    const { url = '', controlToken = '' } = (await readServerInfo(dataDir)) ?? {};
    const headers = { 'x-rowbench-token': controlToken, 'content-type': 'application/json' };
    const post = async (path: string, input: object): Promise<unknown> => {
      const init = { method: 'POST', headers, body: JSON.stringify(input) };
      return (await fetch(`${url}/_rowbench/v1${path}`, init)).json();
    };
    const rows = [{ name: 'Ада', email: 'ada@x.example', employees: 120 }];
    expect(await post('/workflows/score-leads/runs', { rows })).toMatchObject({ success: true });
    await expect
      .poll(() => post('/call/run.list', {}), { timeout: 30_000 })
      .toMatchObject({ data: [{ status: 'completed', rowsDone: 1 }] });
  } finally {
    const ended = once(app, 'exit');
    app.kill();
    await ended;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
