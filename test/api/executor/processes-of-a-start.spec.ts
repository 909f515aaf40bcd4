// Counts the processes that a start forks, and those that a start leaves when it fails. All are real.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openControl } from '../../../src-main/app/connect.ts';
import { startApp, type AppOptions } from '../../../src-main/app/start-app.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { childProcesses, rowWorkers } from '../../builders/row-workers.ts';
import { closeSharedWorkers } from '../../builders/processes-for-tests.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { finalStatus, trigger } from '../../builders/api-client.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { utilityDouble } from '../../builders/utility-double.ts';

const workerScript = join(import.meta.dirname, '../../../dist/row-worker.cjs');

/** Processes of the product's own programs that this process has started. */
const programs = async (): Promise<readonly string[]> =>
  (await childProcesses()).filter((args) => /(row-worker|file-parser)\.cjs/.test(args));

const optionsFor = async (more: Partial<AppOptions> = {}): Promise<AppOptions> => ({
  dataDir: await temporaryFolder(),
  port: 0,
  workerScript,
  log: silentLog,
  ...more,
});

const withFile = async (name: string, text: string): Promise<string> => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, name), text);
  return folder;
};

afterEach(closeSharedWorkers);

it('a server has one row worker when it listens, which executes its first run', async () => {
  const server = await startServerProcess({ dataDir: await temporaryFolder(), workflows: 'examples' });
  onTestFinished(() => server.stop());
  const atStart = await rowWorkers(server.pid);
  expect(atStart).toHaveLength(1);
  const workflowId = 'column-names';
  const runId = await trigger(server.url, workflowId, [{ 'First Name': 'Ada' }]);
  await finalStatus(server.url, { workflowId, runId }, 30_000);
  // Idle workers stay half a minute; the next warm one may have started on a slow machine.
  expect((await rowWorkers(server.pid))[0]).toBe(atStart[0]);
}, 60_000);

it('the first row worker has the memory limit of the settings', async () => {
  const app = await startApp(
    await optionsFor({ dataDir: await withFile('settings.json', '{"version":1,"workerMemoryMb":100}') }),
  );
  onTestFinished(() => app.close());
  await expect
    .poll(async () => (await programs()).filter((args) => args.includes('row-worker')))
    .toEqual([expect.stringContaining('--max-old-space-size=100 ')]);
});

it('a command that looks into a data folder starts no process', async () => {
  const control = await openControl({
    dataDir: await temporaryFolder(),
    workerScript,
    workflowFolders: ['examples'],
    log: silentLog,
  });
  onTestFinished(() => control.close());
  expect(await control.call('workflow.list', {})).not.toEqual([]);
  expect(await programs()).toEqual([]);
});

describe('a start that fails', () => {
  const failing: readonly (readonly [string, () => Promise<AppOptions>])[] = [
    [
      'its port is taken',
      async () => {
        const other = createServer().listen(0, '127.0.0.1');
        onTestFinished(() => void other.close());
        await once(other, 'listening');
        return optionsFor({ port: (other.address() as { port: number }).port });
      },
    ],
    [
      'its folder is locked',
      async () => {
        const options = await optionsFor({ keepsWarm: false });
        const app = await startApp(options);
        onTestFinished(() => app.close());
        return { ...options, keepsWarm: true };
      },
    ],
    ['its settings are broken', async () => optionsFor({ dataDir: await withFile('settings.json', '{') })],
    [
      'its store is damaged',
      async () => optionsFor({ dataDir: await withFile('rowbench.db', 'no database '.repeat(100)) }),
    ],
  ];

  it.each(failing)('leaves no process when %s', async (_, make) => {
    await expect(startApp(await make())).rejects.toThrow();
    expect(await programs()).toEqual([]);
  });

  it('has started the processes of the desktop app beside the store, and leaves none', async () => {
    const utility = utilityDouble();
    const dataDir = await withFile('rowbench.db', 'no database '.repeat(100));
    await expect(startApp(await optionsFor({ dataDir, forkUtility: utility.fork }))).rejects.toThrow();
    expect(utility.starts.map(({ script }) => basename(script)).sort()).toEqual([
      'file-parser.cjs',
      'row-worker.cjs',
    ]);
    expect(await programs()).toEqual([]);
  });
});

it('the desktop app starts one row worker as a utility process', async () => {
  const utility = utilityDouble();
  const app = await startApp(await optionsFor({ forkUtility: utility.fork }));
  const workers = utility.starts.filter(({ script }) => script === workerScript);
  expect(workers).toHaveLength(1);
  await app.close();
  expect(await programs()).toEqual([]);
});
